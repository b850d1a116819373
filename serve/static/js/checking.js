// Check and reveal, by letter, word or grid; and the score when the grid is full. A file without
// a solution is checked against the solver's answers, and the page says so.

import { announce, byId, clock, el, toast } from "./dom.js";
import { sameAnswer } from "./game.js";

export class Checking {
  constructor(solver, timer) {
    this.solver = solver;
    this.timer = timer;
    this.game = null;
  }

  show(game) {
    this.game = game;
    this.wasFull = game.isFull;
    byId("score").hidden = true;
    game.addEventListener("letters", () => this.#ended());
    game.addEventListener("marks", () => this.#drawMarkButton());
    if (game.isFull) this.drawScore();
  }

  #cells(what) {
    const { game } = this;
    if (what === "letter") return [game.cursor.index];
    if (what === "word") return game.slot ? game.slot.cells : [game.cursor.index];
    return game.puzzle.open;
  }

  /** The right letters, or the solver's where the file has none. */
  async #right(cells) {
    const { solution } = this.game.puzzle;
    if (solution) return solution;
    const letters = await this.solver.letters(cells);
    if (letters) toast("This file has no solution: compared with the solver’s answers, which may be wrong.");
    return letters;
  }

  async check(what) {
    const { game } = this;
    const cells = this.#cells(what).filter((index) => game.entries.has(index));
    if (!cells.length) return toast("There is nothing to check yet.");
    const right = await this.#right(cells);
    if (!right || this.game !== game) return;
    const known = cells.filter((index) => right.has(index));
    game.mark(known, (index) => sameAnswer(game.entries.get(index)?.text, right.get(index)));
    const wrong = known.filter((index) => game.marks.get(index) === "wrong").length;
    if (!game.puzzle.solution) return;
    toast(wrong ? `${wrong} ${wrong === 1 ? "letter is" : "letters are"} wrong.` : "All right so far.");
  }

  async reveal(what) {
    const { game } = this;
    const cells = this.#cells(what);
    const right = await this.#right(cells);
    if (!right || this.game !== game) return;
    const changes = cells.filter((index) => right.has(index))
      .filter((index) => game.entries.get(index)?.text !== right.get(index))
      .map((index) => [index, { text: right.get(index), by: "reveal" }]);
    game.set(changes);
    if (!changes.length) toast("Those letters are right already.");
  }

  #ended() {
    const full = this.game.isFull;
    if (full && !this.wasFull) this.drawScore();
    if (full && this.game.score()?.perfect) this.drawScore();
    if (!full) byId("score").hidden = true;
    this.wasFull = full;
  }

  drawScore() {
    const { game } = this;
    const score = game.score();
    const box = byId("score");
    box.hidden = false;
    if (!score) {
      box.className = "score";
      box.replaceChildren(el("p", { class: "score-title" }, "The grid is full."),
        el("p", { class: "muted" }, "This file has no solution to compare with."));
      return;
    }
    const count = (by) => [...game.entries.values()].filter((entry) => entry.by === by).length;
    const helped = count("solver") + count("reveal");
    if (score.perfect) this.timer.end();
    const title = !score.perfect ? "Full, but not quite right"
      : helped === 0 ? "Solved, all by yourself" : "Solved";
    const facts = [
      ["Letters", `${score.letters} of ${score.cells}`],
      ["Words", `${score.words} of ${score.slots}`],
      ["Time", clock(this.timer.seconds)],
    ];
    if (helped) facts.push(["With help", `${helped} ${helped === 1 ? "letter" : "letters"}`]);
    box.className = score.perfect ? "score perfect" : "score";
    box.replaceChildren(...[
      el("p", { class: "score-title" }, title),
      el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
      score.perfect ? null : el("button", { class: "button small", id: "mark-errors", type: "button", onclick: () => this.showErrors() }, "Mark the errors"),
    ].filter(Boolean));
    this.#drawMarkButton();
    // On a phone the grid stays in sight, and a message says what stands below it.
    if (window.matchMedia("(max-width: 759px)").matches) toast(`${title}: ${facts[0][1]} letters.`);
    else box.scrollIntoView({ block: "nearest" });
    announce(`${title}. ${facts.map((fact) => fact.join(": ")).join("; ")}`);
  }

  /** There is nothing left to mark once every wrong letter is. */
  #drawMarkButton() {
    const button = document.getElementById("mark-errors");
    const unmarked = (index) => this.game.marks.get(index) !== "wrong";
    if (button) button.hidden = !this.game.score().wrong.some(unmarked);
  }

  showErrors() {
    const { wrong } = this.game.score();
    this.game.mark(wrong, () => false);
    toast(`${wrong.length} ${wrong.length === 1 ? "letter" : "letters"} marked.`);
  }
}
