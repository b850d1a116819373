// The solver at work: a live solve that fills the grid as it thinks, "fill what you're sure of",
// and the answers it gives where a file has no solution.

import * as api from "./api.js";
import { announce, byId, percent, toast } from "./dom.js";
import { cellKey } from "./puzzle.js";

const MOST_SECONDS = 60; // one who watches can stop it; the server may allow less

export class Solver {
  constructor(grid) {
    this.grid = grid;
    this.game = null;
    this.running = null;
    this.basis = ""; // the letters that the last result was made with
    byId("solve-button").addEventListener("click", () => this.solveAll());
    byId("sure-button").addEventListener("click", () => this.fillSure());
    byId("stop-button").addEventListener("click", () => this.stop());
    byId("sure").addEventListener("input", () => this.drawSlider());
    byId("show-tint").addEventListener("change", (event) => {
      grid.tinted = event.target.checked;
      grid.draw(this.game.puzzle.open);
    });
  }

  show(game) {
    this.stop();
    this.game = game;
    this.basis = "";
    game.addEventListener("solver", () => { byId("legend").hidden = !game.confidence.size; });
    byId("legend").hidden = true;
    this.drawSlider();
  }

  stop() {
    this.running?.abort();
  }

  get threshold() {
    return Number(byId("sure").value) / 100;
  }

  drawSlider() {
    const input = byId("sure");
    byId("sure-value").textContent = `${input.value}%`;
    input.setAttribute("aria-valuetext", `${input.value} per cent`);
    const note = byId("solver-note");
    const result = this.game?.result;
    note.hidden = !result;
    if (!result) return;
    const sure = this.#cells(result).filter(({ probability }) => probability >= this.threshold).length;
    const seconds = result.statistics?.seconds;
    note.textContent = `At ${input.value}%, the solver is sure of ${sure} of ${this.game.puzzle.open.length} cells`
      + (seconds ? `; it took ${seconds.toFixed(1)} s.` : ".");
  }

