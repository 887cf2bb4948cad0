// Pieces: the drawings of crates/report/src/board/pieces.rs as nodes, and their names.

const SVG_SPACE = 'http://www.w3.org/2000/svg';
const PIECE_NAMES = {P: 'pawn', N: 'knight', B: 'bishop', R: 'rook', Q: 'queen', K: 'king'};

/** An SVG element with attributes. */
export function svgNode(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG_SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Whether a letter is a piece of White's, the side that moves first. */
export function isWhitePiece(letter) {
  return letter === letter.toUpperCase();
}

/** A piece around the origin, 20 units to a cell. */
export function pieceNode(letter) {
  const kind = letter.toUpperCase();
  const color = isWhitePiece(letter) ? 'white' : 'black';
  if (kind in PIECE_NAMES) return svgNode('use', {href: `#piece-${kind}`, class: color});
  if (isDisc(kind)) {
    return svgNode('circle', {r: 8, class: isWhitePiece(letter) ? 'first' : 'second'});
  }
  const text = svgNode('text', {class: `${color}-letter`, y: 3.6, 'text-anchor': 'middle',
    'font-size': 10, 'font-weight': 600}, kind);
  return svgNode('g', {}, svgNode('circle', {r: 8, class: color}), text);
}

/** What people call a piece: "white knight", "red disc". */
export function pieceName(letter) {
  const kind = letter.toUpperCase();
  if (isDisc(kind)) return isWhitePiece(letter) ? 'red disc' : 'yellow disc';
  return `${isWhitePiece(letter) ? 'white' : 'black'} ${PIECE_NAMES[kind] ?? kind}`;
}

function isDisc(kind) {
  return kind === 'X' || kind === 'O';
}
