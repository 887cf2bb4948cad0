// Input of a board: clicks, dragging and keys become moves.

import {openPicker} from './picker.js';
import {pieceName, svgNode} from './pieces.js';

/** How far a pointer moves before a press is a drag, in pixels. */
const DRAG_START = 4;
const DIRECTIONS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

/** The selection, the cursor and the pointer of one board. */
export class BoardInput {
  selected = null;
  aim = null;
  #board;
  #hits = null;
  /** The cell of the roving focus, and where its row and column began. */
  #cursor = 0;
  #anchor = {x: 0, y: 0};
  #cursorNode = null;
  #press = null;
  #hovered = null;
  #picker = null;
  #isPlayable = false;

  constructor(board) {
    this.#board = board;
    const on = (type, run, options) => board.svg.addEventListener(type, run.bind(this), options);
    on('pointerdown', this.#down);
    on('pointermove', this.#move);
    on('pointerup', this.#up);
    on('pointercancel', this.#cancel);
    on('pointerleave', () => this.#hover(null));
    on('keydown', this.#key);
    on('focusin', this.#focus);
    on('focusout', () => { this.#cursorNode?.setAttribute('visibility', 'hidden'); });
    // A finger on a piece drags it, a finger elsewhere scrolls the page.
    on('touchstart', (event) => {
      if (this.#press?.canDrag && event.cancelable) event.preventDefault();
    }, {passive: false});
  }

  /** Forgets a selection, for example because the position has changed. */
  reset() {
    this.#cancel();
    this.#picker?.close();
    this.#hovered = null;
    this.#select(null);
  }

  /** Fills the layer of the cells that take the focus, for a new board. */
  frame(layer) {
    this.#hits = layer;
    this.#cursor = Math.min(this.#cursor, this.#board.game.cells.length - 1);
    this.#isPlayable = false;
    this.#picker?.close();
    this.selected = null;
    this.aim = null;
  }

  /** From the first legal move on, cells have names and take the focus; before, it is a picture. */
  refresh() {
    const {game, layout, moves, svg} = this.#board;
    if (!this.#isPlayable && moves.length > 0) {
      this.#isPlayable = true;
      svg.setAttribute('role', 'group');
      svg.setAttribute('aria-label', 'Board: arrow keys move, Enter selects and plays');
      const hits = layout.centres.map(({x, y}) => svgNode('use', {href: `#${game.shape}`,
        x: x.toFixed(1), y: y.toFixed(1), class: 'hit', role: 'button', tabindex: -1}));
      this.#cursorNode = svgNode('use', {href: `#${game.shape}`, class: 'cursor',
        visibility: 'hidden'});
      this.#hits.replaceChildren(...hits, this.#cursorNode);
      this.#hits.children[this.#cursor].setAttribute('tabindex', 0);
      hits.forEach((_, cell) => this.rename(cell));
    }
    if (!this.#isPlayable) return;
    const sources = new Set(moves.map((move) => move.from));
    const targets = new Set([...this.targets(), ...this.#marked]);
    this.#marked = this.targets();
    for (const cell of targets) this.rename(cell);
    layout.centres.forEach((_, cell) => {
      const canPlay = sources.has(cell) || this.#plays(cell).length > 0;
      this.#hits.children[cell].classList.toggle('can-play', canPlay);
    });
  }

  #marked = [];

  /** Gives a cell its name: "e4, white knight". */
  rename(cell) {
    if (!this.#isPlayable) return;
    const {game, pieces} = this.#board;
    const piece = pieces[cell] ? pieceName(pieces[cell]) : 'empty';
    const target = this.targets().includes(cell) ? ', legal target' : '';
    const chosen = this.selected === cell ? ', selected' : '';
    this.#hits.children[cell]
      .setAttribute('aria-label', `${game.cells[cell].name}, ${piece}${target}${chosen}`);
  }

  /** The cells that the selected piece can move to. */
  targets = () => {
    if (this.selected === null) return [];
    const moves = this.#board.moves.filter((move) => move.from === this.selected);
    return [...new Set(moves.map((move) => move.to).filter((cell) => cell !== null))];
  };

  /** The piece that a click would place: {cell, letter} or null. */
  ghost() {
    if (this.#hovered === null || this.selected !== null) return null;
    const move = this.#placements(this.#hovered)[0];
    const change = move?.changes.find(([cell]) => cell === move.to);
    return change?.[2] ? {cell: move.to, letter: change[2]} : null;
  }

  /** Moves that place a piece by a click on a cell, anywhere in its column if pieces fall. */
  #placements(cell) {
    const {game, moves} = this.#board;
    const at = game.cells[cell];
    return moves.filter(({from, to}) => from === null && to !== null
      && (to === cell || (game.drops && Math.abs(game.cells[to].x - at.x) < 0.01)));
  }

  /** Moves that a click on a cell means now: of the selected piece, or placements. */
  #plays(cell) {
    if (this.selected !== null) {
      return this.#board.moves.filter(({from, to}) => from === this.selected && to === cell);
    }
    return this.#placements(cell);
  }

  #canMove(cell) {
    return cell !== null && this.#board.moves.some((move) => move.from === cell);
  }

  #select(cell) {
    if (this.selected === cell && this.aim === null) return;
    const before = this.selected;
    this.selected = cell;
    this.aim = null;
    this.#board.invalidate('marks');
    for (const changed of [before, cell]) if (changed !== null) this.rename(changed);
  }

  #down(event) {
    if (event.button !== 0 || !event.isPrimary || this.#picker) return;
    const cell = this.#board.layout.cellAt(this.#board.point(event));
    if (cell === null) return;
    const wasSelected = this.selected === cell;
    const isPlay = this.#plays(cell).length > 0;
    const canDrag = !isPlay && this.#canMove(cell);
    if (canDrag) this.#select(cell);
    this.#press = {cell, canDrag, wasSelected, isDrag: false, x: event.clientX, y: event.clientY,
      pointer: event.pointerId};
    if (canDrag) this.#board.svg.setPointerCapture?.(event.pointerId);
    // The focus follows, so that keys go on from here.
    if (this.#isPlayable) this.#setCursor(cell, true);
  }

  #move(event) {
    const press = this.#press;
    if (!press) {
      if (event.pointerType === 'mouse') this.#hoverAt(event);
      return;
    }
    if (!press.canDrag || event.pointerId !== press.pointer) return;
    const distance = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!press.isDrag && distance < DRAG_START) return;
    const node = this.#board.pieceAt(press.cell);
    if (!node) return;
    if (!press.isDrag) {
      press.isDrag = true;
      node.classList.add('dragged');
      node.parentNode.append(node);
    }
    const {x, y} = this.#board.point(event);
    // A finger hides what is below it.
    const scale = event.pointerType === 'touch' ? 1.5 : 1.1;
    node.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale})`);
    const cell = this.#board.layout.cellAt({x, y});
    const aim = cell !== null && this.#plays(cell).length > 0 ? cell : null;
    if (aim !== this.aim) {
      this.aim = aim;
      this.#board.invalidate('marks');
    }
  }

  #up(event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.pointer) return;
    this.#press = null;
    this.#restore(press);
    this.aim = null;
    const cell = this.#board.layout.cellAt(this.#board.point(event));
    if (cell !== null && this.#plays(cell).length > 0 && (press.isDrag || cell === press.cell)) {
      this.#choose(this.#plays(cell), press.isDrag);
    } else if (press.isDrag) {
      this.#board.invalidate('marks');
    } else if (!press.canDrag || press.wasSelected) {
      this.#select(null);
    }
  }

  #cancel() {
    const press = this.#press;
    this.#press = null;
    if (!press) return;
    this.#restore(press);
    this.aim = null;
    this.#board.invalidate('marks');
  }

  /** Puts a dragged piece back on its cell. */
  #restore({isDrag, cell}) {
    const node = this.#board.pieceAt(cell);
    if (!isDrag || !node) return;
    const {x, y} = this.#board.layout.centres[cell];
    node.classList.remove('dragged');
    node.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
  }

  #hoverAt(event) {
    const {moves, layout} = this.#board;
    if (!moves.some((move) => move.from === null)) return;
    this.#hover(layout.cellAt(this.#board.point(event)));
  }

  #hover(cell) {
    if (cell === this.#hovered) return;
    this.#hovered = cell;
    if (this.#board.moves.some((move) => move.from === null)) this.#board.invalidate('marks');
  }

  /** Plays the only move, or asks which of several. */
  async #choose(moves, still) {
    let move = moves[0];
    if (moves.length > 1) {
      const cell = move.to;
      this.#picker = openPicker(this.#board, moves);
      move = await this.#picker.choice;
      this.#picker = null;
      this.#hits.children[cell]?.focus({preventScroll: true});
    }
    if (!move) {
      this.#select(null);
      return;
    }
    this.#hovered = null;
    this.selected = null;
    this.#board.play(move, still);
  }

  #key(event) {
    const direction = DIRECTIONS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#isPlayable) return;
    if (direction) {
      const [dx, dy] = direction;
      const next = this.#board.layout.neighbour(this.#cursor, dx, dy, this.#anchor);
      if (next !== null) {
        const {x, y} = this.#board.layout.centres[next];
        this.#anchor = dx ? {x, y: this.#anchor.y} : {x: this.#anchor.x, y};
        this.#setCursor(next, false);
      }
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.#press = null;
      this.#activate(this.#cursor);
    } else if (event.key === 'Escape' && this.selected !== null) {
      this.#select(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #activate(cell) {
    const plays = this.#plays(cell);
    if (plays.length > 0) {
      this.#choose(plays, false);
    } else if (this.#canMove(cell) && this.selected !== cell) {
      this.#select(cell);
      const {game} = this.#board;
      this.#board.announce(`${game.cells[cell].name} selected, ${this.targets().length} targets`);
    } else {
      this.#select(null);
    }
  }

  /** Moves the roving focus to a cell; `anew` begins a new row and column there. */
  #setCursor(cell, anew) {
    this.#hits.children[this.#cursor]?.setAttribute('tabindex', -1);
    this.#cursor = cell;
    if (anew) this.#anchor = this.#board.layout.centres[cell];
    const node = this.#hits.children[cell];
    node.setAttribute('tabindex', 0);
    if (!anew) node.focus({preventScroll: false});
  }

  #focus(event) {
    const cell = [...this.#hits.children].indexOf(event.target);
    if (cell < 0 || !this.#cursorNode || event.target === this.#cursorNode) return;
    if (cell !== this.#cursor) this.#setCursor(cell, true);
    const {x, y} = this.#board.layout.centres[cell];
    this.#cursorNode.setAttribute('x', x.toFixed(1));
    this.#cursorNode.setAttribute('y', y.toFixed(1));
    const isVisible = event.target.matches(':focus-visible');
    this.#cursorNode.setAttribute('visibility', isVisible ? 'visible' : 'hidden');
  }
}
