//! Chess with one thing wrong.

use std::cell::Cell;

use games::chess::Chess;
use games::conformance::{Symmetric, Symmetry};
use games::{
    BoardGame, BoardGeometry, Capture, Changes, Color, FeatureIndex, FeaturePlace, FeatureSet,
    FeatureSetError, FenError, Game, GameScore, MoveError, NotatedGame, Outcome, PackedGame,
    PackedRows, PolicyIndex, PolicyShape, SearchGame, Update,
};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Nothing,
    HashWithoutSide,
    HashWithHistory,
    FenWithoutCastling,
    FenRefused,
    TextWithoutPromotion,
    TextLenient,
    CodeWithoutPromotion,
    LegalAnywhere,
    OutcomeOfCheck,
    CaptureWithoutEnPassant,
    PolicyWithoutFrom,
    NullMoveInCheck,
    PiecesMissing,
    NoReversiblePlies,
    ChangesForgetRemovals,
    ChangesKeepOld,
    ActiveTwice,
    AlwaysRefresh,
    BucketOfItsOwn,
    FeatureNameWrong,
    SymmetryKeepsSides,
    PerspectivesAlike,
    PackForgetsClock,
    PackTakesTooMuch,
    PackedPerspectivesSwapped,
    FactorTooLarge,
    FactorShared,
    PlacesOfTheOther,
}

thread_local! {
    /// The fault of every [`Broken`] game on this thread. Not a type parameter, because the suite would
    /// then be compiled for each fault.
    static FAULT: Cell<Fault> = const { Cell::new(Fault::Nothing) };
}

/// Breaks the games on this thread.
pub(crate) fn set_fault(fault: Fault) {
    FAULT.set(fault);
}

fn has(fault: Fault) -> bool {
    FAULT.get() == fault
}

/// Chess, wrong as [`set_fault`] said.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Broken {
    chess: Chess,
    /// How many moves were played; only a faulty hash looks at it.
    age: Age,
}

/// Equal to every other, so that it shows only where it is used.
#[derive(Clone, Debug)]
struct Age(u64);

impl PartialEq for Age {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Broken {
    fn new(chess: Chess) -> Self {
        Self { chess, age: Age(0) }
    }
}

impl Game for Broken {
    type Move = <Chess as Game>::Move;

    const NAME: &'static str = Chess::NAME;
    const REPETITIONS: Option<usize> = Chess::REPETITIONS;
    const POLICY: PolicyShape = Chess::POLICY;

    fn start() -> Self {
        Self::new(Chess::start())
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        let chess = Chess::from_fen(fen)?;
        if has(Fault::FenRefused) && chess.is_check() {
            return Err(FenError::illegal("check"));
        }
        Ok(Self::new(chess))
    }

    fn to_fen(&self) -> String {
        let fen = self.chess.to_fen();
        if !has(Fault::FenWithoutCastling) {
            return fen;
        }
        let mut fields: Vec<&str> = fen.split(' ').collect();
        fields[2] = "-";
        fields.join(" ")
    }

    fn side_to_move(&self) -> Color {
        self.chess.side_to_move()
    }

    fn hash(&self) -> u64 {
        match FAULT.get() {
            Fault::HashWithoutSide => {
                let fen = self.chess.to_fen();
                let board = fen.split(' ').next().unwrap_or_default();
                board.bytes().fold(0, |hash: u64, byte| {
                    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3).rotate_left(17)
                })
            }
            Fault::HashWithHistory => self.chess.hash() ^ self.age.0,
            _ => self.chess.hash(),
        }
    }

    fn for_each_move(&self, visit: impl FnMut(Self::Move)) {
        self.chess.for_each_move(visit);
    }

    fn play(&mut self, mv: Self::Move) {
        self.chess.play(mv);
        self.age.0 += 1;
    }

    fn outcome_without_moves(&self) -> Outcome {
        self.chess.outcome_without_moves()
    }

    fn outcome_by_rule(&self) -> Option<Outcome> {
        self.chess.outcome_by_rule()
    }

    fn outcome(&self) -> Option<Outcome> {
        if has(Fault::OutcomeOfCheck) && self.is_check() {
            return Some(Outcome::new(self.side_to_move(), GameScore::LOSS, "check"));
        }
        self.chess.outcome()
    }

    fn reversible_plies(&self) -> usize {
        if has(Fault::NoReversiblePlies) { 0 } else { self.chess.reversible_plies() }
    }

    fn move_text(&self, mv: Self::Move) -> String {
        let mut text = self.chess.move_text(mv);
        if has(Fault::TextWithoutPromotion) {
            text.truncate(4);
        }
        text
    }

    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError> {
        let text = if has(Fault::TextLenient) { text.trim() } else { text };
        self.chess.parse_move(text)
    }

    fn move_code(mv: Self::Move) -> u32 {
        let code = Chess::move_code(mv);
        if has(Fault::CodeWithoutPromotion) { code & 0xFFF } else { code }
    }

    fn is_legal(&self, mv: Self::Move) -> bool {
        has(Fault::LegalAnywhere) || self.chess.is_legal(mv)
    }

    fn policy_index(&self, mv: Self::Move) -> PolicyIndex {
        let index = self.chess.policy_index(mv);
        if has(Fault::PolicyWithoutFrom) { PolicyIndex { from: 0, ..index } } else { index }
    }
}

impl BoardGame for Broken {
    const PIECES: &'static str = "PNBRQK";

    fn geometry() -> BoardGeometry {
        Chess::geometry()
    }

    fn piece_count(&self) -> usize {
        self.chess.piece_count()
    }

