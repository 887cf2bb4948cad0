//! Board drawing: what `d` prints, in squares or hexagons.

use games::{CellShape, GameHistory, ToolkitGame};

/// What `d` prints: the board from White's side, the FEN, the hash, and how the game ended if it
/// has.
pub(super) fn lines<G: ToolkitGame>(line: &GameHistory<G>) -> Vec<String> {
    let position = line.position();
    let mut lines = drawing(position);
    lines.push(String::new());
    lines.push(format!("Game: {}", G::NAME));
    lines.push(format!("Fen: {}", position.to_fen()));
    lines.push(format!("Key: {:016X}", position.hash()));
    lines.push(format!("To move: {}", position.side_to_move()));
    if let Some(outcome) = line.outcome() {
        let score = outcome.white.as_f32();
        lines.push(format!("Over: {}, {score} to White", outcome.reason));
    }
    lines
}

fn drawing<G: ToolkitGame>(position: &G) -> Vec<String> {
    match G::geometry().shape {
        CellShape::Square => squares(position),
        CellShape::Hexagon => hexagons(position),
    }
}

/// Cells with walls, ranks at the right, files below.
fn squares<G: ToolkitGame>(position: &G) -> Vec<String> {
    let cells = G::geometry().cells;
    let max = |of: fn(&games::Cell) -> f32| cells.iter().map(of).fold(0.0, f32::max) as usize;
    let (columns, rows) = (max(|cell| cell.x) + 1, max(|cell| cell.y) + 1);
    let mut letters = vec![vec![' '; columns]; rows];
    for (number, cell) in cells.iter().enumerate() {
        letters[cell.y as usize][cell.x as usize] = position.piece_on(number).unwrap_or(' ');
    }
    let wall = format!(" +{}", "---+".repeat(columns));
    let mut lines = vec![wall.clone()];
    for (row, letters) in letters.iter().enumerate().rev() {
        let letters: Vec<_> = letters.iter().map(char::to_string).collect();
        lines.push(format!(" | {} | {}", letters.join(" | "), row + 1));
        lines.push(wall.clone());
    }
    let files: Vec<_> = ('a'..).take(columns).map(String::from).collect();
    lines.push(format!("   {}", files.join("   ")));
    lines
}

/// How many letters lie between the centres of neighbouring files, and lines between those of a
/// file's cells.
const FILE: usize = 4;
const RANK: usize = 2;

/// Cells with walls; the name of each file stands below its lowest cell.
///
/// ```text
///  ___
/// / P \___
/// \___/   \
///     \___/
/// ```
fn hexagons<G: ToolkitGame>(position: &G) -> Vec<String> {
    let cells = G::geometry().cells;
    let between_files = 3_f32.sqrt() / 2.0;
    let column = |cell: &games::Cell| (cell.x / between_files).round() as usize * FILE;
    let height = |cell: &games::Cell| (cell.y * RANK as f32).round() as usize;
    let highest = cells.iter().map(height).max().unwrap_or(0);
    let width = cells.iter().map(column).max().unwrap_or(0) + FILE + 1;
    let mut rows = vec![vec![' '; width]; highest + 4];
    for (number, cell) in cells.iter().enumerate() {
        let (row, column) = (highest - height(cell) + 1, column(cell));
        rows[row - 1][column + 1..column + FILE].fill('_');
        rows[row + 1][column + 1..column + FILE].fill('_');
        for (row, left, right) in [(row, '/', '\\'), (row + 1, '\\', '/')] {
            rows[row][column] = left;
            rows[row][column + FILE] = right;
        }
        rows[row][column + FILE / 2] = position.piece_on(number).unwrap_or(' ');
        if let Some(file) = cell.name.strip_suffix('1').and_then(|file| file.chars().next())
            && cell.name.len() == 2
        {
            rows[row + 2][column + FILE / 2] = file;
        }
    }
    rows.into_iter().map(|row| format!(" {}", String::from_iter(row).trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;
    use games::chess::Chess;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;

    fn drawn<G: ToolkitGame>() -> String {
        lines(&GameHistory::new(G::start())).join("\n")
    }

    #[test]
    fn chess_is_drawn_in_squares() {
        let board = drawn::<Chess>();
        assert!(board.contains(" | r | n | b | q | k | b | n | r | 8\n"), "{board}");
        assert!(board.contains("   a   b   c   d   e   f   g   h\n"), "{board}");
        assert!(board.contains("Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        assert!(board.contains("Key: "));
        assert!(!board.contains("Over"));
    }

    /// The letters that stand between walls are the pieces of the board.
    #[test]
    fn every_piece_of_every_game_is_there() {
        fn compare<G: ToolkitGame>(position: &G) {
            let mut shown: Vec<char> = Vec::new();
            for line in drawing(position) {
                let letters: Vec<_> = line.chars().collect();
                let cells = letters.windows(5).filter(|cell| "|/\\".contains(cell[0]));
                let cells = cells.filter(|cell| "|/\\".contains(cell[4]) && cell[2] != '_');
                shown.extend(cells.map(|cell| cell[2]));
            }
            let cells = G::geometry().cells.len();
            let mut pieces: Vec<_> =
                (0..cells).map(|cell| position.piece_on(cell).unwrap_or(' ')).collect();
            shown.retain(|&letter| letter != ' ');
            pieces.retain(|&letter| letter != ' ');
            shown.sort_unstable();
            pieces.sort_unstable();
            assert_eq!(shown, pieces, "{}", drawing(position).join("\n"));
        }
        compare(&Chess::start());
        compare(&Hexchess::start());
        let mut discs = ConnectFour::start();
        discs.play(discs.legal_moves()[2]);
        compare(&discs);
    }

    #[test]
    fn hexchess_is_drawn_in_hexagons() {
        let board = drawn::<Hexchess>();
        let lines: Vec<_> = board.lines().collect();
        // f11 is alone at the top, f1 with its name at the bottom.
        assert_eq!(lines[0], format!("{:21} ___", ""), "{board}");
        assert_eq!(lines[1], format!("{:17} ___/ b \\___", ""), "{board}");
        assert_eq!(lines[22].trim(), "e \\___/ g", "{board}");
        assert_eq!(lines[23].trim(), "f", "{board}");
    }

    #[test]
    fn the_end_of_a_game_is_printed() {
        let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        let line = GameHistory::new(Chess::from_fen(mate).unwrap());
        assert!(lines(&line).contains(&"Over: checkmate, 0 to White".to_owned()));
    }
}
