// The grid as real elements: a grid of labelled cells, one of them in the tab order (roving
// focus, as the ARIA authoring practices have it). Only cells that changed are drawn again.

import { el } from "./dom.js";
import { place, turn } from "./cursor.js";

const MIDDLE = 2 / 3;

export class GridView {
  constructor(root) {
    this.root = root;
    this.game = null;
    this.elements = [];
    this.highlighted = [];
    this.tinted = true;
    this.preview = null; // letters of a solve in progress: index → text
    root.addEventListener("pointerdown", (event) => this.#press(event));
    root.addEventListener("focusin", (event) => this.#focused(event));
  }

  show(game) {
    this.game = game;
    this.preview = null;
    this.highlighted = [];
    const { puzzle } = game;
    this.root.style.setProperty("--columns", puzzle.width);
    this.root.style.setProperty("--rows", puzzle.height);
    this.root.classList.toggle("barred", puzzle.cells.some((cell) => cell.barRight || cell.barBelow));
    this.root.setAttribute("aria-label", `Crossword grid, ${puzzle.height} rows by ${puzzle.width} columns`);
    this.root.setAttribute("aria-rowcount", puzzle.height);
    this.root.setAttribute("aria-colcount", puzzle.width);
    this.elements = puzzle.cells.map((cell) => this.#element(cell));
    const rows = Array.from({ length: puzzle.height }, (_, row) =>
      el("div", { role: "row", class: "grid-row" },
        this.elements.slice(row * puzzle.width, (row + 1) * puzzle.width)));
    this.root.replaceChildren(...rows);
    game.addEventListener("letters", (event) => this.draw(event.detail.cells));
    game.addEventListener("marks", (event) => this.draw(event.detail.cells));
    game.addEventListener("solver", () => this.draw(puzzle.open));
    game.addEventListener("cursor", () => this.drawCursor());
    this.draw(puzzle.open);
    this.drawCursor(false);
  }

  #element(cell) {
    if (cell.kind !== "open") {
      const label = cell.kind === "block" ? "block" : "no cell";
      return el("div", { role: "gridcell", class: `cell ${cell.kind}`, "aria-label": label });
    }
    const classes = ["cell", "open"];
    for (const trait of ["circle", "shaded", "barRight", "barBelow"]) {
      if (cell[trait]) classes.push(trait.toLowerCase());
    }
    if (cell.given) classes.push("given");
    return el("div", { role: "gridcell", class: classes.join(" "), tabindex: -1, "data-index": cell.index },
      // Drawn by the style sheet: the label says it, and a cell's text is its letter alone.
      cell.number ? el("span", { class: "number", "data-number": cell.number }) : null,
      el("span", { class: "letter", "aria-hidden": "true" }));
  }

  #press(event) {
    const target = event.target.closest(".cell.open");
    if (!target || !this.game || event.button > 0) return;
    event.preventDefault(); // keeps the focus from jumping before the cursor has moved
    const index = Number(target.dataset.index);
    const { cursor, puzzle } = this.game;
    const again = index === cursor.index && this.root.contains(document.activeElement);
    this.game.moveTo(again ? turn(puzzle, cursor) : place(puzzle, cursor, index));
    this.focus();
  }

  #focused(event) {
    const index = Number(event.target.dataset?.index);
    if (this.game && Number.isInteger(index) && index !== this.game.cursor.index) {
      this.game.moveTo(place(this.game.puzzle, this.game.cursor, index));
    }
  }

  focus() {
    if (this.game) this.elements[this.game.cursor.index]?.focus();
  }

  draw(cells) {
    for (const index of cells) {
      const element = this.elements[index];
      const text = this.preview?.get(index) ?? this.game.entries.get(index)?.text ?? "";
      const letter = element.querySelector(".letter");
      if (letter.textContent !== text) letter.textContent = text;
      letter.dataset.length = text.length > 1 ? Math.min(text.length, 8) : "";
      const entry = this.game.entries.get(index);
      element.dataset.by = this.preview?.has(index) ? "solver" : entry?.by ?? "";
      element.classList.toggle("pencil", Boolean(entry?.pencil) && !this.preview?.has(index));
      element.dataset.mark = this.game.marks.get(index) ?? "";
      const confidence = this.game.confidence.get(index);
      const tint = this.tinted && confidence !== undefined && text !== "";
      element.classList.toggle("tinted", tint);
      if (tint) this.#tint(element, confidence);
      this.#label(index, text);
    }
  }

  /** The scale is finer where it matters: its middle colour stands at two thirds. */
  #tint(element, confidence) {
    const upper = confidence > MIDDLE;
    const share = upper ? (confidence - MIDDLE) / (1 - MIDDLE) : confidence / MIDDLE;
    element.classList.toggle("surer", upper);
    element.style.setProperty("--sure", `${Math.round(share * 100)}%`);
  }

  /** Row and column, the letter, and the place in both slots. */
  #label(index, text) {
    const cell = this.game.puzzle.cells[index];
    const parts = [text || "blank"];
    if (cell.number) parts.push(`number ${cell.number}`);
    for (const [direction, name] of [["A", "Across"], ["D", "Down"]]) {
      const slot = cell.slots[direction];
      if (!slot) continue;
      parts.push(`${slot.number} ${name}, letter ${slot.cells.indexOf(index) + 1} of ${slot.cells.length}`);
    }
    if (cell.circle) parts.push("circled");
    if (cell.given) parts.push("given");
    if (this.game.entries.get(index)?.pencil) parts.push("in pencil");
    if (this.game.marks.get(index) === "wrong") parts.push("marked wrong");
    const sure = this.game.confidence.get(index);
    if (sure !== undefined) parts.push(`solver ${Math.round(sure * 100)} per cent sure`);
    parts.push(`row ${cell.row + 1}, column ${cell.col + 1}`);
    this.elements[index].setAttribute("aria-label", parts.join("; "));
  }

  drawCursor(moveFocus = true) {
    const { cursor, slot, crossing } = this.game;
    for (const index of this.highlighted) {
      this.elements[index].classList.remove("in-slot", "in-crossing", "current");
      this.elements[index].tabIndex = -1;
      this.elements[index].removeAttribute("aria-selected");
    }
    this.highlighted = [...(slot?.cells ?? []), ...(crossing?.cells ?? []), cursor.index];
    for (const index of crossing?.cells ?? []) this.elements[index].classList.add("in-crossing");
    for (const index of slot?.cells ?? []) {
      this.elements[index].classList.remove("in-crossing");
      this.elements[index].classList.add("in-slot");
    }
    const current = this.elements[cursor.index];
    current.classList.add("current");
    current.tabIndex = 0;
    current.setAttribute("aria-selected", "true");
    if (moveFocus && this.root.contains(document.activeElement)) this.focus();
  }
}
