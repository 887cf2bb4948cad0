//! Solved games: small boards of four in a row, and of three, against a full search.

use std::collections::HashMap;

use games::{
    BoardGame, BoardGeometry, Changes, Color, FeatureIndex, FeatureSet, FeatureSetError, FenError,
    Game, GameHistory, GameScore, NotatedGame, Outcome, PackedGame, PolicyIndex, PolicyShape,
    SearchGame, Update,
};
use search::{Control, Engine, EngineOptions, Limits, Score};

/// `K` in a row on a board of `W` columns and `H` rows. A column has a bit more than rows, which is
/// never set, so that rows of stones do not run on from one column into the next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct InARow<const W: usize, const H: usize, const K: usize> {
    /// The stones of the side to move.
    own: u64,
    all: u64,
}

impl<const W: usize, const H: usize, const K: usize> InARow<W, H, K> {
    fn has_row(stones: u64) -> bool {
        [1, H, H + 1, H + 2].iter().any(|&step| {
            let row = (1..K).fold(stones, |row, n| row & stones >> (n * step));
            row != 0
        })
    }

    fn is_lost(&self) -> bool {
        Self::has_row(self.own ^ self.all)
    }

    fn stones(&self) -> usize {
        self.all.count_ones() as usize
    }
}

impl<const W: usize, const H: usize, const K: usize> Game for InARow<W, H, K> {
    type Move = usize;

    const NAME: &'static str = "in a row";
    const REPETITIONS: Option<usize> = None;
    const POLICY: PolicyShape = PolicyShape { from: 1, to: W };

    fn start() -> Self {
        Self { own: 0, all: 0 }
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut position = Self::start();
        for column in fen.bytes() {
            position.play(usize::from(column - b'0'));
        }
        Ok(position)
    }

    fn to_fen(&self) -> String {
        format!("{:x} {:x}", self.own, self.all)
    }

    fn side_to_move(&self) -> Color {
        Color::BOTH[self.stones() % 2]
    }

    fn hash(&self) -> u64 {
        let mixed = (self.own ^ self.all.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    fn for_each_move(&self, visit: impl FnMut(usize)) {
        if !self.is_lost() {
            (0..W).filter(|column| self.all >> (column * (H + 1) + H - 1) & 1 == 0).for_each(visit);
        }
    }

    fn play(&mut self, column: usize) {
        self.own ^= self.all;
        self.all |= self.all + (1 << (column * (H + 1)));
    }

    fn outcome_without_moves(&self) -> Outcome {
        if self.is_lost() {
            Outcome::new(self.side_to_move(), GameScore::LOSS, "row")
        } else {
            Outcome::draw("full")
        }
    }

    fn move_text(&self, column: usize) -> String {
        column.to_string()
    }

    fn move_code(column: usize) -> u32 {
        column as u32
    }

    fn policy_index(&self, column: usize) -> PolicyIndex {
        PolicyIndex { from: 0, to: column }
    }
}

impl<const W: usize, const H: usize, const K: usize> BoardGame for InARow<W, H, K> {
    const PIECES: &'static str = "X";

    fn geometry() -> BoardGeometry {
        BoardGeometry { shape: games::CellShape::Square, cells: Vec::new() }
    }

    fn piece_on(&self, _cell: usize) -> Option<char> {
        None
    }

    fn piece_count(&self) -> usize {
        self.stones()
    }

    fn feature_set_names() -> Vec<String> {
        vec!["nothing".to_owned()]
    }

    fn feature_set(_name: &str) -> Result<Box<dyn FeatureSet<Self>>, FeatureSetError> {
        Ok(Box::new(Nothing))
    }
}

impl<const W: usize, const H: usize, const K: usize> SearchGame for InARow<W, H, K> {}

impl<const W: usize, const H: usize, const K: usize> PackedGame for InARow<W, H, K> {}

impl<const W: usize, const H: usize, const K: usize> NotatedGame for InARow<W, H, K> {}

/// The search has to find the result without any evaluation.
#[derive(Debug)]
struct Nothing;

impl<G: SearchGame> FeatureSet<G> for Nothing {
    fn name(&self) -> String {
        "nothing".to_owned()
    }

    fn size(&self) -> usize {
        1
    }

    fn max_active(&self) -> usize {
        0
    }

    fn active(&self, _: &G, _: Color, _: &mut Vec<FeatureIndex>) {}

    fn changes(&self, _: &G, _: &G, _: Color, changes: &mut Changes) -> Update {
        changes.clear();
        Update::Changes
    }
}

/// The value of a position for the side to move, 1, 0 or −1, by full search.
fn solve<G: SearchGame + Eq + std::hash::Hash>(position: &G, known: &mut HashMap<G, i32>) -> i32 {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let moves = position.legal_moves();
    let mut value = -1;
    if moves.is_empty() {
        let points = position.outcome_without_moves().score(position.side_to_move());
        value = i32::from(points.as_quarters()) / 2 - 1;
    }
    for mv in moves {
        let mut child = position.clone();
        child.play(mv);
        value = value.max(-solve(&child, known));
        if value == 1 {
            break;
        }
    }
    known.insert(position.clone(), value);
    value
}

fn value_of(score: Score) -> i32 {
    match score {
        Score::Mate(moves) => {
            if moves > 0 {
                1
            } else {
                -1
            }
        }
        Score::Centipawns(_) => 0,
    }
}

/// Searches the start and all positions within some plies to the end; returns the value of the
/// start.
fn agree<const W: usize, const H: usize, const K: usize>(plies: usize) -> i32 {
    let mut known = HashMap::new();
    let start = InARow::<W, H, K>::start();
    let mut engine =
        Engine::new(EngineOptions { hash_mib: 4, ..EngineOptions::default() }).unwrap();
    let mut positions = vec![start.clone()];
    for depth in 0..plies {
        let last: Vec<_> = positions.iter().filter(|p| p.stones() == depth).cloned().collect();
        for position in last {
            position.for_each_move(|mv| {
                let mut child = position.clone();
                child.play(mv);
                positions.push(child);
            });
        }
    }
    for position in positions {
        let expected = solve(&position, &mut known);
        engine.new_game();
        // Twice as deep as there are moves left: what is pruned near the end of the depth lies
        // beyond the end of the game.
        let limits = Limits::to_depth(2 * (W * H - position.stones()));
        let line = GameHistory::new(position);
        let result = engine.go(&line, &limits, &Control::new(), &mut |_| {});
        assert_eq!(value_of(result.score), expected, "{W}×{H}, {K}: {:?}", line.position());
        let mut next = line.position().clone();
        next.play(result.best.unwrap());
        let kept = -solve(&next, &mut known);
        assert_eq!(kept, expected, "{W}×{H}, {K}: {:?} gives it away", line.position());
    }
    solve(&start, &mut known)
}

#[test]
fn four_in_a_row_on_small_boards_is_a_draw() {
    assert_eq!(agree::<4, 4, 4>(2), 0);
    assert_eq!(agree::<5, 4, 4>(0), 0);
}

#[test]
fn three_in_a_row_is_won_by_the_first_player_where_there_is_room() {
    assert_eq!(agree::<3, 3, 3>(2), 0);
    assert_eq!(agree::<4, 3, 3>(2), 1);
    assert_eq!(agree::<4, 4, 3>(1), 1);
}
