//! Exchanges on one square against a plain reading of the rule, and the two batches of moves, along random play.

use std::collections::HashMap;

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{BoardGame, Color, Game, SearchGame, Threats, ToolkitGame};

/// The same numbers each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn along_random_play<G: ToolkitGame>(games: usize, visit: impl FnMut(&G)) {
    random_play_from(&vec![G::start(); games], visit);
}

fn random_play_from<G: ToolkitGame>(starts: &[G], mut visit: impl FnMut(&G)) {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for start in starts {
        let mut position = start.clone();
        for _ in 0..120 {
            visit(&position);
            let moves = position.legal_moves();
            if moves.is_empty() || position.outcome_by_rule().is_some() {
                break;
            }
            // Captures make positions where exchanges are rich; take them half of the time.
            let captures: Vec<_> =
                moves.iter().copied().filter(|&mv| position.capture(mv).is_some()).collect();
            let choice =
                if captures.is_empty() || random.below(4) > 0 { &moves } else { &captures };
            position.play(choice[random.below(choice.len())]);
        }
    }
}

fn batches_are_all_moves<G: ToolkitGame>(starts: &[G]) -> usize {
    let mut tactical_moves = 0;
    random_play_from::<G>(starts, |position| {
        let (mut noisy, mut quiet) = (Vec::new(), Vec::new());
        position.for_each_noisy(|info| noisy.push(info.mv));
        position.for_each_quiet_move(|mv| quiet.push(mv));
        let (mut move_info, mut rest) = (Vec::new(), Vec::new());
        position.for_each_noisy(|info| move_info.push(info));
        position.for_each_quiet(|info| rest.push(info));
        let mut checks = Vec::new();
        position.for_each_quiet_check(|info| checks.push(info));
        let checking = rest.iter().filter(|info| info.check);
        assert!(checks.iter().eq(checking), "{}", position.to_fen());
        let expected = |moves: &[G::Move]| -> Vec<_> {
            moves.iter().map(|&mv| position.move_info(mv)).collect()
        };
        assert_eq!(move_info, expected(&noisy), "{}", position.to_fen());
        assert_eq!(rest, expected(&quiet), "{}", position.to_fen());
        tactical_moves += noisy.len();
        for &mv in &noisy {
            assert!(position.is_noisy(mv), "{mv:?} in {}", position.to_fen());
            assert!(position.capture(mv).is_some() || position.promotion_gain(mv) != 0);
        }
        for &mv in &quiet {
            assert!(!position.is_noisy(mv), "{mv:?} in {}", position.to_fen());
            assert!(position.capture(mv).is_none() && position.promotion_gain(mv) == 0);
        }
        let count = |moves: &[G::Move]| {
            let mut counts = HashMap::new();
            for &mv in moves {
                *counts.entry(mv).or_insert(0) += 1;
            }
            counts
        };
        let both: Vec<_> = noisy.into_iter().chain(quiet).collect();
        assert_eq!(count(&both), count(&position.legal_moves()), "{}", position.to_fen());
        for &mv in &both {
            assert!(position.moved_kind(mv) < G::PIECE_KINDS);
            let mut child = position.clone();
            child.play(mv);
            assert_eq!(
                position.gives_check(mv),
                child.is_check(),
                "{mv:?} in {}",
                position.to_fen()
            );
            assert_eq!(position.taken_kind(mv).is_some(), position.capture(mv).is_some());
            assert!(position.taken_kind(mv).is_none_or(|kind| kind < G::PIECE_KINDS));
        }
    });
    tactical_moves
}

#[test]
fn captures_and_quiet_moves_are_all_moves() {
    assert!(batches_are_all_moves(&vec![Chess::start(); 30]) > 1000);
    assert!(batches_are_all_moves(&vec![Hexchess::start(); 30]) > 1000);
    assert_eq!(batches_are_all_moves(&vec![ConnectFour::start(); 30]), 0);
    // Castling, in all its forms; pins, promotions and captures in passing.
    let rich = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "8/8/8/2k5/3Pp3/8/8/4K2B b - d3 0 1",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    ];
    let rich = rich.map(|fen| Chess::from_fen(fen).expect(fen));
    let frc = (0..960).step_by(60).filter_map(Chess::chess960_start);
    let starts: Vec<Chess> = frc.chain(rich.into_iter().cycle().take(32)).collect();
    assert!(batches_are_all_moves(&starts) > 1000);
}

/// The value of a piece in an exchange; that of the king only puts it last.
fn exchange_value<G: ToolkitGame>(letter: char) -> i32 {
    G::piece_value(letter.to_ascii_uppercase()).unwrap_or(20_000)
}