  /** Letters the solver must keep: given ones always, the reader's own in pen if they say so. */
  #locked() {
    const mine = byId("keep-mine").checked;
    const letters = {};
    for (const [index, { text, by, pencil }] of this.game.entries) {
      if (by === "given" || by === "reveal" || (mine && by === "you" && !pencil)) {
        letters[cellKey(this.game.puzzle.cells[index])] = text;
      }
    }
    return letters;
  }

  /** For each cell what the solver would enter, and how sure it is. */
  #cells(result) {
    const { width } = this.game.puzzle;
    return Object.entries(result.fill).map(([key, text]) => {
      const [row, col] = key.split(",").map(Number);
      const found = (result.cells[key] ?? []).find(([content]) => content === text);
      return { index: row * width + col, text, probability: found ? found[1] : 0 };
    }).filter(({ index }) => this.game.puzzle.cells[index]?.kind === "open");
  }

  /** Runs a solve, with the grid showing it if `live`; null where it was stopped. */
  async run(live) {
    const { game } = this;
    const letters = this.#locked();
    const basis = JSON.stringify(letters);
    if (game.result && basis === this.basis) return game.result;
    this.stop();
    const running = new AbortController();
    this.running = running;
    this.#working(true);
    if (live) byId("board").scrollIntoView({ block: "nearest" }); // on a phone it is far up
    try {
      const ipuz = { ...game.puzzle.ipuz };
      delete ipuz.saved;
      // The server scores and never shows the solution to a solver; it need not have it at all.
      delete ipuz.solution;
      delete ipuz["crossword:notices"];
      const result = await api.solve({ puzzle: ipuz, letters, seconds: MOST_SECONDS }, (progress) => {
        if (this.game === game && !running.signal.aborted) this.#progress(progress, live);
      }, running.signal, () => { byId("watch-stage").textContent = "Waiting for the server…"; });
      if (this.game !== game) return null;
      this.basis = basis;
      return result;
    } catch (error) {
      if (error.name === "AbortError") announce("Stopped");
      else toast(error.message, "error");
      return null;
    } finally {
      if (this.running === running) {
        this.running = null;
        this.#working(false);
        this.grid.preview = null;
        this.grid.draw(this.game.puzzle.open);
      }
    }
  }

  #working(on) {
    byId("watch").hidden = !on;
    byId("clue-bar").hidden = on;
    byId("grid").classList.toggle("solving", on);
    byId("watch-stage").textContent = "Thinking about the clues…";
    byId("watch-bar").removeAttribute("value");
    for (const id of ["solve-button", "sure-button"]) byId(id).disabled = on;
    if (on) announce("The solver is at work");
  }

  #progress({ fill, confidence, stage, fraction }, live) {
    byId("watch-stage").textContent = stageName(stage);
    if (fraction > 0) byId("watch-bar").value = Math.min(1, fraction);
    if (!live) return;
    const { puzzle, entries } = this.game;
    const preview = new Map();
    const sure = new Map();
    for (const [key, text] of Object.entries(fill)) {
      const [row, col] = key.split(",").map(Number);
      const index = row * puzzle.width + col;
      if (puzzle.cells[index]?.kind !== "open") continue;
      if (entries.get(index)?.text !== text) preview.set(index, text);
      sure.set(index, confidence[key] ?? 0);
    }
    this.grid.preview = preview;
    this.game.think(sure);
  }

  async solveAll() {
    const before = this.game.confidence;
    const { game } = this;
    const result = await this.run(true);
    if (!result) {
      if (this.game === game && !this.running) game.think(before);
      return;
    }
    this.#enter(result, 0);
    // Who has had it solved has no more to find out: what is wrong is marked at once.
    if (game.isFull) game.mark(game.score()?.wrong ?? [], () => false);
    const { status } = result;
    const how = status === "solved" ? "Solved" : status === "timeout" ? "Out of time: this is as far as it got" : "Filled as far as it goes";
    announce(how);
    if (status !== "solved") toast(`${how}.`);
  }

  async fillSure() {
    const result = await this.run(false);
    if (!result) return;
    const count = this.#enter(result, this.threshold);
    const text = count
      ? `${count} ${count === 1 ? "cell" : "cells"} filled, each at least ${percent(this.threshold)} sure`
      : `No blank cell is at least ${percent(this.threshold)} sure`;
    toast(text);
  }

  /** Enters what is at least as sure as `least`. The reader's letters stay, if they are to. */
  #enter(result, least) {
    const mine = byId("keep-mine").checked;
    const changes = [];
    const sure = new Map();
    for (const { index, text, probability } of this.#cells(result)) {
      const entry = this.game.entries.get(index);
      const free = !entry || entry.by === "solver" || (entry.by === "you" && (entry.pencil || !mine));
      if (!free) continue;
      if (probability < least) {
        // An earlier solver letter that is no longer sure goes; the reader's never.
        if (entry?.by === "solver") changes.push([index, null]);
        continue;
      }
      sure.set(index, probability);
      if (entry?.text === text && entry.by === "solver") continue;
      changes.push([index, { text, by: "solver" }]);
    }
    this.game.set(changes);
    this.game.think(sure, result);
    this.drawSlider();
    return changes.filter(([, entry]) => entry).length;
  }

  /** The solver's letters for these cells, solving first if need be. */
  async letters(cells) {
    const result = await this.run(false);
    if (!result) return null;
    this.game.think(this.game.confidence, result);
    this.drawSlider();
    const wanted = new Set(cells);
    return new Map(this.#cells(result).filter(({ index }) => wanted.has(index))
      .map(({ index, text }) => [index, text]));
  }
}

const STAGES = {
  guess: "Thinking about the clues…", guessing: "Thinking about the clues…",
  belief: "Weighing crossings…", propagation: "Weighing crossings…",
  search: "Trying combinations…", refine: "Second thoughts…", repair: "Second thoughts…",
};

function stageName(stage) {
  const known = Object.keys(STAGES).find((name) => String(stage).toLowerCase().startsWith(name));
  return known ? STAGES[known] : `${String(stage).slice(0, 1).toUpperCase()}${String(stage).slice(1, 60)}…`;
}
