// Elements without markup: text only ever becomes a text node, so nothing that a puzzle file,
// a link or the server says can turn into HTML.

/** An element by its id; a missing one is a mistake of ours, said at once. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

/** An element: `el("li", {class: "x", "aria-label": "y", onclick: f}, "text", child)`. */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Says it to screen readers. */
export function announce(text) {
  byId("announcer").textContent = text;
}

let toastTimer = 0;

/** A passing message, which the live region reads out too. */
export function toast(text, kind = "info") {
  const box = byId("toasts");
  box.replaceChildren(el("p", { class: `toast ${kind}` }, text));
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.replaceChildren(), kind === "error" ? 9000 : 4500);
}

/** A number of seconds as 3:07 or 1:03:07. */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, i) => (i ? String(part).padStart(2, "0") : String(part))).join(":");
}

/** A probability for people: never "100%" for what is not certain. */
export function percent(share) {
  if (share >= 0.9995) return share >= 1 ? "100%" : ">99.9%";
  if (share >= 0.995) return `${(Math.floor(share * 1000) / 10).toFixed(1)}%`;
  if (share >= 0.01) return `${Math.round(share * 100)}%`;
  return share > 0 ? "<1%" : "0%";
}

/** Calls `action` when it has not been asked for again within `wait` milliseconds. */
export function debounced(action, wait) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), wait);
  };
}
