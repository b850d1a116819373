// Ways to open a puzzle: a dropped or chosen file, pasted text, a shipped example, a saved game,
// a link. Every file goes through the server's reader, so all formats come in by one door.

import * as api from "./api.js";
import { byId, clock, el, toast } from "./dom.js";
import { recent, removeGame } from "./storage.js";

const MAX_FILE = 8_000_000; // bytes; the server has its own limit, this one spares the upload

export class Opening {
  /** `open(ipuz)` starts a game; `resume(id)` carries on with a saved one. */
  constructor(open, resume) {
    this.open = open;
    this.resume = resume;
    const input = byId("file-input");
    byId("pick-button").addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      if (input.files[0]) this.file(input.files[0]);
      input.value = "";
    });
    byId("paste-button").addEventListener("click", () => this.askForText());
    this.#listenForDrops();
    document.addEventListener("paste", (event) => this.#pasted(event));
  }

  pick() {
    byId("file-input").click();
  }

  askForText() {
    const dialog = byId("paste-dialog");
    const text = byId("paste-text");
    text.value = "";
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "open" && text.value.trim()) this.text(text.value);
    }, { once: true });
    dialog.returnValue = "";
    dialog.showModal();
  }

  #listenForDrops() {
    const veil = byId("drop-veil");
    const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    document.addEventListener("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      veil.hidden = false;
    });
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) veil.hidden = true;
    });
    document.addEventListener("drop", (event) => {
      veil.hidden = true;
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer.files[0]) this.file(event.dataTransfer.files[0]);
    });
  }

  #pasted(event) {
    if (event.target.closest?.("input, textarea, dialog")) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (file) this.file(file);
    else if (text.length > 40) this.text(text);
  }

  async file(file) {
    if (file.size > MAX_FILE) return toast(`${file.name} is too large for a puzzle.`, "error");
    await this.#read(file, file.name);
  }

  async text(text) {
    await this.#read(new Blob([text]), "pasted");
  }

  async #read(body, name) {
    document.body.setAttribute("aria-busy", "true");
    try {
      this.open(await api.read(body, name.slice(0, 120)));
    } catch (error) {
      toast(error.message, "error");
    } finally {
      document.body.removeAttribute("aria-busy");
    }
  }

  async example(name) {
    try {
      this.open(await api.example(name));
    } catch (error) {
      toast(error.message, "error");
    }
  }

  /** The start screen's two lists. */
  async draw() {
    this.#drawRecent();
    const list = byId("examples");
    if (list.childElementCount) return;
    try {
      const found = await api.examples();
      found.sort((a, b) => a.width * a.height - b.width * b.height);
      list.replaceChildren(...found.map((example) => card({
        title: example.title || example.name,
        facts: [`${example.width}×${example.height}`, `${example.clues} clues`, example.rebus ? "rebus" : ""],
        width: example.width, height: example.height,
        onOpen: () => this.example(example.name),
      })));
    } catch (error) {
      const again = () => { list.replaceChildren(); this.draw(); };
      list.replaceChildren(el("li", { class: "muted failed" }, el("span", {}, error.message),
        el("button", { type: "button", class: "button small", onclick: again }, "Try again")));
    } finally {
      list.removeAttribute("aria-busy");
    }
  }

  #drawRecent() {
    const games = recent();
    byId("recent-block").hidden = !games.length;
    byId("recent").replaceChildren(...games.slice(0, 6).map((game) => card({
      title: String(game.title),
      facts: [game.done ? "finished" : `${Math.round((100 * game.filled) / Math.max(1, game.cells))}% filled`,
        clock(Number(game.seconds) || 0)],
      width: Number(game.width) || 5, height: Number(game.height) || 5,
      share: game.filled / Math.max(1, game.cells),
      onOpen: () => this.resume(game.id),
      onRemove: () => { removeGame(game.id); this.#drawRecent(); },
    })));
  }
}

/** A puzzle's card: a little grid as large as its puzzle, the title, a line of facts. */
function card({ title, facts, width, height, share = null, onOpen, onRemove = null }) {
  const thumb = el("span", { class: "thumb", "aria-hidden": "true" });
  thumb.style.setProperty("--columns", width);
  thumb.style.setProperty("--rows", height);
  if (share !== null) thumb.style.setProperty("--filled", `${Math.round(share * 100)}%`);
  const remove = onRemove && el("button", { type: "button", class: "card-remove", title: "Forget this game", onclick: onRemove },
    el("span", { "aria-hidden": "true" }, "×"), el("span", { class: "visually-hidden" }, `Forget ${title}`));
  return el("li", {},
    el("button", { type: "button", class: "puzzle-card", onclick: onOpen }, thumb,
      el("span", { class: "puzzle-card-text" }, el("b", {}, title),
        el("span", { class: "muted" }, facts.filter(Boolean).join(" · ")))),
    remove);
}
