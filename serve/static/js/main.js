// The page's joints: makes the parts, starts games, routes keys, saves.

import { Candidates } from "./candidates.js";
import { Checking } from "./checking.js";
import { ClueView } from "./clueview.js";
import { contextoHelper } from "./contexto.js";
import { byId, debounced, toast } from "./dom.js";
import { exportAs } from "./exporting.js";
import { Game } from "./game.js";
import { GridView } from "./gridview.js";
import { Inspector } from "./inspector.js";
import { buildKeyboard, cycleRegions, press, rebusEntry } from "./keys.js";
import { loneClue } from "./loneclue.js";
import { menuButton, tabList } from "./menus.js";
import { Opening } from "./opening.js";
import { cleanLetters, fingerprint, parsePuzzle } from "./puzzle.js";
import { whenReady } from "./readiness.js";
import { decode, Sharing } from "./sharing.js";
import { Solver } from "./solver.js";
import { savedGame, saveGame } from "./storage.js";
import { Timer } from "./timer.js";
import { wordleHelper, wordleReview } from "./wordle.js";

let game = null;
let gameId = "";

const grid = new GridView(byId("grid"));
const focusGrid = () => grid.focus();
const timer = new Timer((paused) => {
  byId("paused").hidden = !paused;
  byId("grid-frame").classList.toggle("is-paused", paused);
  byId("grid").inert = paused;
  if (paused) byId("resume-button").focus();
  else if (game && !byId("play").hidden) focusGrid();
});
const solver = new Solver(grid);
const checking = new Checking(solver, timer);
const clues = new ClueView(focusGrid);
const candidates = new Candidates(focusGrid);
const inspector = new Inspector();
const sharing = new Sharing();
const opening = new Opening(openPuzzle, resume);

/** Starts a puzzle, or carries on with it where this browser has letters for it. */
function openPuzzle(ipuz) {
  let puzzle;
  try {
    puzzle = parsePuzzle(ipuz);
  } catch (error) {
    return toast(error.message, "error");
  }
  const id = fingerprint(puzzle);
  const saved = savedGame(id);
  const fromFile = [...puzzle.saved].map(([index, text]) => [index, { text, by: "you" }]);
  const entries = fromFile.length ? new Map(fromFile) : savedEntries(saved, puzzle);
  start(puzzle, id, entries, fromFile.length ? 0 : Number(saved?.seconds) || 0);
  if (!fromFile.length && entries.size) toast("Carrying on where you left off.");
  else if (puzzle.notices.length) toast(`About this file: ${puzzle.notices.join("; ")}.`);
}

function resume(id) {
  const saved = savedGame(id);
  if (saved?.ipuz) openPuzzle(saved.ipuz);
  else toast("That game is no longer stored.", "error");
}

/** What is stored is read as carefully as a file: other pages of this server may have written it. */
function savedEntries(saved, puzzle) {
  const entries = new Map();
  for (const triple of Array.isArray(saved?.entries) ? saved.entries : []) {
    const [index, text, by] = Array.isArray(triple) ? triple : [];
    const letters = cleanLetters(text ?? "");
    if (puzzle.cells[index]?.kind === "open" && letters) {
      if (by === "pencil") entries.set(index, { text: letters, by: "you", pencil: true });
      else entries.set(index, { text: letters, by: ["solver", "reveal"].includes(by) ? by : "you" });
    }
  }
  return entries;
}

function start(puzzle, id, entries, seconds) {
  game = new Game(puzzle, entries);
  gameId = id;
  byId("start").hidden = true;
  byId("play").hidden = false;
  document.body.classList.add("playing");
  byId("puzzle-title").textContent = puzzle.title;
  byId("puzzle-byline").textContent = [puzzle.author && `by ${puzzle.author}`, puzzle.copyright].filter(Boolean).join(" · ");
  byId("notes").textContent = puzzle.notes;
  byId("notes").hidden = !puzzle.notes;
  document.title = `${puzzle.title} · Crossword`;
  showTab("view-puzzle");
  timer.start(seconds, game.score()?.perfect ?? false);
  for (const part of [grid, clues, candidates, solver, inspector, checking]) part.show(game);
  game.addEventListener("letters", () => { drawUndo(); saveSoon(); });
  game.addEventListener("pencil", () => {
    drawPencil();
    toast(game.pencil ? "Pencil: for letters you are not sure of." : "Pen.");
  });
  drawUndo();
  drawPencil();
  save();
  focusGrid();
}

function drawUndo() {
  byId("undo-button").disabled = !game.done.length;
  byId("redo-button").disabled = !game.undone.length;
}

function drawPencil() {
  byId("pencil-button").setAttribute("aria-pressed", String(game.pencil));
}

function save() {
  if (!game) return;
  const { puzzle } = game;
  const ipuz = { ...puzzle.ipuz };
  delete ipuz.saved;
  const summary = {
    title: puzzle.title, width: puzzle.width, height: puzzle.height,
    filled: game.entries.size, cells: puzzle.open.length,
    seconds: Math.round(timer.seconds), done: game.score()?.perfect ?? false,
  };
  const entries = [...game.entries].filter(([, entry]) => entry.by !== "given")
    .map(([index, { text, by, pencil }]) => (pencil ? [index, text, "pencil"] : [index, text, by]));
  saveGame(gameId, summary, { ipuz, entries, seconds: timer.seconds });
}
const saveSoon = debounced(save, 400);
window.addEventListener("pagehide", save);
window.addEventListener("afterprint", () => document.body.classList.remove("blank"));
document.addEventListener("visibilitychange", save);