/// The cells of a colour from which a cell is attacked.
type Attackers = fn(&[Option<char>], usize, Color) -> Vec<usize>;

/// What the side to move gains by capturing on a cell, with its cheapest piece each time and for as long as it pays.
fn best_exchange<G: ToolkitGame>(
    board: &mut Vec<Option<char>>,
    cell: usize,
    side: Color,
    attackers: Attackers,
) -> i32 {
    let mine = attackers(board, cell, side);
    let letter = |board: &[Option<char>], from: usize| board[from].expect("a piece stands there");
    let Some(&from) = mine.iter().min_by_key(|&&from| exchange_value::<G>(letter(board, from)))
    else {
        return 0;
    };
    let mover = letter(board, from);
    let king = mover.eq_ignore_ascii_case(&'k');
    let before = board.clone();
    let gain = board[cell].map_or(0, exchange_value::<G>);
    board[cell] = Some(mover);
    board[from] = None;
    let walks_into_attack = king && !attackers(board, cell, !side).is_empty();
    let result = if walks_into_attack {
        0
    } else {
        (gain - best_exchange::<G>(board, cell, !side, attackers)).max(0)
    };
    *board = before;
    result
}

/// Who attacks a square of chess, by walking over the board.
fn chess_attackers(board: &[Option<char>], cell: usize, side: Color) -> Vec<usize> {
    let at = |x: i32, y: i32| {
        ((0..8).contains(&x) && (0..8).contains(&y)).then_some((y * 8 + x) as usize)
    };
    let own = |cell: usize, kinds: &str| {
        board[cell].is_some_and(|letter| {
            letter.is_uppercase() == (side == Color::White)
                && kinds.contains(letter.to_ascii_lowercase())
        })
    };
    let (x, y) = ((cell % 8) as i32, (cell / 8) as i32);
    let mut found = Vec::new();
    let behind = if side == Color::White { -1 } else { 1 };
    let steps = (-2..=2).flat_map(|dx| (-2..=2).map(move |dy| (dx, dy)));
    for (dx, dy) in steps.filter(|&step| step != (0, 0)) {
        let (dx, dy): (i32, i32) = (dx, dy);
        let near = |kinds| at(x + dx, y + dy).filter(|&cell| own(cell, kinds));
        if dx.abs() + dy.abs() == 3 {
            found.extend(near("n"));
        }
        if dx.abs().max(dy.abs()) > 1 {
            continue;
        }
        found.extend(near("k"));
        if dx != 0 && dy == behind {
            found.extend(near("p"));
        }
        let kinds = if dx == 0 || dy == 0 { "rq" } else { "bq" };
        let ray = (1..8).map_while(|n| at(x + n * dx, y + n * dy));
        found.extend(ray.into_iter().find(|&c| board[c].is_some()).filter(|&c| own(c, kinds)));
    }
    found
}

