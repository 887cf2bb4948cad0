//! Conformance of notation: checks FEN, move texts, move codes and packed positions.

use std::collections::HashMap;

use super::{Failure, Plan, Property, ensure};
use crate::{Random, ToolkitGame};

/// Checks that the FEN parses to an equal position with the same hash.
pub(super) fn check_fen<G: ToolkitGame>(position: &G) -> Result<(), Failure> {
    let fen = position.to_fen();
    let read = G::from_fen(&fen).map_err(|error| Failure {
        property: Property::Fen,
        fen: fen.clone(),
        detail: format!("the position's own FEN is refused: {error}"),
    })?;
    ensure(read == *position, Property::Fen, position, || {
        format!("reads back as {read:?} instead of {position:?}")
    })?;
    ensure(read.to_fen() == fen, Property::Fen, position, || {
        format!("reads back and is written as `{}`", read.to_fen())
    })?;
    ensure(read.hash() == position.hash(), Property::Hash, position, || {
        format!("is {:016x}, but {:016x} after reading the FEN", position.hash(), read.hash())
    })
}

/// Checks that the packed bytes unpack to an equal position and that the bytes after them are
/// untouched. With any byte changed, unpacking must return either nothing or a playable position.
pub(super) fn check_pack<G: ToolkitGame>(
    position: &G,
    ply: usize,
    random: &mut Random,
) -> Result<(), Failure> {
    let hold =
        |holds: bool, detail: &dyn Fn() -> String| ensure(holds, Property::Pack, position, detail);
    for ply in [ply as u16, random.next_u64() as u16] {
        let mut bytes = vec![0xA5];
        position.pack(ply, &mut bytes);
        hold(bytes[0] == 0xA5, &|| "does not append".to_owned())?;
        let mut packed = bytes.split_off(1);
        for end in 0..packed.len() {
            let cut = G::unpack(ply, &mut &packed[..end]);
            hold(cut.is_none(), &|| format!("{end} bytes of {packed:?} give {cut:?}"))?;
        }
        let length = packed.len();
        packed.push(0x5A);
        let mut rest = packed.as_slice();
        let read = G::unpack(ply, &mut rest);
        hold(read.as_ref() == Some(position) && rest == [0x5A], &|| {
            format!("{packed:?} gives {read:?}, and {rest:?} is left of 5A")
        })?;
        let hash = read.map(|read| read.hash());
        hold(hash == Some(position.hash()), &|| format!("the hash changes to {hash:?}"))?;
        for place in 0..length {
            let mut damaged = packed.clone();
            damaged[place] ^= 1 << random.below(8);
            if let Some(other) = G::unpack(ply, &mut damaged.as_slice()) {
                let fen = other.to_fen();
                hold(G::from_fen(&fen).is_ok(), &|| {
                    format!("byte {place} changed, {damaged:?} gives what cannot be: `{fen}`")
                })?;
            }
        }
    }
    Ok(())
}

/// Checks that texts and codes of the legal moves are unique and map back to their moves.
pub(super) fn check_moves<G: ToolkitGame>(position: &G, moves: &[G::Move]) -> Result<(), Failure> {
    let (mut texts, mut codes) = (HashMap::new(), HashMap::new());
    for &mv in moves {
        let text = position.move_text(mv);
        let read = position.parse_move(&text);
        ensure(read.as_ref() == Ok(&mv), Property::MoveText, position, || {
            format!("{mv:?} is written `{text}`, which reads as {read:?}")
        })?;
        if let Some(other) = texts.insert(text.clone(), mv) {
            let detail = || format!("{mv:?} and {other:?} are both written `{text}`");
            ensure(false, Property::MoveText, position, detail)?;
        }
        let code = G::move_code(mv);
        let found = position.move_from_code(code);
        ensure(found == Some(mv), Property::MoveCode, position, || {
            format!("`{text}` has code {code}, which finds {found:?}")
        })?;
        if let Some(other) = codes.insert(code, mv) {
            let detail = || format!("{mv:?} and {other:?} both have code {code}");
            ensure(false, Property::MoveCode, position, detail)?;
        }
        ensure(position.is_legal(mv), Property::Legality, position, || {
            format!("`{text}` is listed but not legal")
        })?;
    }
    ensure(position.has_moves() != moves.is_empty(), Property::Legality, position, || {
        format!("there are {} moves, but has_moves is {}", moves.len(), position.has_moves())
    })
}

/// Checks that foreign moves, texts and codes are accepted exactly if they belong to a legal move.
pub(super) fn check_foreign<G: ToolkitGame>(
    position: &G,
    moves: &[G::Move],
    foreign: &[(G::Move, String)],
    plan: &Plan,
    random: &mut Random,
) -> Result<(), Failure> {
    let legal: HashMap<String, G::Move> =
        moves.iter().map(|&mv| (position.move_text(mv), mv)).collect();
    let check_text = |text: &str| {
        let (read, expected) = (position.parse_move(text).ok(), legal.get(text).copied());
        let another_way = |mv: G::Move| {
            let written = position.move_text(mv);
            moves.contains(&mv) && (plan.also_reads)(text, &written)
        };
        let fine = read == expected || expected.is_none() && read.is_some_and(another_way);
        ensure(fine, Property::MoveText, position, || {
            format!("`{text}` reads as {read:?}; expected {expected:?}")
        })
    };
    let check_code = |code: u32| {
        let expected = moves.iter().copied().find(|&mv| G::move_code(mv) == code);
        let found = position.move_from_code(code);
        ensure(found == expected, Property::MoveCode, position, || {
            format!("code {code} finds {found:?}; expected {expected:?}")
        })
    };
    for text in ["", " ", "-", "0", "0000", "é", "a1é", "🦀🦀"] {
        check_text(text)?;
    }
    for code in [0, u32::MAX, random.next_u64() as u32] {
        check_code(code)?;
    }
    for (mv, text) in foreign {
        check_text(text)?;
        check_text(&mutated(text, random))?;
        check_code(G::move_code(*mv))?;
        check_code(G::move_code(*mv) ^ 1 << random.below(32))?;
        ensure(position.is_legal(*mv) == moves.contains(mv), Property::Legality, position, || {
            format!("is_legal of {mv:?} is {}", position.is_legal(*mv))
        })?;
    }
    for text in legal.keys() {
        check_text(&mutated(text, random))?;
    }
    Ok(())
}

/// The text with one small mutation.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let strays: Vec<char> = "abcdefghiklz0123456789 QqNnKk=+\u{e9}".chars().collect();
    let stray = *random.pick(&strays).expect("there are strays");
    let place = random.below(letters.len() + 1);
    match random.below(4) {
        0 => letters.insert(place, stray),
        1 if place < letters.len() => drop(letters.remove(place)),
        2 if place < letters.len() => {
            letters[place] = if letters[place].is_lowercase() {
                letters[place].to_ascii_uppercase()
            } else {
                stray
            };
        }
        _ if place < letters.len() => letters[place] = stray,
        _ => letters.push(stray),
    }
    letters.into_iter().collect()
}
