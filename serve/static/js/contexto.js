// The Contexto helper: the words tried with the ranks the game gave, and what to try next.

import * as api from "./api.js";
import { byId, el, percent } from "./dom.js";
import { load, store } from "./storage.js";

const KEY = "crossword:contexto";

export function contextoHelper() {
  const root = byId("contexto");
  const saved = load(KEY, {});
  let history = Array.isArray(saved.history) ? saved.history.filter((turn) => typeof turn?.word === "string" && Number.isInteger(turn.rank)) : [];
  let refused = Array.isArray(saved.refused) ? saved.refused.filter((word) => typeof word === "string") : [];
  const word = el("input", { type: "text", id: "contexto-word", maxlength: 40, autocomplete: "off", spellcheck: "false" });
  const rank = el("input", { type: "number", id: "contexto-rank", min: 1, max: 10000000, inputmode: "numeric" });
  const status = el("p", { class: "muted", role: "status", id: "contexto-status" });
  const tried = el("ol", { class: "tried", id: "contexto-tried", "aria-label": "Words tried, closest first" });
  const next = el("ol", { class: "proposals", id: "contexto-proposals", "aria-label": "Words to try" });
  let pending = null;

  const ask = async () => {
    pending?.abort();
    pending = new AbortController();
    store(KEY, { history, refused });
    tried.replaceChildren(...[...history].sort((a, b) => a.rank - b.rank).map((turn) => el("li", {},
      el("b", {}, turn.word), el("span", {}, turn.rank.toLocaleString("en")),
      el("button", { type: "button", class: "card-remove", onclick: () => { history = history.filter((other) => other !== turn); ask(); } },
        el("span", { "aria-hidden": "true" }, "×"), el("span", { class: "visually-hidden" }, `Remove ${turn.word}`)))));
    if (history.some((turn) => turn.rank === 1)) {
      next.replaceChildren();
      status.textContent = `Found, in ${history.length} ${history.length === 1 ? "word" : "words"}.`;
      return;
    }
    status.textContent = "Thinking…";
    try {
      const { proposals } = await api.contextoSuggest({ history, refused, count: 8 }, pending.signal);
      status.textContent = history.length ? "Try one of these next:" : "Good words to begin with:";
      next.replaceChildren(...proposals.map((proposal) => el("li", {},
        el("button", { type: "button", class: "word-button", onclick: () => { word.value = proposal.word; rank.focus(); } }, proposal.word),
        el("span", { class: "muted" }, proposal.probability === null ? "" : percent(proposal.probability)),
        el("button", { type: "button", class: "link", onclick: () => { refused = [...refused, proposal.word]; ask(); } },
          "not known", el("span", { class: "visually-hidden" }, `: ${proposal.word}`)))));
    } catch (error) {
      if (error.name === "AbortError") return;
      status.textContent = error.message;
      next.replaceChildren();
    }
  };

  const form = el("form", { class: "stack" },
    el("div", { class: "pair" },
      el("label", {}, "Word", word), el("label", {}, "Its rank", rank)),
    el("div", { class: "row" },
      el("button", { class: "button primary" }, "Add"),
      el("button", { class: "button", type: "button", onclick: () => { history = []; refused = []; ask(); word.focus(); } }, "New game")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = word.value.trim().toLowerCase();
    const place = Number(rank.value);
    if (!text || !Number.isInteger(place) || place < 1) {
      status.textContent = "Write a word you tried and the rank the game gave it.";
      return;
    }
    history = [...history.filter((turn) => turn.word !== text), { word: text, rank: place }].slice(-500);
    word.value = rank.value = "";
    word.focus();
    ask();
  });
  root.replaceChildren(
    el("p", { class: "muted" }, "Contexto ranks every word by how near it is in meaning to the hidden one; rank 1 is the word."),
    el("div", { class: "game-columns" }, el("div", {}, form, tried), el("div", {}, status, next)));
  return ask;
}