#[test]
fn exchanges_in_chess_gain_what_playing_them_out_gains() {
    let mut compared = 0;
    along_random_play::<Chess>(40, |position| {
        let squares = Chess::geometry().cells;
        for mv in position.legal_moves() {
            let text = position.move_text(mv);
            let named = |name: &str| squares.iter().position(|cell| cell.name == name).unwrap();
            let (from, to) = (named(&text[..2]), named(&text[2..4]));
            let mut board: Vec<_> = (0..64).map(|cell| position.piece_on(cell)).collect();
            let king = board[from].is_some_and(|letter| letter.eq_ignore_ascii_case(&'k'));
            if king && from.abs_diff(to) == 2 {
                assert_eq!(position.see_ge(mv, 0), Some(true), "castling");
                continue;
            }
            let gain = position.capture(mv).map_or(0, |capture| capture.victim)
                + position.promotion_gain(mv);
            if position.capture(mv).is_some() && board[to].is_none() {
                board[from / 8 * 8 + to % 8] = None;
            }
            let white = position.side_to_move() == Color::White;
            let promoted = text
                .chars()
                .nth(4)
                .map(|letter| if white { letter.to_ascii_uppercase() } else { letter });
            board[to] = promoted.or(board[from]);
            board[from] = None;
            let side = !position.side_to_move();
            let value = gain - best_exchange::<Chess>(&mut board, to, side, chess_attackers);
            let fen = position.to_fen();
            assert_eq!(position.see_ge(mv, value), Some(true), "{text} in {fen}: {value}");
            let more = position.see_ge(mv, value + 1);
            assert_eq!(more, Some(false), "{text} in {fen}: {value}");
            compared += 1;
        }
    });
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn exchanges_in_hexchess_are_worth_one_amount() {
    // One threshold divides what a move gains from what it does not.
    let mut losing = 0;
    along_random_play::<Hexchess>(20, |position| {
        for mv in position.legal_moves() {
            let taken = position.capture(mv).map_or(0, |capture| capture.victim);
            let most = taken + position.promotion_gain(mv);
            let gains = |threshold| position.see_ge(mv, threshold).unwrap();
            let value = (-1000..=most).rev().find(|&value| gains(value));
            let value = value.unwrap_or(-20_000);
            assert!(!gains(most + 1));
            assert!([1, 50, 400].iter().all(|&less| gains(value - less)));
            losing += usize::from(value < 0);
        }
    });
    assert!(losing > 100);
}

#[test]
fn threatened_pieces_of_chess_are_those_that_capturing_would_win() {
    let mut compared = 0;
    along_random_play::<Chess>(40, |position| {
        let side = position.side_to_move();
        let threats = position.threats(50);
        let mut board: Vec<_> = (0..64).map(|cell| position.piece_on(cell)).collect();
        for cell in 0..64 {
            let mine = board[cell].filter(|letter| letter.is_uppercase() == (side == Color::White));
            let expected = mine.is_some_and(|letter| !letter.eq_ignore_ascii_case(&'k'))
                && best_exchange::<Chess>(&mut board, cell, !side, chess_attackers) >= 50;
            let seen = if side == Color::White { cell } else { cell ^ 0o70 };
            let found = threats.threatened >> seen & 1 == 1;
            assert_eq!(found, expected, "square {cell} of {}", position.to_fen());
            compared += usize::from(expected);
        }
    });
    assert!(compared > 1000, "{compared}");
}

#[test]
fn threatened_pieces_of_hexchess_are_won_by_captures() {
    let cells = Hexchess::geometry().cells;
    let heights = || cells.iter().map(|cell| cell.y);
    let ends = heights().fold(f32::MAX, f32::min) + heights().fold(f32::MIN, f32::max);
    // A cell as the other side sees it.
    let across = |cell: usize| {
        let same = |other: f32, value: f32| (other - value).abs() < 0.01;
        let found = cells
            .iter()
            .position(|other| same(other.x, cells[cell].x) && same(other.y, ends - cells[cell].y));
        found.expect("the board is symmetric")
    };
    let mut captured = 0;
    along_random_play::<Hexchess>(40, |position| {
        let threatened = position.threats(50).threatened;
        let Some(passed) = position.null_move() else { return };
        let captures: Vec<_> = passed
            .legal_moves()
            .into_iter()
            .filter_map(|mv| Some((mv, passed.policy_index(mv).to, passed.capture(mv)?)))
            .collect();
        for &(mv, to, capture) in &captures {
            let is_cheapest = captures
                .iter()
                .all(|(_, other, by)| *other != to || by.attacker >= capture.attacker);
            let wins = passed.promotion_gain(mv) == 0
                && is_cheapest
                && position.piece_on(across_of(position, to, across)).is_some()
                && passed.see_ge(mv, 50) == Some(true);
            if wins {
                let text = passed.move_text(mv);
                assert_eq!(threatened >> across(to) & 1, 1, "{text} in {}", position.to_fen());
                captured += 1;
            }
        }
    });
    assert!(captured > 300, "{captured}");
    assert_eq!(ConnectFour::start().threats(50), Threats::UNKNOWN);
}

/// The cell of the board that the side which is not to move sees as `seen`.
fn across_of(position: &Hexchess, seen: usize, across: impl Fn(usize) -> usize) -> usize {
    if position.side_to_move() == Color::Black { seen } else { across(seen) }
}

fn quiet_moves_to_cells_without_attack_lose_nothing<G: ToolkitGame>() {
    let (mut safe, mut others) = (0, 0);
    along_random_play::<G>(40, |position| {
        let attacked = position.threats(50).attacked;
        position.for_each_quiet(|info| {
            if attacked >> info.index.to & 1 == 0 {
                let lost = position.see_ge(info.mv, 0) != Some(true);
                assert!(!lost, "{} in {}", position.move_text(info.mv), position.to_fen());
                safe += 1;
            } else {
                others += 1;
            }
        });
    });
    assert!(safe > others, "{safe} of {others} more");
}

#[test]
fn nothing_is_lost_where_nothing_attacks() {
    quiet_moves_to_cells_without_attack_lose_nothing::<Chess>();
    quiet_moves_to_cells_without_attack_lose_nothing::<Hexchess>();
}
