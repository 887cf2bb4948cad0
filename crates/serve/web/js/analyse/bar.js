// <eval-bar>: White's expected score with the network's quantile band, and where the search is.
//
// Property `value`: {expected, quantile_expected or null, search: expected or null}, or null.
// Property `flipped`: White's share grows from the other end, as the board is turned.

import {fill, h} from '../dom.js';
import {percent} from './tree.js';

// The words of the bar, as screen readers get them.
export function barText(value) {
  if (!value) return 'No evaluation yet';
  const {expected, quantile_expected: band, search} = value;
  const interval = band
    ? `the network's 80 % interval ${percent(band[0])} to ${percent(band[4])}`
    : 'without an interval, as there are no quantiles';
  const found = Number.isFinite(search) ? `; the search says ${percent(search)}` : '';
  return `White ${percent(expected)}, ${interval}${found}`;
}

class EvalBar extends HTMLElement {
  #parts = null;
  #value = null;

  connectedCallback() {
    if (this.#parts) return;
    const part = (name) => h('div', {class: `bar-${name}`});
    this.#parts = ['white', 'middle', 'wide', 'narrow', 'median', 'search'].map(part);
    this.text = h('div', {class: 'bar-text', 'aria-hidden': 'true'});
    fill(this, this.#parts, this.text);
    this.setAttribute('role', 'img');
    this.#draw();
  }

  set value(value) {
    this.#value = value;
    if (this.#parts) this.#draw();
  }

  set flipped(flipped) {
    this.classList.toggle('flipped', flipped);
  }

  #draw() {
    const value = this.#value;
    const band = value?.quantile_expected ?? null;
    const hasSearch = Number.isFinite(value?.search);
    this.classList.toggle('no-band', !band);
    this.classList.toggle('no-search', !hasSearch);
    const set = (name, share) => this.style.setProperty(name, `${(share * 100).toFixed(2)}%`);
    set('--expected', value?.expected ?? 0.5);
    if (hasSearch) set('--search', value.search);
    if (band) {
      ['--q10', '--q25', '--q50', '--q75', '--q90'].forEach((name, at) => set(name, band[at]));
      set('--wide', band[4] - band[0]);
      set('--narrow', band[3] - band[1]);
    }
    this.classList.toggle('white-ahead', (value?.expected ?? 0.5) >= 0.5);
    this.text.textContent = value ? `${Math.round(value.expected * 100)}` : '';
    const words = barText(value);
    this.setAttribute('aria-label', words);
    this.title = words;
  }
}

customElements.define('eval-bar', EvalBar);
