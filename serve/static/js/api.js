// The service's API. Errors are problem documents (RFC 9457); what a person should read of one
// is the message of the `ApiError` that is thrown.

import { byId, toast } from "./dom.js";
import { whenReady } from "./readiness.js";

export class ApiError extends Error {
  constructor(message, status = 0, type = "") {
    super(message);
    this.status = status;
    this.type = type;
  }
}

const TOKEN = "crossword:token";
const MAX_TRIES = 12; // after a 503, each after some seconds
const NOT_READY = "urn:problem:crossword:not-ready";
const MAX_EVENT = 8_000_000; // characters; a result of the largest grid has a tenth of it

/** The token a server may ask for, for this session of the browser only. */
function authorisation() {
  const token = sessionStorage.getItem(TOKEN);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

let asking = null; // the dialog's promise: several calls may be refused at once

/** Asks for a token; whether one was given. */
function askForToken() {
  asking ??= new Promise((resolve) => {
    const dialog = byId("token-dialog");
    const field = byId("token-text");
    byId("token-note").hidden = !sessionStorage.getItem(TOKEN); // one was sent, and refused
    dialog.addEventListener("close", () => {
      const given = dialog.returnValue === "use" ? field.value.trim() : "";
      if (given) sessionStorage.setItem(TOKEN, given);
      field.value = "";
      asking = null;
      resolve(Boolean(given));
    }, { once: true });
    dialog.returnValue = "";
    dialog.showModal();
  });
  return asking;
}

async function call(path, { onWait = () => {}, ...options } = {}) {
  const send = () =>
    fetch(path, { ...options, headers: { ...options.headers, ...authorisation() } });
  let response;
  try {
    response = await send();
    while (response.status === 401 && (await askForToken())) response = await send();
    for (let tries = 0; response.status === 503 && tries < MAX_TRIES; tries += 1) {
      onWait();
      await pause(response.clone(), options.signal);
      response = await send();
    }
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server doesn’t answer. Is it still running?");
  }
  if (response.ok) return response;
  throw await problem(response);
}

/** Waits as long as a busy server says, or until one that still starts is ready. */
async function pause(response, signal) {
  const { message, type } = await problem(response);
  const aborted = new Promise((resolve) => {
    signal?.addEventListener("abort", resolve, { once: true });
  });
  if (type === NOT_READY) {
    await Promise.race([whenReady(), aborted]);
  } else {
    const seconds = Math.min(5, Math.max(1, Number(response.headers.get("Retry-After")) || 1));
    toast(`${message.replace(/\.$/, "")}. Trying again…`);
    await Promise.race([new Promise((resolve) => { setTimeout(resolve, seconds * 1000); }), aborted]);
  }
  signal?.throwIfAborted();
}

async function problem(response) {
  let detail = "";
  let type = "";
  try {
    const document = await response.json();
    detail = document.detail || document.title || "";
    type = String(document.type ?? "");
  } catch {
    // Not a problem document: the status must do.
  }
  if (response.status === 401) detail = "This server asks for a token.";
  if (response.status === 503 && !detail) detail = "The server is busy.";
  return new ApiError(sentence(detail || `The server said ${response.status}`), response.status, type);
}

/** A problem's detail as a message: details begin small and have no full stop. */
function sentence(detail) {
  const text = String(detail).trim();
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}

async function post(path, body, signal) {
  const response = await call(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  return response.json();
}

/** The ipuz object of a puzzle file's bytes or text. */
export async function read(body, name) {
  const response = await call(`/v1/read?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body,
  });
  return response.json();
}

/** A file in another format, and what that format could not hold. */
export async function convert(ipuz, to) {
  const response = await call(`/v1/convert?to=${to}&name=puzzle.ipuz`, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: JSON.stringify(ipuz),
  });
  let dropped = [];
  try {
    dropped = JSON.parse(response.headers.get("X-Dropped") || "[]");
  } catch {
    // A header that is no JSON tells nothing.
  }
  return { blob: await response.blob(), dropped };
}

export async function examples() {
  return (await (await call("/v1/examples")).json()).examples;
}

export async function example(name) {
  return (await call(`/v1/examples/${encodeURIComponent(name)}`)).json();
}

/** The ranked answers of one clue. */
export async function guess(clue, pattern, limit, signal) {
  return (await post("/v1/guess", { queries: [{ clue, pattern }], limit }, signal)).results[0];
}

export const wordleSuggest = (body, signal) => post("/v1/wordle/suggest", body, signal);
export const wordleReview = (body, signal) => post("/v1/wordle/review", body, signal);
export const contextoSuggest = (body, signal) => post("/v1/contexto/suggest", body, signal);

/** Solves, calling `onProgress` on the way; aborting the signal stops the work on the server.
    `onWait` is called while the server has no room yet. */
export async function solve(request, onProgress, signal, onWait) {
  const response = await call("/v1/solve", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(request),
    signal,
    onWait,
  });
  if (!(response.headers.get("Content-Type") || "").startsWith("text/event-stream")) {
    return response.json();
  }
  for await (const { event, data } of events(response.body)) {
    if (event === "progress") onProgress(data);
    else if (event === "result") return data;
    else if (event === "problem") {
      throw new ApiError(sentence(data.detail || data.title || "The solve failed"), data.status);
    }
  }
  throw new ApiError("The connection ended before the solve did. Try again.");
}

/** Server-sent events of a stream, their data parsed. (EventSource can only GET.) */
export async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      buffer = (buffer + value).replaceAll("\r\n", "\n");
      if (buffer.length > MAX_EVENT) throw new ApiError("The server’s answer is too long.");
      let end;
      while ((end = buffer.indexOf("\n\n")) >= 0) {
        const found = parseEvent(buffer.slice(0, end));
        buffer = buffer.slice(end + 2);
        if (found) yield found;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parseEvent(block) {
  let event = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? { event, data: JSON.parse(data.join("\n")) } : null;
}
