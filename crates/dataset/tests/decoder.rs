//! The decoder against the plainest way to say the same.

#[path = "support/records.rs"]
mod support;

use dataset::{
    Batch, Chunk, DecodeOptions, GameList, Loader, LoaderOptions, Order, PolicyTarget, Record,
    Writer,
};
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{BoardGame, Color, GameScore, PerspectiveCount, ToolkitGame};
use support::records;

fn games() -> GameList {
    GameList::new().with::<Chess>().with::<Hexchess>().with::<ConnectFour>()
}

/// The records in a file and back, in their order.
fn chunk<G: ToolkitGame>(records: &[Record<G>]) -> Chunk {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    let mut writer = Writer::create(&path, "").unwrap();
    for record in records {
        writer.write(record).unwrap();
    }
    writer.finish().unwrap();
    let options =
        LoaderOptions { order: Order::Sequential, window: 200, ..LoaderOptions::default() };
    Loader::open(G::NAME, &[path], options).unwrap().next(records.len()).unwrap()
}

fn known<T: Into<f32>>(value: Option<T>) -> f32 {
    value.map_or(f32::NAN, Into::into)
}

fn target<G: ToolkitGame>(position: &G, mv: G::Move) -> PolicyTarget {
    let index = position.policy_index(mv);
    PolicyTarget { from: index.from as u16, to: index.to as u16 }
}

/// NaN is equal to NaN here.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn check<G: ToolkitGame>(name: &str, options: DecodeOptions) {
    let set = G::feature_set(name).unwrap();
    let records = records::<G>(8, 1500);
    let chunk = chunk(&records);
    let decoder = games().decoder(name, options).unwrap();
    let perspectives = if set.perspectives() == PerspectiveCount::Two { 2 } else { 1 };
    let factors = if options.factorise { set.factors() } else { 0 };
    assert_eq!((decoder.perspectives(), decoder.inputs()), (perspectives, set.size() + factors));
    let mut batch = Batch::new(perspectives);
    for range in [0..1500, 700..703, 17..900] {
        decoder.decode(&chunk, range.clone(), &mut batch).unwrap();
        assert_eq!((batch.len(), batch.perspectives), (range.len(), perspectives));
        for (place, record) in records[range.clone()].iter().enumerate() {
            let side = record.position.side_to_move();
            for perspective in 0..perspectives {
                let color =
                    if perspectives == 1 { Color::White } else { [side, !side][perspective] };
                let mut expected = games::sorted_active(&*set, &record.position, color);
                if factors > 0 {
                    let behind = |&feature| set.size() as u32 + set.factor(feature);
                    expected.extend(expected.clone().iter().map(behind));
                    expected.sort_unstable();
                }
                let mut found = batch.row(place, perspective).to_vec();
                found.sort_unstable();
                assert_eq!(found, expected, "{name}: {record:?}");
            }
            check_targets(&batch, place, record);
            let next = records[range.clone()].get(place + 1);
            let goes_on = next.is_some_and(|n| n.game == record.game && n.ply == record.ply + 1);
            assert_eq!(batch.continues[place], goes_on, "{record:?}");
            check_moves(&batch, place, record, options);
            check_quantiles(&batch, place, record, options);
        }
    }
}

fn check_targets<G: ToolkitGame>(batch: &Batch, place: usize, record: &Record<G>) {
    assert_eq!(usize::from(batch.pieces[place]), record.position.piece_count());
    assert!(same(batch.scores[place], known(record.score)), "{record:?}");
    assert!(same(batch.results[place], known(record.result.map(GameScore::as_f32))), "{record:?}");
    let deepest = record.depths.last().map(|pair| pair.score).or(record.score);
    assert!(same(batch.deepest[place], known(deepest)), "{record:?}");
}

fn check_moves<G: ToolkitGame>(
    batch: &Batch,
    place: usize,
    record: &Record<G>,
    options: DecodeOptions,
) {
    let position = &record.position;
    if options.policy {
        let expected = record.best_move.map(|mv| target(position, mv));
        assert_eq!(batch.policy[place], expected, "{record:?}");
    } else {
        assert!(batch.policy.is_empty());
    }
    if options.noisy {
        let expected = record.best_move.is_some_and(|mv| position.is_noisy(mv));
        assert_eq!(batch.noisy[place], expected, "{record:?}");
    } else {
        assert!(batch.noisy.is_empty());
    }
    if options.legal_moves {
        let moves = position.legal_moves();
        let expected: Vec<_> = moves.iter().map(|&mv| target(position, mv)).collect();
        assert_eq!(batch.legal[batch.legal_range(place)], expected);
        let best = record.best_move.map(|best| moves.iter().position(|&mv| mv == best).unwrap());
        assert_eq!(batch.best_legal[place].map(usize::from), best);
    } else {
        assert!(batch.legal.is_empty() && batch.legal_starts.is_empty());
    }
}

fn check_quantiles<G: ToolkitGame>(
    batch: &Batch,
    place: usize,
    record: &Record<G>,
    options: DecodeOptions,
) {
    let Some(found) = batch.quantiles.get(place) else { return assert!(!options.quantiles) };
    match record.quantiles {
        Some(own) => assert!(found.iter().zip(own).all(|(&a, b)| same(a, b.into()))),
        None if record.depths.len() < 2 => assert!(found.iter().all(|value| value.is_nan())),
        None => {
            let scores = || record.depths.iter().map(|pair| f32::from(pair.score));
            let (least, most) =
                (scores().fold(f32::MAX, f32::min), scores().fold(f32::MIN, f32::max));
            assert!(found.is_sorted(), "{found:?}");
            assert!(least <= found[0] && found[4] <= most, "{found:?} of {:?}", record.depths);
        }
    }
}

#[test]
fn batches_are_what_records_say() {
    let plain = DecodeOptions::default();
    let factorise = DecodeOptions { factorise: true, ..plain };
    let all = DecodeOptions {
        factorise: true,
        noisy: true,
        policy: true,
        legal_moves: true,
        quantiles: true,
        ..plain
    };
    for options in [plain, factorise, all, DecodeOptions { policy: true, ..plain }] {
        check::<Chess>("chess.piece-square", options);
        check::<Chess>("chess.piece-square-stm", options);
        check::<Chess>(
            "chess.piece-square-mirrored:0011/2233/4444/4444/4444/4444/4444/4444",
            options,
        );
        check::<Chess>("chess.halfka-hm", options);
        check::<ConnectFour>("connect_four.cells", options);
        for name in Hexchess::feature_set_names() {
            check::<Hexchess>(&name, DecodeOptions { quantiles: true, ..options });
        }
    }
}

#[test]
fn sets_that_no_game_has_are_refused() {
    for (name, word) in
        [("raw:12", "no game"), ("go.stones", "raw:N"), ("chess.no", "piece-square")]
    {
        let Err(error) = games().decoder(name, DecodeOptions::default()) else { panic!("{name}") };
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn positions_of_another_game_are_refused() {
    let chunk = chunk(&records::<ConnectFour>(8, 50));
    let decoder = games().decoder("chess.piece-square", DecodeOptions::default()).unwrap();
    let error = decoder.decode(&chunk, 0..50, &mut Batch::default()).unwrap_err();
    assert!(error.to_string().contains("data"), "{error}");
}
