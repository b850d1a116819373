// The clue bar and the two clue lists, which follow the cursor; and the references between
// clues ("See 17-Across"), which light up the clues they name.

import { byId, el } from "./dom.js";
import { byClue, toSlot, turn } from "./cursor.js";

const DIRECTIONS = { A: "Across", D: "Down" };

/** The names of the slots a clue refers to: "17-Across and 4- and 5-Down" → 17A, 4D, 5D. */
export function references(text) {
  const found = [];
  for (const [, numbers, direction] of text.matchAll(
    /((?:\d{1,3}(?:-|\s)?(?:,\s*|,?\s+and\s+|,?\s+or\s+|\s*&\s*)?){1,8})[-\s](Across|Down)\b/gi)) {
    for (const number of numbers.match(/\d{1,3}/g)) {
      found.push(number + direction[0].toUpperCase());
    }
  }
  return found;
}

export class ClueView {
  constructor(focusGrid) {
    this.game = null;
    this.items = new Map();
    this.focusGrid = focusGrid;
    const step = (by) => () => {
      const { game } = this;
      game.moveTo(byClue(game.puzzle, game.cursor, by, game.isBlank));
      this.focusGrid();
    };
    byId("previous-clue").addEventListener("click", step(-1));
    byId("next-clue").addEventListener("click", step(1));
    byId("current-clue").addEventListener("click", () => {
      this.game.moveTo(turn(this.game.puzzle, this.game.cursor));
      this.focusGrid();
    });
  }

  show(game) {
    this.game = game;
    this.items.clear();
    for (const [direction, id] of [["A", "across"], ["D", "down"]]) {
      const slots = game.puzzle.slots.filter((slot) => slot.direction === direction);
      byId(id).replaceChildren(...slots.map((slot) => this.#item(slot)));
      byId(id).scrollTop = 0;
    }
    game.addEventListener("cursor", () => this.draw());
    game.addEventListener("letters", (event) => this.drawFilled(event.detail.cells));
    this.drawFilled(game.puzzle.open);
    this.draw();
  }

  #item(slot) {
    const button = el("button", { class: "clue", type: "button", "data-slot": slot.name },
      el("span", { class: "clue-number" }, String(slot.number)),
      el("span", { class: "clue-text" }, slot.clue || "(no clue)"));
    button.addEventListener("click", () => {
      this.game.moveTo(toSlot(slot, this.game.isBlank));
      this.focusGrid();
    });
    this.items.set(slot.name, button);
    return el("li", {}, button);
  }

  drawFilled(cells) {
    const touched = new Set();
    for (const index of cells) {
      const { slots } = this.game.puzzle.cells[index];
      if (slots.A) touched.add(slots.A);
      if (slots.D) touched.add(slots.D);
    }
    for (const slot of touched) {
      const full = slot.cells.every((index) => this.game.entries.has(index));
      this.items.get(slot.name).classList.toggle("filled", full);
    }
  }

  draw() {
    const { slot, crossing } = this.game;
    const named = new Set(slot ? references(slot.clue) : []);
    for (const [name, item] of this.items) {
      const current = slot?.name === name;
      item.classList.toggle("current", current);
      item.classList.toggle("crossing", crossing?.name === name);
      item.classList.toggle("referenced", named.has(name));
      if (current) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
    for (const shown of [slot, crossing]) {
      if (shown) follow(this.items.get(shown.name));
    }
    byId("current-clue").replaceChildren(
      el("b", {}, slot ? `${slot.number} ${DIRECTIONS[slot.direction]}` : ""), " ",
      el("span", {}, slot?.clue ?? ""));
    byId("crossing-clue").replaceChildren(
      ...(crossing ? [el("b", {}, `${crossing.number} ${DIRECTIONS[crossing.direction]}`), ` ${crossing.clue}`] : ["\u00a0"]));
  }
}

/** Scrolls a clue into view within its own list; the page itself stays where it is. */
function follow(item) {
  const list = item.closest(".clue-list");
  if (list.scrollHeight <= list.clientHeight) return;
  const top = item.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  const space = (list.clientHeight - item.offsetHeight) / 3;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - space;
  }
}
