// "What the solver thinks": the contents a cell may have, and for both slots through it the
// candidates with their evidence. Follows the cursor once there is a result.

import { answerList } from "./answers.js";
import { byId, el, percent } from "./dom.js";
import { cellKey } from "./puzzle.js";

const MOST = 6;

export class Inspector {
  show(game) {
    this.game = game;
    for (const type of ["cursor", "solver"]) game.addEventListener(type, () => this.draw());
    this.draw();
  }

  draw() {
    const { game } = this;
    const { result, puzzle, cursor } = game;
    byId("inspector").hidden = !result;
    if (!result) return;
    const cell = puzzle.cells[cursor.index];
    const contents = (result.cells[cellKey(cell)] ?? []).slice(0, MOST);
    byId("inspector-cell").replaceChildren(
      el("h4", {}, `Row ${cell.row + 1}, column ${cell.col + 1}`),
      contents.length
        ? el("ul", { class: "letters" }, contents.map(([text, probability]) => {
          const item = el("li", {}, el("b", {}, text), el("span", {}, percent(probability)));
          item.style.setProperty("--share", `${(probability * 100).toFixed(1)}%`);
          return item;
        }))
        : el("p", { class: "muted" }, "No view on this cell."));
    const slots = [game.slot, game.crossing].filter(Boolean);
    const open = new Map([...byId("inspector-slots").querySelectorAll("details.slot")]
      .map((details, i) => [i, details.open]));
    byId("inspector-slots").replaceChildren(...slots.map((slot, i) => {
      const candidates = (result.candidates[slot.name] ?? []).slice(0, MOST);
      return el("details", { class: "slot", open: open.get(i) ?? i === 0 },
        el("summary", {}, `${slot.number} ${slot.direction === "A" ? "Across" : "Down"}`),
        candidates.length
          ? el("ol", { class: "answers" }, answerList(candidates))
          : el("p", { class: "muted" }, "No candidates."));
    }));
  }
}
