// Whether the server can solve yet. It answers while its model is loaded, and a first start
// compiles the solver for half a minute: a bar under the masthead says so until that is over.

import { byId, toast } from "./dom.js";

const EVERY = 1000; // milliseconds between two looks

let watching = null;

/** Resolves when the server can solve, or can no longer be asked; several may wait at once. */
export function whenReady() {
  watching ??= watch().finally(() => { watching = null; });
  return watching;
}

async function watch() {
  const bar = byId("starting");
  const began = performance.now();
  try {
    for (;;) {
      const reason = await reasonToWait();
      if (!reason) break;
      draw(reason, (performance.now() - began) / 1000);
      bar.hidden = false;
      await new Promise((resolve) => { setTimeout(resolve, EVERY); });
    }
    if (!bar.hidden) toast("The solver is ready.");
  } catch {
    // The server is gone: the next call says so.
  } finally {
    bar.hidden = true;
  }
}

/** What the server waits for; "" once it is ready. */
async function reasonToWait() {
  const response = await fetch("/readyz");
  if (response.status !== 503) return "";
  const { detail } = await response.json();
  return String(detail || "its model is being loaded").slice(0, 200);
}

function draw(reason, seconds) {
  const text = byId("starting-text");
  const said = `The solver is getting ready: ${reason}.`;
  if (text.textContent !== said) text.textContent = said; // a live region: no word twice
  byId("starting-seconds").textContent = `${Math.floor(seconds)} s`;
}
