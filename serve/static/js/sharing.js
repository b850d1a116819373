// A puzzle in a link: the ipuz object, deflated, in base64 that addresses can carry, behind the
// '#', which browsers keep to themselves. Both directions are bounded.

import { byId, toast } from "./dom.js";
import { toIpuz } from "./puzzle.js";

const PREFIX = "#puzzle=";
const MAX_LINK = 32_000; // characters; chats and mail programs cut longer ones
const MAX_TEXT = 2_000_000; // characters of JSON once inflated

export async function encode(ipuz) {
  const stream = new Blob([JSON.stringify(ipuz)]).stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The ipuz object of a fragment; null where it holds none; an `Error` where it is damaged. */
export async function decode(fragment) {
  if (!fragment.startsWith(PREFIX)) return null;
  const text = fragment.slice(PREFIX.length);
  if (text.length > MAX_LINK) throw new Error("This link is too long to hold a puzzle.");
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
    return JSON.parse(await inflate(bytes));
  } catch {
    throw new Error("This link is damaged: was all of it copied?");
  }
}

/** Inflates, and stops at the bound: a small link may hold a very large nothing. */
async function inflate(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text;
    text += value;
    if (text.length > MAX_TEXT) {
      await reader.cancel();
      throw new Error("too long");
    }
  }
}

export class Sharing {
  constructor() {
    this.game = null;
    for (const id of ["share-letters", "share-solution"]) {
      byId(id).addEventListener("change", () => this.draw());
    }
    byId("share-copy").addEventListener("click", () => this.copy());
  }

  async ask(game) {
    this.game = game;
    byId("share-solution").disabled = !game.puzzle.solution;
    byId("share-dialog").showModal();
    await this.draw();
    byId("share-copy").focus();
  }

  async draw() {
    const ipuz = toIpuz(this.game.puzzle, this.game.entries, {
      letters: byId("share-letters").checked, solution: byId("share-solution").checked,
    });
    const code = await encode(ipuz);
    const fits = code.length <= MAX_LINK;
    const link = `${location.origin}${location.pathname}${PREFIX}${code}`;
    byId("share-link").value = fits ? link : "";
    byId("share-copy").disabled = !fits;
    byId("share-size").textContent = fits
      ? `${link.length.toLocaleString("en")} characters`
      : "This puzzle is too large for a link. Export it as a file instead.";
  }

  async copy() {
    const field = byId("share-link");
    try {
      await navigator.clipboard.writeText(field.value);
      toast("Link copied.");
    } catch {
      field.focus();
      field.select();
      byId("share-size").textContent = "Press Ctrl+C to copy.";
    }
  }
}
