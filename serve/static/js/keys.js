// Keys in the grid, and the on-screen keyboard of phones, which presses the same ones.

import { arrow, byClue, toEnd, turn } from "./cursor.js";
import { el } from "./dom.js";

/** What a key does to a game; false where it is none of the grid's. */
export function press(game, key, { shift = false, control = false } = {}, openRebus = () => {}) {
  const { puzzle, cursor } = game;
  if (control) {
    const letter = key.toLowerCase();
    if (letter === "z") shift ? game.redo() : game.undo();
    else if (letter === "y") game.redo();
    else if (key === "Home") game.moveTo({ ...cursor, index: puzzle.open[0] });
    else if (key === "End") game.moveTo({ ...cursor, index: puzzle.open.at(-1) });
    else return false;
    return true;
  }
  if (/^[a-z0-9]$/i.test(key)) game.type(key.toUpperCase());
  else if (key.startsWith("Arrow")) game.moveTo(arrow(puzzle, cursor, key));
  else if (key === " ") game.moveTo(turn(puzzle, cursor));
  else if (key === "Tab") game.moveTo(byClue(puzzle, cursor, shift ? -1 : 1, game.isBlank));
  else if (key === "Enter") game.moveTo(byClue(puzzle, cursor, shift ? -1 : 1, game.isBlank));
  else if (key === "Backspace") game.backspace();
  else if (key === "Delete") game.clear([cursor.index]);
  else if (key === "Home" || key === "End") game.moveTo(toEnd(puzzle, cursor, key === "End"));
  else if (key === "Escape" || key === "Insert") openRebus();
  else if (key === ".") game.usePencil(!game.pencil);
  else return false;
  return true;
}

const ROWS = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"];

/** The on-screen keyboard; `onKey` gets the names that keyboard events have, or "Suggest". */
export function buildKeyboard(root, onKey) {
  const key = (name, label, text, kind = "") =>
    el("button", { type: "button", class: `key ${kind}`, "data-key": name, "aria-label": label, tabindex: -1 }, text);
  const rows = ROWS.map((letters, i) => {
    const keys = [...letters].map((letter) => key(letter, letter, letter));
    if (i === 1) keys.push(key("Suggest", "Suggest answers for this clue", "?"));
    if (i === 2) {
      keys.unshift(key("Escape", "Rebus: several letters", "···", "wide"));
      keys.push(key("Backspace", "Backspace", "⌫", "wide"));
    }
    return el("div", { class: "key-row" }, keys);
  });
  root.replaceChildren(...rows);
  // Acts on the press, not the release: fast thumbs overlap. The focus stays in the grid.
  root.addEventListener("pointerdown", (event) => {
    const target = event.target.closest(".key");
    if (!target) return;
    event.preventDefault();
    target.classList.add("down");
    setTimeout(() => target.classList.remove("down"), 110);
    onKey(target.dataset.key);
  });
  // Assistive technology clicks without a pointer.
  root.addEventListener("click", (event) => {
    const target = event.target.closest(".key");
    if (target && event.detail === 0) onKey(target.dataset.key);
  });
}

/** Entry of several letters over a cell; Enter or Escape takes them, leaving does too. */
export function rebusEntry(game, cellElement, done) {
  const { index } = game.cursor;
  const entry = game.entries.get(index);
  if (entry?.by === "given") return;
  const input = el("input", {
    class: "rebus", type: "text", maxlength: 16, value: entry?.text ?? "", spellcheck: "false",
    autocomplete: "off", autocapitalize: "characters", "aria-label": "Letters for this cell",
  });
  let open = true;
  const close = () => {
    if (!open) return;
    open = false;
    const text = input.value.toUpperCase().replace(/[^A-Z0-9]/g, "");
    input.remove();
    game.set([[index, text ? game.written(text) : null]]);
    done();
  };
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" || event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      close();
    }
  });
  input.addEventListener("blur", close);
  input.addEventListener("pointerdown", (event) => event.stopPropagation());
  cellElement.append(input);
  input.focus();
  input.select();
}

/** F6 goes from region to region, so that Tab can stay the grid's. */
export function cycleRegions(back) {
  const regions = [...document.querySelectorAll("[data-region]")].filter((region) => region.offsetParent);
  if (!regions.length) return false;
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const step = back ? -1 : 1;
  const next = regions[(at < 0 ? 0 : at + step + regions.length) % regions.length];
  const target = next.querySelector('[tabindex="0"], [aria-current="true"], button:not(:disabled), input');
  target?.focus();
  return Boolean(target);
}
