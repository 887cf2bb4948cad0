// Geometry: where the cells of a board are on the screen, 20 units to a cell.

export const CELL_UNIT = 20;
/** Room below a board of hexagons for the names of files. */
const NAMES_HEIGHT = 6;
/** Centres closer than this are on one line. */
const NEAR = 0.2;

/** A board of a game as one side sees it. Boards whose pieces fall are never turned. */
export class BoardLayout {
  constructor(game, orientation, hasNames = false) {
    this.game = game;
    this.turned = orientation === 'black' && !game.drops;
    const cellWidth = game.shape === 'hexagon' ? 2 / Math.sqrt(3) : 1;
    const right = Math.max(...game.cells.map((cell) => cell.x));
    const top = Math.max(...game.cells.map((cell) => cell.y));
    this.width = (right + cellWidth) * CELL_UNIT;
    const names = hasNames && game.shape === 'hexagon' ? NAMES_HEIGHT : 0;
    this.height = (top + 1) * CELL_UNIT + names;
    this.centres = game.cells.map(({x, y}) => ({
      x: ((this.turned ? right - x : x) + cellWidth / 2) * CELL_UNIT,
      y: ((this.turned ? y : top - y) + 0.5) * CELL_UNIT,
    }));
  }

  /** The cell at a point, or null: of regular cells, the one with the nearest centre. */
  cellAt(point) {
    let nearest = null;
    let least = (CELL_UNIT * 0.72) ** 2;
    this.centres.forEach(({x, y}, cell) => {
      const distance = (x - point.x) ** 2 + (y - point.y) ** 2;
      if (distance < least) {
        least = distance;
        nearest = cell;
      }
    });
    return nearest;
  }

  /**
   * The nearest cell in a direction (dx, dy), one of them 0. `anchor` is where the row or column
   * began: on hexagons, whose rows are zigzags, it keeps the way straight.
   */
  neighbour(cell, dx, dy, anchor) {
    const here = this.centres[cell];
    let best = null;
    let least = Infinity;
    this.centres.forEach((there, candidate) => {
      const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
      const across = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
      if (along < NEAR || across > along + NEAR) return;
      const drift = dx ? Math.abs(there.y - anchor.y) : Math.abs(there.x - anchor.x);
      const cost = along + across + drift / 4 + there.y / 1e4;
      if (cost < least) {
        least = cost;
        best = candidate;
      }
    });
    return best;
  }

  /**
   * The names at the edge: [{cell, text, edge: "file"|"rank"}], where all cells of a column or row
   * share them.
   */
  coordinates() {
    const file = (cell) => cell.name.replace(/\d+$/, '');
    const rank = (cell) => cell.name.replace(/^[A-Za-z]+/, '');
    const files = this.#edge('file', 'x', file, (a, b) => a.y > b.y);
    // A move of a board whose pieces fall names a column alone.
    if (this.game.drops) return files;
    return [...files, ...this.#edge('rank', 'y', rank, (a, b) => a.x < b.x)];
  }

  /** One name for each column ("x") or row ("y"), at the cell that is further `before`. */
  #edge(edge, axis, text, before) {
    const lines = new Map();
    for (const [number, cell] of this.game.cells.entries()) {
      const key = Math.round(this.centres[number][axis] / NEAR);
      const found = lines.get(key);
      if (!found) lines.set(key, {cell: number, text: text(cell), edge});
      else if (found.text !== text(cell)) return [];
      else if (before(this.centres[number], this.centres[found.cell])) found.cell = number;
    }
    return [...lines.values()];
  }
}
