// Where the cursor goes: pure functions from a puzzle and a cursor to a cursor. The keys are
// those of newspaper pages and Across Lite: an arrow across the direction turns, one along it
// moves; Tab goes by clues, wrapping from the last across to the first down.

/** The slot under the cursor, or null for a cell in no slot. */
export function slotAt(puzzle, { index, direction }) {
  const { slots } = puzzle.cells[index];
  return slots[direction] ?? slots[direction === "A" ? "D" : "A"];
}

/** The slot that crosses the cursor's, or null where nothing does. */
export function crossingAt(puzzle, cursor) {
  const slot = slotAt(puzzle, cursor);
  if (!slot) return null;
  return puzzle.cells[cursor.index].slots[slot.direction === "A" ? "D" : "A"];
}

/** The cursor on a cell; it keeps its direction where the cell has a slot that way. */
export function place(puzzle, cursor, index) {
  const { slots } = puzzle.cells[index];
  const other = cursor.direction === "A" ? "D" : "A";
  const direction = slots[cursor.direction] || !slots[other] ? cursor.direction : other;
  return { index, direction };
}

export function turn(puzzle, cursor) {
  const other = cursor.direction === "A" ? "D" : "A";
  return puzzle.cells[cursor.index].slots[other] ? { ...cursor, direction: other } : cursor;
}

/** An arrow key: turns first, then moves, over blocks if need be. */
export function arrow(puzzle, cursor, key) {
  const direction = key === "ArrowLeft" || key === "ArrowRight" ? "A" : "D";
  const cell = puzzle.cells[cursor.index];
  if (direction !== cursor.direction && cell.slots[direction]) return { ...cursor, direction };
  const step = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let { row, col } = cell;
  for (;;) {
    if (direction === "A") col += step;
    else row += step;
    if (row < 0 || col < 0 || row >= puzzle.height || col >= puzzle.width) return cursor;
    const index = row * puzzle.width + col;
    if (puzzle.cells[index].kind === "open") return place(puzzle, { ...cursor, direction }, index);
  }
}

/** The next (or with -1 the previous) clue: at its first blank, else at its start. */
export function byClue(puzzle, cursor, step, isBlank) {
  const slot = slotAt(puzzle, cursor);
  const at = puzzle.slots.indexOf(slot);
  const next = puzzle.slots[(at + step + puzzle.slots.length) % puzzle.slots.length];
  return next ? toSlot(next, isBlank) : cursor;
}

export function toSlot(slot, isBlank = () => false) {
  const index = slot.cells.find(isBlank) ?? slot.cells[0];
  return { index, direction: slot.direction };
}

/** After a letter: the next blank of the answer, else an earlier one, else the next clue. */
export function afterLetter(puzzle, cursor, wasBlank, isBlank) {
  const slot = slotAt(puzzle, cursor);
  if (!slot) return cursor;
  const at = slot.cells.indexOf(cursor.index);
  const rest = slot.cells.slice(at + 1);
  const along = { ...cursor, direction: slot.direction };
  if (!wasBlank && rest.length) return { ...along, index: rest[0] };
  const blank = rest.find(isBlank) ?? slot.cells.find(isBlank);
  if (blank !== undefined) return { ...along, index: blank };
  if (!wasBlank) return along;
  return byClue(puzzle, along, 1, isBlank);
}

/** One cell back in the answer; at its start the cursor stays. */
export function back(puzzle, cursor) {
  const slot = slotAt(puzzle, cursor);
  if (!slot) return cursor;
  const at = slot.cells.indexOf(cursor.index);
  return { index: slot.cells[Math.max(0, at - 1)], direction: slot.direction };
}

export function toEnd(puzzle, cursor, last) {
  const slot = slotAt(puzzle, cursor);
  if (!slot) return cursor;
  return { index: last ? slot.cells.at(-1) : slot.cells[0], direction: slot.direction };
}
