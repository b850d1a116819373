// A puzzle for the page, from the ipuz object the server gives: cells, slots, clues, solution.
// The server's reader has checked and normalised the file (labels, one clue list a direction),
// but a link may hold anything, so sizes and kinds are checked here again.

export const OPEN = "open";
const MAX_SIDE = 100; // more cells than that no browser lays out with pleasure

const plain = (text) =>
  String(text ?? "").replace(/&(amp|lt);/g, (_, name) => (name === "amp" ? "&" : "<"));

/** Letters and digits as cells hold them; everything else is dropped. */
export function cleanLetters(text, most = 16) {
  const bare = String(text).normalize("NFD").toUpperCase();
  return bare.replace(/[^A-Z0-9]/g, "").slice(0, most);
}

/** The puzzle of an ipuz object; an `Error` with a line for people where it is none. */
export function parsePuzzle(ipuz) {
  const width = Number(ipuz?.dimensions?.width);
  const height = Number(ipuz?.dimensions?.height);
  const sane = (side) => Number.isInteger(side) && side > 0 && side <= MAX_SIDE;
  if (!sane(width) || !sane(height)) throw new Error("This grid has no size the page can show.");
  const rows = ipuz.puzzle;
  if (!Array.isArray(rows) || rows.length !== height || rows.some((row) => row?.length !== width)) {
    throw new Error("This puzzle’s grid is damaged.");
  }
  const cells = rows.flatMap((row, r) => row.map((raw, c) => readCell(raw, r, c, width)));
  const slots = [...findSlots(cells, width, height, "A"), ...findSlots(cells, width, height, "D")];
  number(cells, slots);
  const byName = new Map(slots.map((slot) => [slot.name, slot]));
  readClues(ipuz.clues ?? {}, byName);
  for (const slot of slots) {
    slot.cells.forEach((index) => { cells[index].slots[slot.direction] = slot; });
  }
  return {
    ipuz, width, height, cells, slots, byName,
    open: cells.filter((cell) => cell.kind === OPEN).map((cell) => cell.index),
    solution: readLetters(ipuz.solution, cells, width),
    saved: readLetters(ipuz.saved, cells, width) ?? new Map(),
    title: plain(ipuz.title) || "Untitled",
    author: plain(ipuz.author),
    copyright: plain(ipuz.copyright),
    notes: plain(ipuz.notes),
    notices: Array.isArray(ipuz["crossword:notices"]) ? ipuz["crossword:notices"].map(String) : [],
  };
}

function readCell(raw, row, col, width) {
  const styled = raw !== null && typeof raw === "object" ? raw : { cell: raw };
  const style = styled.style ?? {};
  const inner = styled.cell;
  const kind = inner === null ? "void" : inner === "#" ? "block" : OPEN;
  return {
    index: row * width + col, row, col, kind,
    number: 0,
    circle: style.shapebg === "circle",
    shaded: Boolean(style.color || style.highlight),
    barRight: String(style.barred ?? "").includes("R"),
    barBelow: String(style.barred ?? "").includes("B"),
    given: kind === OPEN && styled.value ? cleanLetters(styled.value) : "",
    slots: { A: null, D: null },
  };
}

/** Runs of two or more open cells; a bar ends a run. */
function findSlots(cells, width, height, direction) {
  const across = direction === "A";
  const found = [];
  for (let i = 0; i < (across ? height : width); i += 1) {
    let run = [];
    const close = () => {
      if (run.length > 1) found.push({ name: "", number: 0, direction, cells: run, clue: "" });
      run = [];
    };
    for (let j = 0; j < (across ? width : height); j += 1) {
      const cell = cells[across ? i * width + j : j * width + i];
      if (cell.kind !== OPEN) { close(); continue; }
      run.push(cell.index);
      if (across ? cell.barRight : cell.barBelow) close();
    }
    close();
  }
  return found;
}

function number(cells, slots) {
  const starts = [...new Set(slots.map((slot) => slot.cells[0]))].sort((a, b) => a - b);
  starts.forEach((index, i) => { cells[index].number = i + 1; });
  for (const slot of slots) {
    slot.number = cells[slot.cells[0]].number;
    slot.name = `${slot.number}${slot.direction}`;
  }
  slots.sort((a, b) => (a.direction === b.direction ? a.number - b.number : a.direction < b.direction ? -1 : 1));
}

function readClues(lists, byName) {
  for (const [heading, direction] of [["Across", "A"], ["Down", "D"]]) {
    for (const entry of Array.isArray(lists[heading]) ? lists[heading] : []) {
      const [label, text] = Array.isArray(entry) ? entry : [entry?.number, entry?.clue];
      const slot = byName.get(`${label}${direction}`);
      if (slot) slot.clue = plain(text);
    }
  }
}

function readLetters(rows, cells, width) {
  if (!Array.isArray(rows)) return null;
  const letters = new Map();
  for (const cell of cells) {
    let value = rows[cell.row]?.[cell.col];
    if (cell.kind !== OPEN || value === null || value === undefined || value === 0) continue;
    if (typeof value === "object") value = value.value ?? value.cell ?? "";
    const text = value === "#" ? "" : cleanLetters(value);
    if (text) letters.set(cell.row * width + cell.col, text);
  }
  return letters.size ? letters : null;
}

/** The ipuz object with these letters entered; without the solution if asked. */
export function toIpuz(puzzle, entries, { letters = true, solution = true } = {}) {
  const ipuz = { ...puzzle.ipuz };
  delete ipuz["crossword:notices"];
  delete ipuz.saved;
  if (!solution) delete ipuz.solution;
  if (letters && entries.size) {
    ipuz.saved = puzzle.ipuz.puzzle.map((row, r) => row.map((_, c) => {
      const cell = puzzle.cells[r * puzzle.width + c];
      if (cell.kind === "void") return null;
      if (cell.kind === "block") return "#";
      const text = cell.given ? "" : entries.get(cell.index)?.text ?? "";
      return text === "0" ? { value: text } : text;
    }));
  }
  return ipuz;
}

/** A short name for a puzzle, the same for the same grid and clues: FNV-1a, 2 × 32 bits. */
export function fingerprint(puzzle) {
  const text = JSON.stringify([
    puzzle.width, puzzle.cells.map((cell) => cell.kind[0]).join(""), puzzle.title,
    puzzle.slots.map((slot) => slot.clue),
  ]);
  const hash = (seed) => {
    let value = seed;
    for (let i = 0; i < text.length; i += 1) {
      value = Math.imul(value ^ text.charCodeAt(i), 16777619) >>> 0;
    }
    return value.toString(36);
  };
  return hash(2166136261) + hash(84696351);
}

export const cellKey = (cell) => `${cell.row},${cell.col}`;
