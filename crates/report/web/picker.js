// The picker: which of several moves with one source and target is meant, such as a promotion.

import {pieceName, pieceNode, svgNode} from './pieces.js';

/** Opens a picker at the target. {choice: promise of the move or null, close()}. */
export function openPicker(board, moves) {
  const order = [...(board.game.pieces ?? '')];
  const rank = (move) => order.indexOf((move.piece ?? '').toUpperCase());
  // The strongest piece is last in the list of a game, and what people want first.
  const sorted = [...moves].sort((a, b) => rank(b) - rank(a));
  const element = document.createElement('div');
  element.className = 'picker';
  element.setAttribute('role', 'dialog');
  element.setAttribute('aria-modal', 'true');
  element.setAttribute('aria-label', 'Choose the piece');
  let settle;
  const choice = new Promise((resolve) => { settle = resolve; });
  const end = (move) => {
    element.remove();
    removeEventListener('pointerdown', outside, true);
    settle(move);
  };
  const outside = (event) => {
    if (element.contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    end(null);
  };
  for (const move of sorted) element.append(pickerButton(move, () => end(move)));
  element.addEventListener('keydown', (event) => pickerKey(event, element, end));
  addEventListener('pointerdown', outside, true);
  placePicker(element, board, sorted);
  board.append(element);
  element.firstChild.focus();
  return {choice, close: () => end(null)};
}

function pickerButton(move, run) {
  const button = document.createElement('button');
  button.type = 'button';
  button.title = move.san;
  if (move.piece) {
    button.setAttribute('aria-label', pieceName(move.piece).replace(/^(white|black) /, ''));
    button.append(svgNode('svg', {viewBox: '-10 -10 20 20', 'aria-hidden': 'true'},
      pieceNode(move.piece)));
  } else {
    button.append(move.san);
  }
  button.addEventListener('click', run);
  return button;
}

function pickerKey(event, element, end) {
  const buttons = [...element.children];
  const at = buttons.indexOf(document.activeElement);
  const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key]
    ?? (event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : 0);
  if (event.key === 'Escape') end(null);
  else if (step) buttons[(at + step + buttons.length) % buttons.length].focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Centres the row of pieces on the target, but not beyond the edges of the board. */
function placePicker(element, board, moves) {
  const {centres, width, height} = board.layout;
  const {x, y} = centres[moves[0].to];
  const half = (moves.length * 20 + 6) / 2;
  const middle = Math.min(Math.max(x, half), width - half);
  const box = board.svg.getBoundingClientRect();
  const unit = box.width / width;
  element.style.setProperty('--cell', `${Math.max(unit * 20, 40)}px`);
  element.style.left = `${(middle / width) * 100}%`;
  element.style.top = `${Math.min(y, height) * unit}px`;
}
