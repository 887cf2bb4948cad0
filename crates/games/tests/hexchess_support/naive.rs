//! Hexchess written plainly from the rules: an array of cells, rays walked step by step in cube coordinates,
//! every move tried and taken back if it leaves the king attacked. Slow, and meant to be obviously right.

use std::collections::BTreeMap;

/// Cube coordinates without the third, which is minus the sum of these two.
type At = (i32, i32);

const EDGES: [At; 6] = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];
const CORNERS: [At; 6] = [(1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2)];
const WHITE_STARTS: [&str; 9] = ["b1", "c2", "d3", "e4", "f5", "g4", "h3", "i2", "k1"];
const BLACK_STARTS: [&str; 9] = ["b7", "c7", "d7", "e7", "f7", "g7", "h7", "i7", "k7"];
const FILES: &str = "abcdefghikl";

/// A position.
#[derive(Clone, Debug)]
pub(crate) struct Naive {
    /// The letter on each cell, by [`slot`]; `.` for none.
    cells: [char; 121],
    white: bool,
    passed: Option<At>,
}

/// A move: from, to, and what a pawn becomes.
type Step = (At, At, Option<char>);

fn on_board((x, y): At) -> bool {
    x.abs() <= 5 && y.abs() <= 5 && (x + y).abs() <= 5
}

fn slot((x, y): At) -> usize {
    usize::try_from(11 * (x + 5) + y + 5).expect("a cell of the board")
}

fn name((x, y): At) -> String {
    let file = usize::try_from(x + 5).expect("a file");
    format!("{}{}", &FILES[file..=file], y + 6 + x.min(0))
}

fn cell(text: &str) -> At {
    let x = i32::try_from(FILES.find(&text[..1]).expect("a file")).expect("a small number") - 5;
    (x, text[1..].parse::<i32>().expect("a rank") - 6 - x.min(0))
}

fn all_cells() -> impl Iterator<Item = At> {
    (-5..=5).flat_map(|x| (-5..=5).map(move |y| (x, y))).filter(|&at| on_board(at))
}

fn add(a: At, b: At) -> At {
    (a.0 + b.0, a.1 + b.1)
}

fn knight_jumps() -> impl Iterator<Item = At> {
    let all = (-3..=3).flat_map(|x| (-3..=3).map(move |y| (x, y)));
    all.filter(|&(x, y): &At| {
        let mut lengths = [x.abs(), y.abs(), (x + y).abs()];
        lengths.sort_unstable();
        lengths == [1, 2, 3]
    })
}

impl Naive {
    /// Reads a FEN that is known to be good.
    pub(crate) fn from_fen(fen: &str) -> Self {
        let fields: Vec<_> = fen.split(' ').collect();
        let mut position = Self { cells: ['.'; 121], white: fields[1] == "w", passed: None };
        for (row, text) in fields[0].split('/').enumerate() {
            let rank = 11 - row;
            let half = (11 - rank).min(5);
            let mut file = 5 - half;
            let mut run = String::new();
            for letter in text.chars().chain(['/']) {
                if letter.is_ascii_digit() {
                    run.push(letter);
                    continue;
                }
                file += run.parse::<usize>().unwrap_or(0);
                run.clear();
                if letter != '/' {
                    position.cells[slot(cell(&format!("{}{rank}", &FILES[file..=file])))] = letter;
                    file += 1;
                }
            }
        }
        if fields[2] != "-" {
            position.passed = Some(cell(fields[2]));
        }
        position
    }

    fn piece(&self, at: At) -> Option<(char, bool)> {
        let letter = self.cells[slot(at)];
        (letter != '.').then(|| (letter.to_ascii_lowercase(), letter.is_ascii_uppercase()))
    }

    /// Where a piece could go if kings did not matter.
    fn reach(&self, from: At) -> Vec<At> {
        let Some((kind, white)) = self.piece(from) else { return Vec::new() };
        let leaps = |steps: &mut dyn Iterator<Item = At>| -> Vec<At> {
            steps.map(|step| add(from, step)).filter(|&to| on_board(to)).collect()
        };
        let reach = match kind {
            'n' => leaps(&mut knight_jumps()),
            'k' => leaps(&mut EDGES.into_iter().chain(CORNERS)),
            'r' => self.rays(from, &EDGES),
            'b' => self.rays(from, &CORNERS),
            'q' => [self.rays(from, &EDGES), self.rays(from, &CORNERS)].concat(),
            _ => self.pawn_reach(from, white),
        };
        let own = |at: &At| self.piece(*at).is_some_and(|(_, other)| other == white);
        reach.into_iter().filter(|at| !own(at)).collect()
    }

