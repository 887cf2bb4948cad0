// The game tree: moves from a starting position with their variations, and where the reader is.

export class MoveNode {
  constructor(parent, played, pieces) {
    this.parent = parent;
    this.children = [];
    // The child that 'next' goes to: the one visited last.
    this.next = null;
    this.ply = parent ? parent.ply + 1 : 0;
    Object.assign(this, {text: null, san: null, from: null, to: null, review: null, ...played});
    this.pieces = pieces;
    this.id = parent ? `${parent.id} ${this.text}` : '';
  }

  get path() {
    const path = [];
    for (let node = this; node.parent; node = node.parent) path.push(node);
    return path.reverse();
  }
}

function piecesAfter(pieces, changes) {
  const after = [...pieces];
  for (const [cell, , piece] of changes ?? []) after[cell] = piece;
  return after;
}

export class Tree {
  // `position` is the server's answer to the line; its history becomes the main line.
  constructor(line, position) {
    this.game = line.game;
    this.fen = line.fen ?? null;
    this.rules = line.rules ?? {};
    this.tags = {};
    this.result = null;
    this.root = new MoveNode(null, null, position.start);
    this.current = this.root;
    // Whether Black moves first, and the number of the first move where the FEN has one.
    this.blackFirst = (position.side === 'black') !== (position.history.length % 2 === 1);
    this.firstNumber = Number(/ (\d+)$/.exec(this.fen ?? '')?.[1] ?? 1) || 1;
    this.add(position.history);
  }

  // Adds moves from the root, where they are new, and returns the last of them.
  add(history) {
    return history.reduce((node, played) => this.addMove(node, played), this.root);
  }

  addMove(node, played) {
    let child = node.children.find(({text}) => text === played.text);
    if (!child) {
      const {text, san, from, to, changes} = played;
      child = new MoveNode(node, {text, san, from, to}, piecesAfter(node.pieces, changes));
      child.changed = (changes ?? []).map(([cell]) => cell);
      node.children.push(child);
    }
    node.next ??= child;
    return child;
  }

  go(node) {
    this.current = node;
    for (let at = node; at.parent; at = at.parent) at.parent.next = at;
  }

  // The nodes of the line that the reader is in: through the current node to its end.
  get line() {
    const nodes = this.current.path;
    for (let at = this.current.next; at; at = at.next) nodes.push(at);
    return nodes;
  }

  request(node = this.current) {
    const moves = node.path.map(({text}) => text);
    return {game: this.game, fen: this.fen, rules: this.rules, moves};
  }

  end() {
    return this.line.at(-1) ?? this.root;
  }

  // Removes a move and what follows it; returns its parent.
  remove(node) {
    const {parent} = node;
    parent.children = parent.children.filter((child) => child !== node);
    if (parent.next === node) parent.next = parent.children[0] ?? null;
    return parent;
  }

  // Makes the variation that contains the node the main line.
  promote(node) {
    for (let at = node; at.parent; at = at.parent) {
      const {children} = at.parent;
      at.parent.children = [at, ...children.filter((child) => child !== at)];
    }
  }

  isWhite(node) {
    return (node.ply + (this.blackFirst ? 1 : 0)) % 2 === 1;
  }

  number(ply) {
    return this.firstNumber + Math.floor((ply - 1 + (this.blackFirst ? 1 : 0)) / 2);
  }

  // '12. Nc6' or '12…Nc6'.
  label(node, san = node.san) {
    if (!node.parent) return 'Start';
    return `${this.number(node.ply)}${this.isWhite(node) ? '.' : '…'}${san}`;
  }

  // The moves of each variation's end, main line first: enough to build the tree again.
  leaves(max) {
    const found = [];
    const visit = (node) => {
      if (found.length >= max) return;
      if (!node.children.length) found.push(node);
      node.children.forEach(visit);
    };
    visit(this.root);
    return found.map((node) => node.path.map(({text}) => text));
  }
}

export const SYMBOLS = {inaccuracy: '?!', mistake: '?', blunder: '??', best: '', good: ''};
export const WORDS = {
  inaccuracy: 'inaccuracy', mistake: 'mistake', blunder: 'blunder', best: 'best move', good: 'good',
};

export const percent = (value) => `${Math.round(value * 100)} %`;

export function scoreText(score) {
  if (!score) return '–';
  if (Number.isFinite(score.mate)) return `${score.mate < 0 ? '−' : ''}#${Math.abs(score.mate)}`;
  return pawns(score.cp);
}

// What a score of mate means, in words; empty for others.
export function mateText(score) {
  if (!score?.mate) return '';
  return `${score.mate > 0 ? 'White' : 'Black'} mates in ${Math.abs(score.mate)}`;
}

export function pawns(cp, digits = 2) {
  const text = (Math.abs(cp) / 100).toFixed(digits);
  if (Number(text) === 0) return text;
  return `${cp < 0 ? '−' : '+'}${text}`;
}

export function short(count) {
  if (!(count >= 0)) return '–';
  if (count < 1e3) return String(count);
  if (count < 1e6) return `${(count / 1e3).toFixed(count < 1e4 ? 1 : 0)} k`;
  if (count < 1e9) return `${(count / 1e6).toFixed(count < 1e7 ? 2 : 1)} M`;
  return `${(count / 1e9).toFixed(2)} G`;
}
