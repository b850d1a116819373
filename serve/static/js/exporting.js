// Files to take away. ipuz is written here, the other formats by the server's converter; what a
// format can't hold is said.

import * as api from "./api.js";
import { el, toast } from "./dom.js";
import { toIpuz } from "./puzzle.js";

export async function exportAs(game, format) {
  const ipuz = toIpuz(game.puzzle, game.entries);
  try {
    if (format === "ipuz") {
      download(new Blob([JSON.stringify(ipuz)], { type: "application/json" }), name(game, format));
      return;
    }
    const { blob, dropped } = await api.convert(ipuz, format);
    download(blob, name(game, format));
    if (dropped.length) toast(`.${format} can’t hold: ${dropped.map(String).join(", ")}.`);
  } catch (error) {
    toast(error.message, "error");
  }
}

function name(game, format) {
  const bare = game.puzzle.title.normalize("NFD").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60);
  return `${bare || "puzzle"}.${format}`;
}

function download(blob, filename) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: filename });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
