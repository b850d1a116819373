// A puzzle in play: letters with who entered them, the cursor, marks, undo. Views listen for
// "letters", "cursor", "marks" and "solver" and draw; nothing here touches the document.

import * as cursors from "./cursor.js";

const MAX_UNDO = 500;

export class Game extends EventTarget {
  /** `entries` maps a cell's index to `{text, by}`, by "you", "solver", "reveal" or "given";
      a letter of yours may be in `pencil`. */
  constructor(puzzle, entries = new Map()) {
    super();
    this.puzzle = puzzle;
    this.entries = new Map(entries);
    for (const index of puzzle.open) {
      const { given } = puzzle.cells[index];
      if (given) this.entries.set(index, { text: given, by: "given" });
    }
    this.marks = new Map(); // index → "wrong" | "right", until the letter changes
    this.confidence = new Map(); // index → probability, as the solver last said
    this.result = null; // the solver's last result
    this.pencil = false; // whether what is typed is in pencil
    this.undone = [];
    this.done = [];
    const first = puzzle.slots[0];
    this.cursor = first
      ? cursors.toSlot(first, this.isBlank)
      : { index: puzzle.open[0] ?? 0, direction: "A" };
  }

  isBlank = (index) => !this.entries.has(index);

  get slot() {
    return cursors.slotAt(this.puzzle, this.cursor);
  }

  get crossing() {
    return cursors.crossingAt(this.puzzle, this.cursor);
  }

  get isFull() {
    return this.puzzle.open.every((index) => this.entries.has(index));
  }

  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  usePencil(on) {
    this.pencil = on;
    this.emit("pencil");
  }

  moveTo(cursor) {
    this.cursor = cursor;
    this.emit("cursor");
  }

  /** The pattern of a slot; a rebus makes it longer than its cells, a digit counts as unknown. */
  pattern(slot) {
    return slot.cells.map((i) => (this.entries.get(i)?.text ?? ".").replace(/[^A-Z]/g, ".")).join("");
  }

  /** Sets letters (`index → {text, by}` or null to clear) as one step that undo takes back. */
  set(changes, by = null) {
    const step = [];
    for (const [index, value] of changes) {
      const before = this.entries.get(index) ?? null;
      const entry = value && by ? { ...value, by } : value;
      if (before?.by === "given" || same(before, entry)) continue;
      step.push([index, before, entry]);
    }
    if (!step.length) return [];
    this.done.push({ step, cursor: this.cursor });
    if (this.done.length > MAX_UNDO) this.done.shift();
    this.undone = [];
    return this.apply(step.map(([index, , after]) => [index, after]));
  }

  apply(pairs) {
    for (const [index, entry] of pairs) {
      if (entry) this.entries.set(index, entry);
      else this.entries.delete(index);
      this.marks.delete(index);
      if (entry && entry.by !== "solver") this.confidence.delete(index);
    }
    const changed = pairs.map(([index]) => index);
    this.emit("letters", { cells: changed });
    return changed;
  }

  undo() {
    const last = this.done.pop();
    if (!last) return;
    this.undone.push({ ...last, cursor: this.cursor });
    this.apply(last.step.map(([index, before]) => [index, before]));
    this.moveTo(last.cursor);
  }

  redo() {
    const next = this.undone.pop();
    if (!next) return;
    this.done.push({ ...next, cursor: this.cursor });
    this.apply(next.step.map(([index, , after]) => [index, after]));
    this.moveTo(next.cursor);
  }

  type(letter) {
    const { index } = this.cursor;
    const wasBlank = this.isBlank(index);
    this.set([[index, this.written(letter)]]);
    this.moveTo(cursors.afterLetter(this.puzzle, this.cursor, wasBlank, this.isBlank));
  }

  /** An entry of yours, in pen or pencil. */
  written(text) {
    return this.pencil ? { text, by: "you", pencil: true } : { text, by: "you" };
  }

  backspace() {
    const entry = this.entries.get(this.cursor.index);
    if (!entry || entry.by === "given") this.moveTo(cursors.back(this.puzzle, this.cursor));
    this.set([[this.cursor.index, null]]);
  }

  clear(cells) {
    this.set(cells.map((index) => [index, null]));
  }

  mark(cells, right) {
    for (const index of cells) this.marks.set(index, right(index) ? "right" : "wrong");
    this.emit("marks", { cells });
  }

  /** What the solver thinks, for tints and the inspector; letters are set apart. */
  think(confidence, result = this.result) {
    this.confidence = confidence;
    this.result = result;
    this.emit("solver");
  }

  /** How much is right: null where there is no solution to compare with. */
  score() {
    const { solution, open, slots } = this.puzzle;
    if (!solution) return null;
    const right = (index) => sameAnswer(this.entries.get(index)?.text, solution.get(index));
    const wrong = open.filter((index) => this.entries.has(index) && !right(index));
    return {
      letters: open.filter(right).length, cells: open.length,
      words: slots.filter((slot) => slot.cells.every(right)).length, slots: slots.length,
      wrong, perfect: open.every(right),
    };
  }
}

const same = (a, b) => (a?.text ?? "") === (b?.text ?? "") && (a?.by ?? "") === (b?.by ?? "")
  && Boolean(a?.pencil) === Boolean(b?.pencil);

/** A rebus cell is right with its first letter too, as newspaper pages have it. */
export function sameAnswer(entered, right) {
  if (!entered || !right) return false;
  return entered === right || (right.length > 1 && entered === right[0]);
}
