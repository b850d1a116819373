// The time spent on a puzzle. It rests when the page is hidden, when paused, and at the end.

import { byId, clock } from "./dom.js";

export class Timer {
  #since = 0;
  #spent = 0;
  #onPause;

  constructor(onPause) {
    this.paused = false;
    this.ended = false;
    this.#onPause = onPause;
    setInterval(() => this.draw(), 500);
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#hold();
      else this.#go();
    });
    byId("timer-button").addEventListener("click", () => this.pause(!this.paused));
    byId("resume-button").addEventListener("click", () => this.pause(false));
  }

  get seconds() {
    return this.#spent + (this.#since ? (performance.now() - this.#since) / 1000 : 0);
  }

  start(seconds, ended) {
    this.#since = 0;
    this.#spent = seconds;
    this.ended = ended;
    this.pause(false);
  }

  end() {
    this.ended = true;
    this.#hold();
    this.draw();
  }

  pause(paused) {
    this.paused = paused;
    if (paused) this.#hold();
    else this.#go();
    byId("timer-button").setAttribute("aria-pressed", String(paused));
    byId("timer-label").textContent = paused ? "Resume the timer" : "Pause the timer";
    this.draw();
    this.#onPause(paused);
  }

  #go() {
    if (!this.paused && !this.ended && !this.#since) this.#since = performance.now();
  }

  #hold() {
    this.#spent = this.seconds;
    this.#since = 0;
  }

  draw() {
    const face = byId("timer-face");
    const text = clock(this.seconds);
    if (face.textContent !== text) face.textContent = text;
  }
}
