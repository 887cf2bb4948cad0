// <chart-view>: a chart of the server, scaled to its place, on which an x value can be picked.
//
// Properties: `svg` (text), `cursor` (an x value or null), `marks` ([{x, text, kind}]: short texts
// at the top of the plot), `step` (of the arrow keys), `valueText` (x => words for a screen
// reader). With the attribute `pick`, pointer and arrow keys emit `pick` with detail {x}, which is
// not rounded when it comes from a pointer. The SVG says where its plot is: data-plot="left top
// width height" and data-x="min max"; without them the chart is a picture only.

const NAMESPACE = 'http://www.w3.org/2000/svg';
// Texts of a narrow chart are enlarged until they are this many pixels high, within limits.
const READABLE = 10.5;

const numbers = (text, count) => {
  const values = (text ?? '').trim().split(/\s+/).map(Number);
  return values.length === count && values.every(Number.isFinite) ? values : null;
};

const draw = (tag, attributes, text) => {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text) element.textContent = text;
  return element;
};

class ChartView extends HTMLElement {
  #svg = '';
  #picture = null;
  #plot = null;
  #range = null;
  #cursor = null;
  #marks = [];
  #layer = null;
  #width = 1;
  #observer = null;
  step = 1;
  valueText = null;

  connectedCallback() {
    this.style.display = 'block';
    if (!this.#observer) {
      this.addEventListener('pointerdown', (event) => this.#press(event));
      this.addEventListener('pointermove', (event) => {
        if (this.hasPointerCapture(event.pointerId)) this.#pickAt(event);
      });
      this.addEventListener('keydown', (event) => this.#key(event));
      this.#observer = new ResizeObserver(() => this.#fit());
    }
    this.#observer.observe(this);
    this.#draw();
  }

  disconnectedCallback() {
    this.#observer?.disconnect();
  }

  get svg() {
    return this.#svg;
  }

  set svg(text) {
    if (text === this.#svg) return;
    this.#svg = text ?? '';
    if (this.isConnected) this.#draw();
  }

  get cursor() {
    return this.#cursor;
  }

  set cursor(x) {
    this.#cursor = x;
    this.#overlay();
  }

  set marks(marks) {
    this.#marks = marks ?? [];
    this.#overlay();
  }

  #draw() {
    // A parsed document runs no script, and accepts an SVG with or without its namespace.
    const parsed = new DOMParser().parseFromString(this.#svg, 'text/html').querySelector('svg');
    this.replaceChildren();
    this.#picture = parsed && document.adoptNode(parsed);
    if (!this.#picture) return;
    const picture = this.#picture;
    const [, , width] = numbers(picture.getAttribute('viewBox'), 4) ?? [0, 0, 640];
    this.#width = width;
    picture.removeAttribute('width');
    picture.removeAttribute('height');
    Object.assign(picture.style, {display: 'block', width: '100%', height: 'auto'});
    this.#plot = numbers(picture.dataset.plot, 4);
    this.#range = numbers(picture.dataset.x, 2);
    this.#layer = draw('g', {class: 'chart-overlay', 'pointer-events': 'none'});
    picture.append(this.#layer);
    this.append(picture);
    this.#describe();
    this.#fit();
    this.#overlay();
  }

  get #canPick() {
    return this.hasAttribute('pick') && this.#plot && this.#range;
  }

  // What assistive technology sees: a slider over the x values, or the picture alone.
  #describe() {
    if (!this.#canPick) {
      for (const name of ['role', 'tabindex']) this.removeAttribute(name);
      return;
    }
    const [min, max] = this.#range;
    this.setAttribute('role', 'slider');
    this.tabIndex = 0;
    this.setAttribute('aria-valuemin', min);
    this.setAttribute('aria-valuemax', max);
    if (!this.hasAttribute('aria-label')) {
      this.setAttribute('aria-label', this.#picture.getAttribute('aria-label') ?? 'Chart');
    }
    Object.assign(this.style, {cursor: 'crosshair', touchAction: 'pan-y'});
  }

  #fit() {
    if (!this.#picture || !this.clientWidth) return;
    const shrunk = this.#width / this.clientWidth;
    const size = Math.min(Math.max(13, READABLE * shrunk), 19);
    this.#picture.style.fontSize = `${size.toFixed(1)}px`;
    const title = this.#picture.querySelector(':scope > .title');
    if (title) title.style.fontSize = `${(size * 1.15).toFixed(1)}px`;
    // Larger ticks take the place of the upright label of the y axis; the title says what it is.
    const upright = this.#picture.querySelector(':scope > g > text[transform*=rotate]');
    if (upright) upright.style.display = size > 15 ? 'none' : '';
    this.#spread();
  }

  // Entries of the legend, which have a tone and a place, move apart as their texts grow.
  #spread() {
    let x = 8;
    for (const entry of this.#picture.querySelectorAll(':scope > g[class][transform]')) {
      const y = /translate\(\S+ (\S+)\)/.exec(entry.getAttribute('transform'))?.[1];
      if (y) entry.setAttribute('transform', `translate(${x.toFixed(1)} ${y})`);
      x += entry.getBBox().width + 16;
    }
  }

  #place(x) {
    const [left, , width] = this.#plot;
    const [min, max] = this.#range;
    return left + ((x - min) / (max - min || 1)) * width;
  }

  #overlay() {
    if (!this.#layer || !this.#plot || !this.#range) return;
    const [, top, , height] = this.#plot;
    const [min, max] = this.#range;
    const parts = this.#marks.flatMap(({x, text, kind}) => {
      if (!(x >= min && x <= max)) return [];
      const at = { class: `chart-mark ${kind ?? ''}`, x: this.#place(x), 'text-anchor': 'middle' };
      return [draw('text', {...at, y: top + 13, 'font-weight': 700}, text)];
    });
    const x = this.#cursor;
    if (x !== null && x >= min && x <= max) {
      const at = this.#place(x);
      const line = {x1: at, x2: at, y1: top, y2: top + height, stroke: 'currentColor'};
      parts.push(draw('line', {...line, class: 'chart-cursor', 'stroke-width': 1.5, opacity: 0.8}));
    }
    this.#layer.replaceChildren(...parts);
    if (this.#canPick) {
      const value = x ?? min;
      this.setAttribute('aria-valuenow', value);
      this.setAttribute('aria-valuetext', this.valueText?.(value) ?? String(value));
    }
  }

  #press(event) {
    if (!this.#canPick || event.button !== 0) return;
    this.setPointerCapture(event.pointerId);
    this.#pickAt(event);
  }

  #pickAt(event) {
    const matrix = this.#picture.getScreenCTM();
    if (!matrix) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const [left, , width] = this.#plot;
    const [min, max] = this.#range;
    this.#pick(min + ((point.x - left) / width) * (max - min));
  }

  #key(event) {
    if (!this.#canPick || event.ctrlKey || event.metaKey || event.altKey) return;
    const [min, max] = this.#range;
    const now = this.#cursor ?? min;
    const {step} = this;
    const targets = {
      ArrowLeft: now - step, ArrowDown: now - step, ArrowRight: now + step, ArrowUp: now + step,
      PageUp: now + 10 * step, PageDown: now - 10 * step, Home: min, End: max,
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#pick(targets[event.key]);
  }

  #pick(x) {
    const [min, max] = this.#range;
    const detail = {x: Math.min(Math.max(x, min), max)};
    this.dispatchEvent(new CustomEvent('pick', {detail, bubbles: true}));
  }
}

customElements.define('chart-view', ChartView);
