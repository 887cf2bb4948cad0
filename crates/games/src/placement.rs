//! Piece placement: the first field of a FEN, for boards of squares.

use crate::FenError;

/// Parses the placement field of a FEN: rows from the top, separated by `/`; a letter is a piece, a
/// number a run of empty cells. `pieces` are the valid letters. Calls `put` with the cell (`row *
/// columns + column`, rows from the bottom) and the letter of each piece.
///
/// ```
/// let mut pieces = Vec::new();
/// games::parse_placement("2x/3/X2", 3, 3, "Xx", |cell, letter| pieces.push((cell, letter)))?;
/// assert_eq!(pieces, [(8, 'x'), (0, 'X')]);
/// # Ok::<(), games::FenError>(())
/// ```
pub fn parse_placement(
    field: &str,
    columns: usize,
    rows: usize,
    pieces: &str,
    mut put: impl FnMut(usize, char),
) -> Result<(), FenError> {
    let fault = |fault: String| FenError::field("board", field, fault);
    let found = field.split('/').count();
    if found != rows {
        return Err(fault(format!("has {found} rows; expected {rows}")));
    }
    for (row, text) in (0..rows).rev().zip(field.split('/')) {
        let (mut column, mut run) = (0, 0_usize);
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                if digit == 0 && run == 0 {
                    return Err(fault("a number of empty cells begins with 0".to_owned()));
                }
                // Larger than any board, and prevents overflow.
                run = (10 * run + digit as usize).min(10_000);
                continue;
            }
            column += std::mem::take(&mut run);
            if !pieces.contains(letter) {
                return Err(fault(format!("`{letter}` is neither one of {pieces} nor a number")));
            }
            if column < columns {
                put(row * columns + column, letter);
            }
            column += 1;
        }
        if column + run != columns {
            let cells = column + run;
            return Err(fault(format!("row {} has {cells} cells; expected {columns}", row + 1)));
        }
    }
    Ok(())
}

/// Prints the placement field that [`parse_placement`] parses.
pub fn print_placement(
    columns: usize,
    rows: usize,
    piece_on: impl Fn(usize) -> Option<char>,
) -> String {
    let mut field = String::new();
    for row in (0..rows).rev() {
        let mut empty = 0;
        for column in 0..columns {
            match piece_on(row * columns + column) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        field += &empty.to_string();
                    }
                    empty = 0;
                    field.push(letter);
                }
            }
        }
        if empty > 0 {
            field += &empty.to_string();
        }
        if row > 0 {
            field.push('/');
        }
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn boards_come_back_along_random_ones() {
        let mut random = Random::new(5);
        for _ in 0..500 {
            let (columns, rows) = (1 + random.below(14), 1 + random.below(14));
            let piece = |random: &mut Random| match random.below(4) {
                0 => Some('P'),
                1 => Some('q'),
                _ => None,
            };
            let cells: Vec<_> = (0..columns * rows).map(|_| piece(&mut random)).collect();
            let text = print_placement(columns, rows, |cell| cells[cell]);
            let mut read = vec![None; cells.len()];
            parse_placement(&text, columns, rows, "Pq", |cell, letter| read[cell] = Some(letter))
                .unwrap();
            assert_eq!(read, cells, "{text}");
        }
    }

    #[test]
    fn faults_are_named() {
        for (text, fault) in [
            ("3/3", "2 rows"),
            ("3/2/3", "row 2 has 2 cells"),
            ("3/3/X3", "row 1 has 4 cells"),
            ("3/*2/3", "`*` is neither"),
            ("99999999999999999999/3/3", "10000 cells"),
            ("", "1 rows"),
        ] {
            let error = parse_placement(text, 3, 3, "Xx", |_, _| {}).unwrap_err().to_string();
            assert!(error.contains(fault), "{text}: {error}");
        }
    }
}