    fn rays(&self, from: At, steps: &[At]) -> Vec<At> {
        let mut reach = Vec::new();
        for &step in steps {
            let mut to = add(from, step);
            while on_board(to) {
                reach.push(to);
                if self.piece(to).is_some() {
                    break;
                }
                to = add(to, step);
            }
        }
        reach
    }

    fn pawn_captures(from: At, white: bool) -> [At; 2] {
        if white {
            [add(from, (-1, 1)), add(from, (1, 0))]
        } else {
            [add(from, (-1, 0)), add(from, (1, -1))]
        }
    }

    fn pawn_reach(&self, from: At, white: bool) -> Vec<At> {
        let mut reach = Vec::new();
        let ahead = if white { (0, 1) } else { (0, -1) };
        let (one, two) = (add(from, ahead), add(add(from, ahead), ahead));
        if on_board(one) && self.piece(one).is_none() {
            reach.push(one);
            let starts = if white { WHITE_STARTS } else { BLACK_STARTS };
            if starts.contains(&name(from).as_str()) && self.piece(two).is_none() {
                reach.push(two);
            }
        }
        for to in Self::pawn_captures(from, white) {
            if on_board(to) && (self.piece(to).is_some() || self.passed == Some(to)) {
                reach.push(to);
            }
        }
        reach
    }

    fn attacked(&self, target: At, by_white: bool) -> bool {
        all_cells().any(|from| match self.piece(from) {
            Some(('p', white)) if white == by_white => {
                Self::pawn_captures(from, white).contains(&target)
            }
            Some((_, white)) if white == by_white => self.reach(from).contains(&target),
            _ => false,
        })
    }

    fn king_attacked(&self, white: bool) -> bool {
        let king = all_cells().find(|&at| self.piece(at) == Some(('k', white)));
        self.attacked(king.expect("a king"), !white)
    }

    /// Whether the side to move is in check.
    pub(crate) fn is_check(&self) -> bool {
        self.king_attacked(self.white)
    }

    fn apply(&self, (from, to, promotion): Step) -> Self {
        let mut after = self.clone();
        let letter = self.cells[slot(from)];
        let pawn = letter.eq_ignore_ascii_case(&'p');
        after.cells[slot(from)] = '.';
        after.cells[slot(to)] = match promotion {
            Some(piece) if self.white => piece.to_ascii_uppercase(),
            Some(piece) => piece,
            None => letter,
        };
        after.passed = None;
        if pawn && self.passed == Some(to) {
            let behind = if self.white { (0, -1) } else { (0, 1) };
            after.cells[slot(add(to, behind))] = '.';
        }
        if pawn && from.0 == to.0 && (from.1 - to.1).abs() == 2 {
            after.passed = Some((from.0, i32::midpoint(from.1, to.1)));
        }
        after.white = !self.white;
        after
    }

    /// The positions after each legal move, by the text of the move.
    pub(crate) fn moves(&self) -> BTreeMap<String, Self> {
        let mut moves = BTreeMap::new();
        self.each_move(|(from, to, promotion), after| {
            let promotion = promotion.map(String::from).unwrap_or_default();
            moves.insert(format!("{}{}{promotion}", name(from), name(to)), after.clone());
        });
        moves
    }

    fn each_move(&self, mut visit: impl FnMut(Step, &Self)) {
        for from in all_cells() {
            let Some((kind, white)) = self.piece(from) else { continue };
            if white != self.white {
                continue;
            }
            for to in self.reach(from) {
                let ahead = if white { (0, 1) } else { (0, -1) };
                let last = kind == 'p' && !on_board(add(to, ahead));
                let becomes: &[_] =
                    if last { &[Some('q'), Some('r'), Some('b'), Some('n')] } else { &[None] };
                for &promotion in becomes {
                    let after = self.apply((from, to, promotion));
                    if !after.king_attacked(white) {
                        visit((from, to, promotion), &after);
                    }
                }
            }
        }
    }

    /// The number of lines of that many plies.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut nodes = 0;
        self.each_move(|_, after| nodes += after.perft(depth - 1));
        nodes
    }
}
