// The Wordle helper: type the words you guessed, click their tiles to the colours you got, and
// read what to try next. The review looks at a finished game turn by turn.

import * as api from "./api.js";
import { byId, debounced, el } from "./dom.js";

const TURNS = 6;
const COLOURS = ["grey", "yellow", "green"];

const shown = (number) => (number < 10 ? number.toFixed(1) : Math.round(number).toLocaleString("en"));

export function wordleHelper() {
  const root = byId("wordle");
  const turns = Array.from({ length: TURNS }, () => ({ word: "", reply: [0, 0, 0, 0, 0] }));
  const hard = el("input", { type: "checkbox", id: "wordle-hard" });
  const status = el("p", { class: "muted", role: "status", id: "wordle-status" });
  const table = el("div", { id: "wordle-suggestions" });
  let pending = null;

  const ask = async () => {
    pending?.abort();
    pending = new AbortController();
    const history = turns.filter(({ word }) => word.length === 5)
      .map(({ word, reply }) => ({ word: word.toLowerCase(), reply: reply.join("") }));
    status.textContent = "Thinking…";
    try {
      const advice = await api.wordleSuggest({ history, count: 10, hard: hard.checked }, pending.signal);
      const board = advice.boards[0];
      const solved = history.some(({ reply }) => reply === "22222");
      status.textContent = solved ? "Solved."
        : board.count === 0 ? "No answer fits: is a colour wrong?"
          : `${board.count.toLocaleString("en")} ${board.count === 1 ? "answer remains" : "answers remain"}`
            + (board.count > 1 && board.count <= 12 ? `: ${board.words.join(", ")}` : "");
      table.replaceChildren(solved || !board.count ? "" : suggestionTable(advice.suggestions, choose));
    } catch (error) {
      if (error.name === "AbortError") return;
      status.textContent = error.message;
      table.replaceChildren();
    }
  };
  const later = debounced(ask, 250);

  const rows = turns.map((turn, number) => {
    const input = el("input", {
      class: "guess-word", type: "text", maxlength: 5, spellcheck: "false", autocomplete: "off",
      "aria-label": `Guess ${number + 1}`, placeholder: number === 0 ? "guess" : "",
    });
    const tiles = turn.reply.map((_, place) => {
      const tile = el("button", { type: "button", class: "tile", disabled: true });
      tile.addEventListener("click", () => {
        turn.reply[place] = (turn.reply[place] + 1) % 3;
        draw();
        later();
      });
      return tile;
    });
    const draw = () => {
      tiles.forEach((tile, place) => {
        const letter = turn.word[place] ?? "";
        const full = turn.word.length === 5;
        tile.disabled = !full;
        tile.textContent = letter;
        tile.dataset.colour = full ? COLOURS[turn.reply[place]] : "";
        tile.setAttribute("aria-label",
          letter ? `${letter}, letter ${place + 1} of guess ${number + 1}: ${COLOURS[turn.reply[place]]}` : `letter ${place + 1} of guess ${number + 1}`);
      });
    };
    input.addEventListener("input", () => {
      const before = turn.word;
      turn.word = input.value.toUpperCase().replace(/[^A-Z]/g, "").slice(0, 5);
      input.value = turn.word;
      if (turn.word !== before) turn.reply.fill(0);
      draw();
      if (turn.word.length === 5 || before.length === 5) later();
    });
    draw();
    turn.fill = (word) => {
      input.value = word.toUpperCase();
      input.dispatchEvent(new Event("input"));
      tiles[0].focus();
    };
    return el("div", { class: "guess-row" }, input, el("div", { class: "tiles", role: "group", "aria-label": `Colours of guess ${number + 1}` }, tiles));
  });

  /** A suggestion that is clicked becomes the next guess. */
  const choose = (word) => turns.find((turn) => !turn.word)?.fill(word);

  hard.addEventListener("change", ask);
  root.replaceChildren(
    el("p", { class: "muted" }, "Type each guess, then click its tiles until they have the colours you got."),
    el("div", { class: "game-columns" },
      el("div", {}, rows,
        el("label", { class: "check" }, hard, " Hard mode: use every hint")),
      el("div", {}, status, table)));
  return ask;
}

