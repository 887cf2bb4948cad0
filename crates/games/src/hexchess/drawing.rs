//! Board geometry of hexchess: the coordinates of the cells.

use super::cell::{CELLS, Cell, file_length};
use crate::{BoardGeometry, CellShape};

/// Files are columns of hexagons that share edges: √3 / 2 apart, each shifted by half a cell.
pub(super) fn geometry() -> BoardGeometry {
    let between_files = 3_f32.sqrt() / 2.0;
    let cells = (0..CELLS).map(Cell::numbered).map(|cell| {
        let shift = (file_length(5) - file_length(cell.file())) as f32 / 2.0;
        crate::Cell {
            name: cell.to_string(),
            x: cell.file() as f32 * between_files,
            y: (cell.rank() - 1) as f32 + shift,
            shade: cell.shade(),
        }
    });
    BoardGeometry { shape: CellShape::Hexagon, cells: cells.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_unit_apart() {
        let drawn = geometry().cells;
        for a in (0..CELLS).map(Cell::numbered) {
            for b in (0..CELLS).map(Cell::numbered) {
                let ((ax, ay), (bx, by)) = (a.coordinates(), b.coordinates());
                let (dx, dy) = (ax - bx, ay - by);
                let steps = dx.abs().max(dy.abs()).max((dx + dy).abs());
                let (p, q) = (&drawn[a.number()], &drawn[b.number()]);
                let distance = (p.x - q.x).hypot(p.y - q.y);
                assert_eq!(steps == 1, (distance - 1.0).abs() < 1e-5, "{a} {b}");
                assert!(steps == 0 || distance > 0.99, "{a} {b}");
            }
        }
    }
}
