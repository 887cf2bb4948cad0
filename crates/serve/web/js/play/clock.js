// The clock of a game: kept by the page, stopped while nobody looks at the page.

/** "4:05", and tenths below ten seconds. */
export function formatTime(milliseconds) {
  const left = Math.max(milliseconds, 0);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Time left for both sides, in milliseconds; at most one side's runs. */
export class GameClock {
  #left = {white: 0, black: 0};
  #running = null;
  #since = 0;

  constructor(left) {
    this.#left = {...left};
  }

  /** What both have now. */
  left() {
    const left = {...this.#left};
    if (this.#running) left[this.#running] -= performance.now() - this.#since;
    return left;
  }

  get running() {
    return this.#running;
  }

  start(side) {
    this.#left = this.left();
    this.#running = side;
    this.#since = performance.now();
  }

  stop() {
    this.start(null);
  }

  /** Ends a turn: `used` replaces what the page has measured, if it is known better. */
  press(side, increment, used = null) {
    const left = used === null ? this.left()[side] : this.#left[side] - used;
    this.stop();
    this.#left[side] = left > 0 ? left + increment : left;
  }
}
