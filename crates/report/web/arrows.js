// Arrows: the drawings of crates/report/src/board.rs as nodes.

import {svgNode} from './pieces.js';

/**
 * An arrow between two points, or a ring for a placement (without `from`). `weight` from 0 to 1 is
 * its strength; `kind` selects a colour of board.css.
 */
export function arrowNode(from, to, weight = 1, kind = 'best') {
  const strength = Math.min(Math.max(weight, 0), 1);
  const group = svgNode('g', {class: `kind-${kind}`, opacity: (0.35 + 0.5 * strength).toFixed(2)});
  const half = 1 + 1.5 * strength;
  if (!from || from === to) {
    const ring = {cx: to.x, cy: to.y, r: 8.4, fill: 'none', 'stroke-width': half * 1.2};
    group.append(svgNode('circle', {class: 'arrow', ...ring}));
    return group;
  }
  const length = Math.max(Math.hypot(to.x - from.x, to.y - from.y), 1);
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const head = 3 * half;
  // The line ends where the head begins.
  const neck = {x: to.x - dx * head, y: to.y - dy * head};
  const side = {x: -dy * 2 * half, y: dx * 2 * half};
  const corners = [to, {x: neck.x + side.x, y: neck.y + side.y},
    {x: neck.x - side.x, y: neck.y - side.y}];
  const points = corners.map(({x, y}) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  group.append(
    svgNode('line', {class: 'arrow', x1: from.x, y1: from.y, x2: neck.x.toFixed(1),
      y2: neck.y.toFixed(1), 'stroke-width': half * 1.4}),
    svgNode('polygon', {class: 'arrowhead', points}));
  return group;
}