function close() {
  save();
  solver.stop();
  game = null;
  byId("play").hidden = true;
  byId("start").hidden = false;
  document.body.classList.remove("playing");
  document.title = "Crossword: solve, or watch it being solved";
  history.replaceState(null, "", location.pathname);
  opening.draw();
  byId("pick-button").focus();
}

const openRebus = () => rebusEntry(game, grid.elements[game.cursor.index], focusGrid);

function onKey(event) {
  if (!game || byId("view-puzzle").hidden || byId("play").hidden || event.defaultPrevented) return;
  if (document.querySelector("dialog[open]") || event.altKey || event.isComposing) return;
  if (event.key === "F6" && cycleRegions(event.shiftKey)) return event.preventDefault();
  const control = event.ctrlKey || event.metaKey;
  const inGrid = byId("grid").contains(event.target);
  const undoes = control && /^[zy]$/i.test(event.key) && !event.target.matches("input[type=text], textarea");
  if (control && event.key === "Enter") {
    candidates.ask();
    return event.preventDefault();
  }
  // With the focus on nothing the keys still go to the grid: a click beside it loses no letter.
  if (!(inGrid || undoes || event.target === document.body) || timer.paused) return;
  if (event.target === document.body && event.key === "Tab") return;
  if (solver.running && !control && /^([a-z0-9]|Backspace|Delete)$/i.test(event.key)) {
    toast("The solver is at work: stop it to type.");
    return event.preventDefault();
  }
  if (press(game, event.key, { shift: event.shiftKey, control }, openRebus)) {
    event.preventDefault();
    if (event.target === document.body) focusGrid();
  }
}
document.addEventListener("keydown", onKey);

buildKeyboard(byId("keyboard"), (key) => {
  if (!game || timer.paused || solver.running) return;
  if (key === "Suggest") candidates.ask();
  else press(game, key, {}, openRebus);
});
byId("pencil-button").addEventListener("click", () => { game.usePencil(!game.pencil); focusGrid(); });
byId("undo-button").addEventListener("click", () => game.undo());
byId("redo-button").addEventListener("click", () => game.redo());

const each = (action) => ["letter", "word", "grid"].map((what) =>
  [what[0].toUpperCase() + what.slice(1), async () => { await action(what); focusGrid(); }]);
menuButton(byId("check-menu"), each((what) => checking.check(what)));
menuButton(byId("reveal-menu"), each((what) => checking.reveal(what)));
menuButton(byId("file-menu"), [
  ["Open a file…", () => opening.pick()],
  ["Paste a puzzle…", () => opening.askForText()],
  ["Examples and saved games", close],
  null,
  ["Export as .puz", () => exportAs(game, "puz")],
  ["Export as .ipuz", () => exportAs(game, "ipuz")],
  ["Export as .jpz", () => exportAs(game, "jpz")],
  ["Export as .xd", () => exportAs(game, "xd")],
  ["Share as a link…", () => sharing.ask(game)],
  ["Print", () => window.print()],
  ["Print a blank grid", () => { document.body.classList.add("blank"); window.print(); }],
  null,
  ["Pencil on or off", () => { game.usePencil(!game.pencil); focusGrid(); }],
  ["Clear the grid", () => { game.clear([...game.entries.keys()]); game.think(new Map(), null); focusGrid(); }],
]);

const asked = { wordle: null, contexto: null };
const showGame = tabList(document.querySelector(".subtabs"), (panel) => {
  if (byId("view-games").hidden) return;
  if (panel === "wordle") asked.wordle();
  if (panel === "contexto") asked.contexto();
});
const showTab = tabList(document.querySelector(".tabs"), (panel) => {
  document.body.dataset.view = panel;
  if (panel === "view-games") showGame(document.querySelector(".subtabs [aria-selected=true]").getAttribute("aria-controls"));
});

const THEMES = { light: "dark", dark: "light" };
function drawTheme() {
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  byId("theme-label").textContent = `Use the ${THEMES[now]} theme`;
  return now;
}
byId("theme-button").addEventListener("click", () => {
  const next = THEMES[drawTheme()];
  document.documentElement.dataset.theme = next;
  try { localStorage.setItem("crossword:theme", next); } catch { /* it holds until the page is left */ }
  drawTheme();
});
byId("keys-button").addEventListener("click", () => byId("keys-dialog").showModal());

async function openLink() {
  try {
    const ipuz = await decode(location.hash);
    // Through the server's reader: a link may hold any ipuz, or anything at all.
    if (ipuz) await opening.text(JSON.stringify(ipuz));
  } catch (error) {
    toast(error.message, "error");
  }
}
window.addEventListener("hashchange", openLink);

drawTheme();
loneClue();
asked.wordle = wordleHelper();
wordleReview();
asked.contexto = contextoHelper();
showTab("view-puzzle");
opening.draw();
openLink();
whenReady();
document.body.dataset.ready = "true";