function suggestionTable(suggestions, choose) {
  // Best first: by the guesses to the end where they are known, else by what remains.
  const known = suggestions.some((entry) => entry.expected_guesses !== null);
  const head = ["Try", ...(known ? ["guesses"] : []), "leaves", "at worst", "bits"];
  return el("table", { class: "figures" },
    el("thead", {}, el("tr", {}, head.map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", {}, suggestions.map((entry) => el("tr", {},
      el("th", { scope: "row" },
        el("button", { type: "button", class: "word-button", title: "Make this the next guess", onclick: () => choose(entry.word) }, entry.word.toUpperCase()),
        entry.may_be_answer ? el("span", { class: "may-be", title: "May be the answer" }, " ●", el("span", { class: "visually-hidden" }, " may be the answer")) : null),
      known ? el("td", {}, entry.expected_guesses?.toFixed(2) ?? "") : null,
      el("td", {}, shown(entry.expected_remaining)),
      el("td", {}, String(entry.worst_remaining)),
      el("td", {}, entry.bits.toFixed(2))))));
}

export function wordleReview() {
  const root = byId("review");
  const guesses = el("textarea", { rows: 6, id: "review-guesses", spellcheck: "false", placeholder: "crane\nsloth" });
  const answer = el("input", { type: "text", id: "review-answer", maxlength: 5, spellcheck: "false", autocomplete: "off", placeholder: "sloth" });
  const status = el("p", { class: "muted", role: "status" });
  const report = el("div", { id: "review-report" });
  const form = el("form", { class: "stack" },
    el("label", { for: "review-guesses" }, "Your guesses, one a line"), guesses,
    el("label", { for: "review-answer" }, "The answer"), answer,
    el("div", { class: "row" }, el("button", { class: "button primary" }, "Review the game")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const words = guesses.value.toLowerCase().match(/[a-z]+/g) ?? [];
    const target = answer.value.trim().toLowerCase() || words.at(-1) || "";
    if (!words.length) {
      status.textContent = "Write the guesses of a game first.";
      return;
    }
    status.textContent = "Looking at the game…";
    report.replaceChildren();
    try {
      const review = await api.wordleReview({ guesses: words.slice(0, 32), answer: target });
      status.textContent = "";
      report.replaceChildren(reviewReport(review));
    } catch (error) {
      status.textContent = error.message;
    }
  });
  root.replaceChildren(el("div", { class: "game-columns" }, form, el("div", {}, status, report)));
}

function reviewReport(review) {
  const tiles = (word, reply) => el("span", { class: "tiles small" }, [...word].map((letter, i) =>
    el("span", { class: "tile", "data-colour": COLOURS[Number(reply[i])] ?? "grey" }, letter.toUpperCase(),
      el("span", { class: "visually-hidden" }, ` ${COLOURS[Number(reply[i])] ?? ""} `))));
  const turns = review.turns.map((turn, i) => el("li", { class: "turn" },
    tiles(turn.guess.word, turn.reply),
    el("div", {},
      el("p", {}, `${turn.before.toLocaleString("en")} possible → ${/^2+$/.test(turn.reply) ? "found" : turn.remained.toLocaleString("en")}`,
        turn.best.word === turn.guess.word ? ", the best guess there was" : `; ${turn.best.word.toUpperCase()} would leave ${shown(turn.best.expected_remaining)}, yours ${shown(turn.guess.expected_remaining)}`),
      meter("Skill", turn.skill, i), meter("Luck", turn.luck, i))));
  return el("div", {},
    el("p", { class: "score-title" }, `${review.solved ? "Solved" : "Not solved"}: ${review.answer.toUpperCase()} · skill ${Math.round(review.skill)}, luck ${Math.round(review.luck)}`),
    el("ol", { class: "turns" }, turns),
    el("h4", {}, "The path the solver takes"),
    el("ol", { class: "path" }, review.best_path.map((step) => el("li", {}, tiles(step.word, step.reply)))));
}

function meter(name, value, turn) {
  return el("div", { class: "meter" }, el("span", {}, name),
    el("meter", { min: 0, max: 100, value, "aria-label": `${name} of guess ${turn + 1}` }),
    el("span", {}, String(Math.round(value))));
}
