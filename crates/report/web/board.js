// <game-board>: a board of any game that can be looked at and played on.

import {arrowNode} from './arrows.js';
import {BoardInput} from './input.js';
import {BoardLayout, CELL_UNIT} from './geometry.js';
import {pieceName, pieceNode, svgNode} from './pieces.js';

const MOVE_MS = 130;
const FALL_MS = 220;
/** Properties, and which part of the drawing depends on each. */
const PROPERTIES = {
  game: 'frame', orientation: 'frame', coordinates: 'frame', pieces: 'pieces', moves: 'marks',
  last: 'marks', check: 'marks', arrows: 'arrows', heat: 'heat', labels: 'labels',
};
const LAYERS = ['cells', 'heat', 'marks', 'names', 'targets', 'pieces', 'labels', 'arrows', 'hits'];

/**
 * Properties: game (of /api/games), pieces (letter or null for each cell), moves (legal moves; none
 * makes the board one to look at), orientation "white" or "black", last and check (cells), arrows
 * [{from, to, weight, kind}], heat (number from −1 to 1, or null, for each cell), labels (text or
 * null for each cell), coordinates. A chosen move is shown at once, then the event `move` has it
 * as its detail; whoever listens sets the properties that follow from it.
 */
export class GameBoard extends HTMLElement {
  #values = {game: null, pieces: [], moves: [], orientation: 'white', last: [], check: [],
    arrows: [], heat: [], labels: [], coordinates: false};
  #stale = new Set();
  #layers = {};
  #shown = [];
  #svg = null;
  #status = null;
  #extra = null;
  #input = null;
  #isStill = false;
  layout = null;

  static {
    for (const name of Object.keys(PROPERTIES)) {
      Object.defineProperty(GameBoard.prototype, name, {
        get() { return this.#values[name]; },
        set(value) { this.#set(name, value); },
        enumerable: true,
      });
    }
  }

  #set(name, value) {
    const list = Array.isArray(this.#values[name]) ? value ?? [] : value;
    if (this.#values[name] === list) return;
    this.#values[name] = list;
    if (name === 'moves' || name === 'game') this.#input?.reset();
    this.invalidate(PROPERTIES[name]);
  }

  connectedCallback() {
    // A property may have been set before the element was defined.
    for (const name of Object.keys(PROPERTIES)) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
    this.invalidate('frame');
  }

  disconnectedCallback() {
    this.#input?.reset();
  }

  /** Draws a part again before the next frame. */
  invalidate(part) {
    this.#stale.add(part);
    if (this.#stale.size === 1) queueMicrotask(() => this.#draw());
  }

  /** Says something to screen readers. */
  announce(text) {
    if (this.#status) this.#status.textContent = text;
  }

  /** Shows a move by its changes and tells the page; `still` if its piece has been dragged. */
  play(move, still = false) {
    const pieces = [...this.pieces];
    for (const [cell, , after] of move.changes) pieces[cell] = after;
    this.#isStill = still;
    this.pieces = pieces;
    this.moves = [];
    this.check = [];
    this.arrows = [];
    this.last = move.changes.map(([cell]) => cell);
    this.#draw();
    this.dispatchEvent(new CustomEvent('move', {detail: move, bubbles: true}));
  }

  /** The node of the piece of a cell, for dragging. */
  pieceAt(cell) {
    return this.#shown[cell]?.node ?? null;
  }

  /** A point of the window in units of the drawing. */
  point(event) {
    const matrix = this.#svg?.getScreenCTM();
    if (!matrix) return {x: -1e6, y: -1e6};
    const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return {x, y};
  }

  get svg() {
    return this.#svg;
  }

  /** The node that has the focus of a cell and its name. */
  hit(cell) {
    return this.#layers.hits?.children[cell] ?? null;
  }

  #draw() {
    const stale = this.#stale;
    if (!this.isConnected || !this.game || stale.size === 0) {
      stale.clear();
      return;
    }
    this.#stale = new Set();
    const isNew = stale.has('frame');
    if (isNew) this.#drawFrame();
    const is = (part) => isNew || stale.has(part);
    if (is('heat')) this.#drawHeat();
    if (is('pieces')) this.#drawPieces(isNew);
    if (is('marks') || is('pieces')) this.#drawMarks();
    if (is('arrows')) this.#drawArrows();
    if (is('labels')) this.#drawLabels();
    this.#isStill = false;
  }

  #drawFrame() {
    const {game} = this;
    this.layout = new BoardLayout(game, this.orientation, this.coordinates);
    const {width, height} = this.layout;
    if (!this.#svg) this.#build();
    this.#svg.setAttribute('viewBox', `0 0 ${width.toFixed(2)} ${height.toFixed(2)}`);
    this.#svg.setAttribute('class', `board-svg board-${game.shape}`);
    for (const layer of Object.values(this.#layers)) layer.replaceChildren();
    this.#shown = [];
    const hasShades = game.cells.some((cell) => cell.shade > 0);
    game.cells.forEach((cell, number) => {
      const shade = hasShades ? `shade${Math.min(cell.shade, 2)}` : 'plain';
      this.#layers.cells.append(this.#outline(number, shade));
    });
    if (this.coordinates) this.#drawCoordinates(hasShades);
    this.#input.frame(this.#layers.hits);
  }

  #build() {
    this.#svg = svgNode('svg', {role: 'img'});
    for (const name of LAYERS) {
      this.#layers[name] = this.#svg.appendChild(svgNode('g', {class: `layer-${name}`}));
    }
    this.#status = document.createElement('div');
    this.#status.className = 'board-status';
    this.#status.setAttribute('aria-live', 'polite');
    this.#extra = document.createElement('div');
    this.#extra.className = 'board-extra';
    this.append(this.#svg, this.#status, this.#extra);
    this.#input = new BoardInput(this);
  }

  #outline(cell, className) {
    const {x, y} = this.layout.centres[cell];
    const place = {x: x.toFixed(1), y: y.toFixed(1), class: className};
    return svgNode('use', {href: `#${this.game.shape}`, ...place});
  }

  #drawCoordinates(hasShades) {
    for (const {cell, text, edge} of this.layout.coordinates()) {
      const {x, y} = this.layout.centres[cell];
      const isHexagon = this.game.shape === 'hexagon';
      const shade = hasShades ? Math.min(this.game.cells[cell].shade, 2) : 'plain';
      const place = isHexagon ? 'name-below' : `name-${shade}`;
      const [dx, dy] = edge === 'rank' ? [-9.2, -6.2] : isHexagon ? [0, 14.6] : [9.2, 9];
      const anchor = edge === 'rank' ? 'start' : isHexagon ? 'middle' : 'end';
      this.#layers.names.append(svgNode('text', {x: x + dx, y: y + dy, class: place,
        'text-anchor': anchor, 'font-size': isHexagon ? 4 : 3.4, 'font-weight': 600,
        'aria-hidden': 'true'}, text));
    }
  }

  #drawHeat() {
    const {heat} = this;
    this.#svg.classList.toggle('heated', heat.length > 0);
    const cells = [];
    heat.forEach((value, cell) => {
      if (value === null || value === undefined || !this.layout.centres[cell]) return;
      const node = this.#outline(cell, value < 0 ? 'lowers' : 'raises');
      node.setAttribute('fill-opacity', Math.min(Math.abs(value), 1).toFixed(2));
      cells.push(node);
    });
    this.#layers.heat.replaceChildren(...cells);
  }

  #drawPieces(isNew) {
    const left = [];
    const came = [];
    this.layout.centres.forEach((centre, cell) => {
      const letter = this.pieces[cell] ?? null;
      const before = this.#shown[cell]?.letter ?? null;
      if (letter === before) return;
      if (before) {
        left.push({cell, letter: before});
        this.#shown[cell].node.remove();
      }
      this.#shown[cell] = letter ? {letter, node: this.#place(letter, centre)} : null;
      if (letter) came.push(cell);
      this.#input.rename(cell);
    });
    if (!isNew && !this.#isStill && came.length <= 4) this.#animate(left, came);
    if (this.#svg.getAttribute('role') === 'img') {
      this.#svg.setAttribute('aria-label', `Board with ${this.#describe()}`);
    }
  }

  /** Few pieces are named with their cells; more are only counted. */
  #describe() {
    const present = [...this.pieces.entries()].filter(([, letter]) => letter);
    if (present.length > 8) return `${present.length} pieces`;
    const name = ([cell, letter]) => `${pieceName(letter)} on ${this.game.cells[cell].name}`;
    return present.map(name).join(', ') || 'no pieces';
  }

  #place(letter, {x, y}) {
    const place = svgNode('g', {transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`});
    place.append(pieceNode(letter));
    return this.#layers.pieces.appendChild(place);
  }

  /** Lets pieces slide from where they were; a piece that appears on a falling board falls. */
  #animate(left, came) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const cell of came) {
      const {letter, node} = this.#shown[cell];
      const at = left.findIndex((gone) => gone.letter === letter);
      const to = this.layout.centres[cell];
      let from = null;
      if (at >= 0) from = this.layout.centres[left.splice(at, 1)[0].cell];
      else if (this.game.drops) from = {x: to.x, y: -CELL_UNIT / 2};
      if (!from) continue;
      const start = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
      node.firstChild.animate([{transform: start}, {transform: 'none'}], {
        duration: at >= 0 ? MOVE_MS : FALL_MS, easing: at >= 0 ? 'ease-out' : 'ease-in',
      });
    }
  }

  #drawMarks() {
    const {selected, aim, targets} = this.#input;
    const marks = this.last.map((cell) => this.#outline(cell, 'last'));
    for (const cell of this.check) marks.push(this.#outline(cell, 'in-check'));
    if (selected !== null) marks.push(this.#outline(selected, 'selected'));
    if (aim !== null) marks.push(this.#outline(aim, 'aim'));
    this.#layers.marks.replaceChildren(...marks);
    const dots = targets().map((cell) => {
      const {x, y} = this.layout.centres[cell];
      return this.pieces[cell]
        ? svgNode('circle', {class: 'target-ring', cx: x, cy: y, r: 8.7})
        : svgNode('circle', {class: 'target', cx: x, cy: y, r: 3});
    });
    const ghost = this.#input.ghost();
    if (ghost) {
      const {x, y} = this.layout.centres[ghost.cell];
      const place = {transform: `translate(${x} ${y})`, opacity: 0.5};
      dots.push(svgNode('g', place, pieceNode(ghost.letter)));
    }
    this.#layers.targets.replaceChildren(...dots);
    this.#drawExtra();
    this.#input.refresh();
  }

  /** Moves without a target, such as a pass, are buttons below the board. */
  #drawExtra() {
    const passes = this.moves.filter((move) => move.to === null);
    this.#extra.replaceChildren(...passes.map((move) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'button';
      button.textContent = move.san || move.text;
      button.addEventListener('click', () => this.play(move));
      return button;
    }));
  }

  #drawArrows() {
    const {centres} = this.layout;
    const known = this.arrows.filter(({to}) => centres[to]);
    this.#layers.arrows.replaceChildren(...known.map(({from, to, weight, kind}) =>
      arrowNode(centres[from], centres[to], weight, kind)));
  }

  #drawLabels() {
    const labels = [];
    this.labels.forEach((text, cell) => {
      const centre = this.layout.centres[cell];
      if (!text || !centre) return;
      labels.push(svgNode('text', {class: 'cell-label', x: centre.x, y: centre.y + 8.6,
        'text-anchor': 'middle', 'font-size': 4.6, 'font-weight': 700}, text));
    });
    this.#layers.labels.replaceChildren(...labels);
  }
}

if (!customElements.get('game-board')) customElements.define('game-board', GameBoard);
