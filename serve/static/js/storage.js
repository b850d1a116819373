// Autosave in the browser: one record a puzzle, and a list of the latest. A browser that keeps
// nothing (private windows, a full store) costs the reader the saving, not the page.

const PREFIX = "crossword:game:";
const LIST = "crossword:recent";
const KEPT = 24; // puzzles; the oldest goes first

export function load(key, otherwise = null) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function store(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** The puzzles in play, latest first: `{id, title, author, filled, cells, seconds, done}`. */
export function recent() {
  const list = load(LIST, []);
  return Array.isArray(list) ? list.filter((entry) => entry && typeof entry.id === "string") : [];
}

export const savedGame = (id) => load(PREFIX + id);

/** Saves a game; when the store is full the oldest puzzles make room. */
export function saveGame(id, summary, record) {
  const list = [{ id, ...summary }, ...recent().filter((entry) => entry.id !== id)];
  for (const old of list.splice(KEPT)) forget(old.id);
  while (!store(PREFIX + id, record)) {
    const oldest = list.length > 1 ? list.pop() : null;
    if (!oldest) return false;
    forget(oldest.id);
  }
  return store(LIST, list);
}

export function removeGame(id) {
  forget(id);
  store(LIST, recent().filter((entry) => entry.id !== id));
}

function forget(id) {
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {
    // Nothing is stored, so nothing is to be removed.
  }
}
