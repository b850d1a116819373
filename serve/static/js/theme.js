// The theme, set before the first paint: so this is the one script that is no module.
// Without a choice of the reader's, the system's holds.
"use strict";
(() => {
  const saved = (() => {
    try { return localStorage.getItem("crossword:theme"); } catch { return null; }
  })();
  if (saved === "light" || saved === "dark") document.documentElement.dataset.theme = saved;
})();
