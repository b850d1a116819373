// "This clue": candidates for the slot under the cursor, given the letters in the grid. They
// come when asked for, and go when the cursor leaves the clue: no more help than wanted.

import * as api from "./api.js";
import { answerList } from "./answers.js";
import { announce, byId, toast } from "./dom.js";

const LIMIT = 12;

export class Candidates {
  constructor(focusGrid) {
    this.focusGrid = focusGrid;
    this.game = null;
    this.shownFor = "";
    this.pending = null;
    byId("candidates-button").addEventListener("click", () => this.ask());
  }

  show(game) {
    this.game = game;
    this.clear();
    game.addEventListener("cursor", () => this.draw());
    game.addEventListener("letters", () => this.draw());
    this.draw();
  }

  clear() {
    this.pending?.abort();
    this.shownFor = "";
    byId("candidates").replaceChildren();
  }

  draw() {
    const { slot } = this.game;
    const pattern = slot ? this.game.pattern(slot) : "";
    const dots = [...pattern].map((sign) => (sign === "." ? "·" : sign)).join(" ");
    byId("candidates-lead").textContent = slot ? `${slot.name}  ${dots}` : "";
    byId("candidates-button").disabled = !slot;
    if (this.shownFor && this.shownFor !== slot?.name) this.clear();
  }

  async ask() {
    const { slot } = this.game;
    if (!slot) return;
    this.pending?.abort();
    this.pending = new AbortController();
    const button = byId("candidates-button");
    button.setAttribute("aria-busy", "true");
    try {
      const pattern = this.game.pattern(slot);
      const guesses = await api.guess(slot.clue, pattern, LIMIT, this.pending.signal);
      this.shownFor = slot.name;
      byId("candidates").replaceChildren(
        ...answerList(guesses, { onChoose: (guess) => this.enter(slot, guess.answer) }));
      byId("candidates").scrollTop = 0;
      this.#bringIntoSight();
      announce(guesses.length
        ? `${guesses.length} answers for ${slot.name}; the likeliest is ${guesses[0].answer}`
        : "Nothing fits these letters");
    } catch (error) {
      if (error.name !== "AbortError") toast(error.message, "error");
    } finally {
      button.removeAttribute("aria-busy");
    }
  }

  /** On a phone or a tablet the card is below the grid; elsewhere its first answers do. */
  #bringIntoSight() {
    const touch = window.matchMedia("(max-width: 759px), (pointer: coarse)").matches;
    const target = touch ? byId("candidates-card") : byId("candidates").firstElementChild;
    target.scrollIntoView({ block: "nearest" });
  }

  /** Enters an answer; a rebus cell takes as many of its letters as it held. */
  enter(slot, answer) {
    let at = 0;
    const changes = slot.cells.map((index) => {
      const length = this.game.entries.get(index)?.text.length ?? 1;
      const text = answer.slice(at, at + length);
      at += length;
      return [index, this.game.written(text)];
    });
    const kept = ([index, { text }]) => this.game.entries.get(index)?.text !== text;
    this.game.set(changes.filter(kept));
    this.focusGrid();
  }
}
