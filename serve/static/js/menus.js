// Menu buttons and tabs, as the ARIA authoring practices describe them: arrows move within,
// Escape closes and gives the focus back.

import { el } from "./dom.js";

/** Makes a button open a menu of `[label, action]` pairs; null draws a line. */
export function menuButton(button, entries) {
  const id = `${button.id}-list`;
  const items = entries.map((entry) => (entry
    ? el("button", { type: "button", role: "menuitem", tabindex: -1, onclick: () => { close(); entry[1](); } }, entry[0])
    : el("hr", { role: "separator" })));
  const list = el("div", { role: "menu", id, class: "menu-list", "aria-labelledby": button.id, hidden: true }, items);
  const choices = items.filter((item) => item.tagName === "BUTTON");
  button.setAttribute("aria-haspopup", "menu");
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-controls", id);
  button.after(list);

  const close = (giveBack = true) => {
    if (list.hidden) return;
    list.hidden = true;
    button.setAttribute("aria-expanded", "false");
    if (giveBack) button.focus();
  };
  const open = (index) => {
    list.hidden = false;
    button.setAttribute("aria-expanded", "true");
    choices.at(index).focus();
  };
  button.addEventListener("click", () => (list.hidden ? open(0) : close()));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open(event.key === "ArrowDown" ? 0 : -1);
  });
  list.addEventListener("keydown", (event) => {
    const at = choices.indexOf(document.activeElement);
    const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: choices.length - 1 };
    if (event.key in moves) choices.at(moves[event.key] % choices.length).focus();
    else if (event.key === "Escape") close();
    else if (event.key === "Tab") return close(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!list.contains(event.target) && !button.contains(event.target)) close(false);
  });
}

/** Wires a tab list; `onShow` gets the id of the panel that comes up. Returns `show(panelId)`. */
export function tabList(root, onShow = () => {}) {
  const tabs = [...root.querySelectorAll('[role="tab"]')];
  const show = (panelId) => {
    for (const tab of tabs) {
      const chosen = tab.getAttribute("aria-controls") === panelId;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
    }
    onShow(panelId);
  };
  for (const tab of tabs) tab.addEventListener("click", () => show(tab.getAttribute("aria-controls")));
  root.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    if (at < 0 || !(event.key in moves)) return;
    event.preventDefault();
    const next = tabs.at(moves[event.key] % tabs.length);
    next.focus();
    show(next.getAttribute("aria-controls"));
  });
  return show;
}
