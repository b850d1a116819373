// The second tab: a clue and a pattern, answers as you type. Each keystroke puts the question
// off a little and drops the one before, so the list is always that of what is written.

import * as api from "./api.js";
import { answerList } from "./answers.js";
import { byId, debounced } from "./dom.js";

const WAIT = 220; // milliseconds, about a typist's pause
const LIMIT = 20;

/** "b?..n", "5" or "(5)" as a pattern; "" where it is none. */
export function toPattern(text) {
  const bare = text.trim().toUpperCase();
  const count = /^\(?(\d{1,2})\)?$/.exec(bare);
  if (count) return ".".repeat(Math.min(60, Number(count[1])));
  const signs = bare.replace(/[?_*·]/g, ".").replace(/[\s'’-]/g, "");
  return /^[A-Z.]{1,60}$/.test(signs) ? signs : "";
}

/** The letter count that British clues end in: "Deck (5)" → 5, "Old hand (3,5)" → 8. */
export function countIn(clue) {
  const found = /\((\d{1,2}(?:[,\-\s]+\d{1,2})*)\)\s*$/.exec(clue);
  if (!found) return 0;
  return found[1].match(/\d+/g).reduce((sum, part) => sum + Number(part), 0);
}

export function loneClue() {
  const clue = byId("lone-clue");
  const pattern = byId("lone-pattern");
  const status = byId("lone-status");
  const list = byId("lone-answers");
  let pending = null;

  const ask = async () => {
    pending?.abort();
    const written = clue.value.trim();
    const wanted = toPattern(pattern.value) || ".".repeat(Math.min(60, countIn(written)));
    if (!written || !wanted) {
      list.replaceChildren();
      if (pattern.value.trim() && !wanted) status.textContent = "A pattern has letters and dots, like B...N.";
      else status.textContent = written ? "How many letters? Write a pattern, or end the clue with (5)." : "";
      return;
    }
    pending = new AbortController();
    try {
      const guesses = await api.guess(written, wanted, LIMIT, pending.signal);
      list.replaceChildren(...answerList(guesses));
      status.textContent = guesses.length
        ? `${wanted.length} letters · ${guesses.length} answers, the likeliest first`
        : "";
    } catch (error) {
      if (error.name === "AbortError") return;
      list.replaceChildren();
      status.textContent = error.message;
    }
  };
  const later = debounced(ask, WAIT);
  clue.addEventListener("input", later);
  pattern.addEventListener("input", later);
  byId("lone-form").addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
}
