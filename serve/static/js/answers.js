// A ranked list of answers: letters, a bar for the probability, the evidence on demand.

import { el, percent } from "./dom.js";

/** An item of the list; `onChoose` makes the answer itself a button. */
export function answerItem(guess, { onChoose = null, spelled = guess.answer } = {}) {
  const bar = el("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", `${(guess.probability * 100).toFixed(1)}%`);
  const word = onChoose
    ? el("button", { type: "button", class: "answer-word", title: "Enter this answer", onclick: () => onChoose(guess) }, spelled)
    : el("span", { class: "answer-word" }, spelled);
  const head = el("div", { class: "answer-head" }, word,
    el("span", { class: "answer-share" }, percent(guess.probability)), bar);
  const evidence = (guess.evidence ?? []).slice(0, 8);
  if (!evidence.length) return el("li", { class: "answer" }, head);
  const details = el("details", { class: "evidence" },
    el("summary", {}, el("span", { class: "visually-hidden" }, `Why ${guess.answer}? `), "why"),
    el("ul", {}, evidence.map((line) => el("li", {}, line))));
  return el("li", { class: "answer" }, head, details);
}

/** The whole list, and a last line for what the list leaves out. */
export function answerList(guesses, options = {}) {
  if (!guesses.length) {
    return [el("li", { class: "answer none" }, "Nothing fits these letters. Is one of them wrong?")];
  }
  const items = guesses.map((guess) => answerItem(guess, options));
  const rest = 1 - guesses.reduce((sum, guess) => sum + guess.probability, 0);
  if (rest > 0.02) {
    items.push(el("li", { class: "answer rest" }, `something else: ${percent(Math.min(1, rest))}`));
  }
  return items;
}