    fn piece_on(&self, cell: usize) -> Option<char> {
        let piece = self.chess.piece_on(cell);
        if has(Fault::PiecesMissing) { piece.filter(|letter| *letter != 'q') } else { piece }
    }

    fn feature_set_names() -> Vec<String> {
        vec!["chess.piece-square".to_owned()]
    }

    fn feature_set(name: &str) -> Result<Box<dyn FeatureSet<Self>>, FeatureSetError> {
        Ok(Box::new(BrokenSet(Chess::feature_set(name)?)))
    }
}

impl SearchGame for Broken {
    fn is_check(&self) -> bool {
        self.chess.is_check()
    }

    fn null_move(&self) -> Option<Self> {
        if has(Fault::NullMoveInCheck) && self.is_check() {
            return Some(self.clone());
        }
        self.chess.null_move().map(Self::new)
    }

    fn capture(&self, mv: Self::Move) -> Option<Capture> {
        let capture = self.chess.capture(mv)?;
        let occupied = self.chess.board().occupied().has(mv.to);
        (!has(Fault::CaptureWithoutEnPassant) || occupied).then_some(capture)
    }

    fn promotion_gain(&self, mv: Self::Move) -> i32 {
        self.chess.promotion_gain(mv)
    }
}

impl PackedGame for Broken {
    fn pack(&self, ply: u16, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        self.chess.pack(ply, bytes);
        if has(Fault::PackForgetsClock) {
            bytes[start + 8] &= 0x80;
        }
    }

    fn unpack(ply: u16, bytes: &mut &[u8]) -> Option<Self> {
        let chess = Chess::unpack(ply, bytes)?;
        // What its FEN could not say would be found here first.
        if has(Fault::FenRefused) && chess.is_check() {
            return None;
        }
        if has(Fault::PackTakesTooMuch) {
            *bytes = &[];
        }
        Some(Self::new(chess))
    }
}

impl NotatedGame for Broken {}

/// A feature set of chess, wrong as [`set_fault`] said.
#[derive(Debug)]
struct BrokenSet(Box<dyn FeatureSet<Chess>>);

impl FeatureSet<Broken> for BrokenSet {
    fn name(&self) -> String {
        if has(Fault::FeatureNameWrong) { "chess.other".to_owned() } else { self.0.name() }
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn max_active(&self) -> usize {
        self.0.max_active() * 2
    }

    fn active_packed(
        &self,
        ply: u16,
        bytes: &mut &[u8],
        features: &mut Vec<FeatureIndex>,
    ) -> Option<PackedRows> {
        let rows = self.0.active_packed(ply, bytes, features)?;
        if has(Fault::PackedPerspectivesSwapped) {
            features.rotate_left(rows.middle);
        }
        Some(rows)
    }

    fn factors(&self) -> usize {
        if has(Fault::FactorTooLarge) || has(Fault::FactorShared) { 64 } else { 0 }
    }

    fn factor(&self, feature: FeatureIndex) -> FeatureIndex {
        if has(Fault::FactorTooLarge) { feature } else { feature % 64 / 2 }
    }

    fn refresh_buckets(&self) -> usize {
        usize::MAX
    }

    fn refresh_bucket(&self, position: &Broken, _: Color) -> usize {
        if has(Fault::BucketOfItsOwn) { position.hash() as usize >> 1 } else { 0 }
    }

    /// None but for the fault, so that other faults are found by what they break.
    fn place(&self, feature: FeatureIndex) -> Option<FeaturePlace> {
        let place = self.0.place(feature).filter(|_| has(Fault::PlacesOfTheOther))?;
        Some(FeaturePlace { theirs: !place.theirs, ..place })
    }

    fn active(&self, position: &Broken, perspective: Color, features: &mut Vec<FeatureIndex>) {
        let perspective = if has(Fault::PerspectivesAlike) { Color::White } else { perspective };
        self.0.active(&position.chess, perspective, features);
        if has(Fault::ActiveTwice) {
            features.extend(features.last().copied());
        }
    }

    fn changes(
        &self,
        before: &Broken,
        after: &Broken,
        perspective: Color,
        changes: &mut Changes,
    ) -> Update {
        let perspective = if has(Fault::PerspectivesAlike) { Color::White } else { perspective };
        let old = changes.added.clone();
        let update = self.0.changes(&before.chess, &after.chess, perspective, changes);
        match FAULT.get() {
            Fault::ChangesForgetRemovals => changes.removed.clear(),
            Fault::ChangesKeepOld => changes.added.extend(old),
            Fault::AlwaysRefresh => return Update::Refresh,
            Fault::BucketOfItsOwn
                if self.refresh_bucket(before, perspective)
                    != self.refresh_bucket(after, perspective) =>
            {
                return Update::Refresh;
            }
            _ => {}
        }
        update
    }
}

impl Symmetric for Broken {
    fn symmetries() -> Vec<Symmetry<Self>> {
        let keep = Symmetry {
            name: "nothing",
            swaps_colors: false,
            position: |position: &Self| Some(position.clone()),
            // Says that the moves are mirrored although the position is not.
            move_text: |text| text.replace('a', "h"),
        };
        let swap = Symmetry {
            name: "colours",
            swaps_colors: true,
            position: |position: &Self| {
                let swap = Chess::symmetries().into_iter().find(|s| s.swaps_colors)?;
                let chess = (swap.position)(&position.chess)?;
                Some(Self { chess, age: position.age.clone() })
            },
            move_text: |text| {
                let swap = Chess::symmetries().into_iter().find(|s| s.swaps_colors);
                swap.map_or_else(String::new, |swap| (swap.move_text)(text))
            },
        };
        if has(Fault::SymmetryKeepsSides) { vec![keep] } else { vec![swap] }
    }
}
