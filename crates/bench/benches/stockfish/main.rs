//! Stockfish's network in our hands and in those of the crate nnue-rs.
//!
//! `ACCRUE_STOCKFISH` names a Stockfish 15 binary, whose network it exports; without it there is nothing to
//! measure. An incremental evaluation is: copy the position, play a move, find what changed, update both
//! views (or refresh one whose king has moved) and evaluate.

#![expect(clippy::print_stdout, reason = "the table is the result")]

mod peer;

use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use bench::lines::random_games;
use bench::{Race, Stopwatch};
use games::chess::Chess;
use games::chess::cozy_chess::Move;
use games::{BoardGame, Color, Game};
use nnue::{Accumulator, AccumulatorStack, Kernel, Network, StockfishFile, write_stockfish};
use peer::Peer;
use search::GameInputs;

/// Where Stockfish lies.
const VARIABLE: &str = "ACCRUE_STOCKFISH";

fn main() -> Result<(), Box<dyn Error>> {
    let Some(engine) = env::var_os(VARIABLE) else {
        println!("nothing measured: {VARIABLE} is not set to a Stockfish 15 binary");
        return Ok(());
    };
    let file = StockfishFile::read(&export(Path::new(&engine))?)?;
    let peer = Peer::new(&write_stockfish(&file, true))?;
    let network = file.network();
    let ours: Vec<Network> =
        Kernel::available().into_iter().map(|kernel| network.clone().with_kernel(kernel)).collect();
    let games = random_games(21, 8);
    let positions = games.iter().flat_map(|game| game.iter().skip(12).step_by(16));
    let roots: Vec<Root> =
        positions.filter(|position| position.has_moves()).map(Root::new).collect();
    check(&network, &peer, &roots);
    println!(
        "{:<36} {:<24} {:>8} {:>8} {:>7}",
        "ns per evaluation, medians", "", "median", "best", "times"
    );
    print_rows(
        "incremental, every move of a position",
        incremental(&ours, &peer, &roots),
        ours.len(),
    );
    print_rows("refreshed", refreshed(&ours, &peer, &roots), ours.len());
    Ok(())
}

/// Asks the engine for its network.
fn export(engine: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("exported.nnue");
    let mut child = Command::new(engine).stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let commands = format!("export_net {}\nquit\n", path.display());
    child.stdin.take().ok_or("the engine takes no input")?.write_all(commands.as_bytes())?;
    child.wait()?;
    Ok(fs::read(path)?)
}

/// A position and its moves.
struct Root {
    position: Chess,
    moves: Vec<Move>,
}

impl Root {
    fn new(position: &Chess) -> Self {
        Self { position: position.clone(), moves: position.legal_moves() }
    }

    fn child(&self, mv: Move) -> Chess {
        let mut child = self.position.clone();
        child.play(mv);
        child
    }
}

fn stack(network: &Network) -> AccumulatorStack<&Network, Chess, GameInputs<Chess>> {
    let inputs = GameInputs::new(network.architecture()).expect("chess has the feature set");
    AccumulatorStack::new(network, inputs, Chess::start())
}

/// Checks that all children have the peer's values, which divides two terms by 16 and then adds them, where
/// Stockfish and we divide their sum.
fn check(network: &Network, peer: &Peer, roots: &[Root]) {
    let mut stack = stack(network);
    let (mut same, mut all) = (0, 0);
    for root in roots {
        stack.reset(root.position.clone());
        for &mv in &root.moves {
            let child = root.child(mv);
            stack.push(child.clone());
            let (ours, theirs) = (stack.evaluate(), peer.evaluate(&child));
            stack.pop();
            let near = [theirs, theirs - 1, theirs + 1].map(peer::centipawns);
            assert!(near.contains(&ours), "{}: {ours}, nnue-rs {theirs}", child.to_fen());
            same += u32::from(ours == near[0]);
            all += 1;
        }
    }
    println!(
        "{all} positions: the same centipawns in {same}, the others within one unit of 1/361\n"
    );
}

/// Every position one move away from a root.
fn incremental<'a>(ours: &'a [Network], peer: &'a Peer, roots: &'a [Root]) -> Race<'a> {
    let mut race = Race::default();
    for network in ours {
        let mut stack = stack(network);
        race.enter(network.kernel().name(), move |watch: &mut Stopwatch| {
            let mut sum = 0;
            for root in roots {
                stack.reset(root.position.clone());
                stack.evaluate();
                sum += watch.time(root.moves.len(), || {
                    let mut sum = 0;
                    for &mv in &root.moves {
                        stack.push(root.child(mv));
                        sum += i64::from(stack.evaluate());
                        stack.pop();
                    }
                    sum
                });
            }
            sum
        });
    }
    for (name, given) in [("nnue-rs, given changes", true), ("nnue-rs, given boards", false)] {
        let parents: Vec<_> = roots.iter().map(|root| peer.accumulator(&root.position)).collect();
        let mut place = peer.empty();
        race.enter(name, move |watch: &mut Stopwatch| {
            let mut sum = 0;
            for (root, parent) in roots.iter().zip(&parents) {
                sum += watch.time(root.moves.len(), || {
                    let mut sum = 0;
                    for &mv in &root.moves {
                        let child = root.child(mv);
                        if given {
                            peer.update_changes(&root.position, &child, parent, &mut place);
                        } else {
                            peer.update(&root.position, &child, parent, &mut place);
                        }
                        sum += i64::from(peer.evaluate_accumulator(&child, &place));
                    }
                    sum
                });
            }
            sum
        });
    }
    race
}

/// The roots, from nothing.
fn refreshed<'a>(ours: &'a [Network], peer: &'a Peer, roots: &'a [Root]) -> Race<'a> {
    let mut race = Race::default();
    for network in ours {
        let set = Chess::feature_set(&network.architecture().features).expect("chess has it");
        let mut views = [Accumulator::new(network), Accumulator::new(network)];
        let mut workspace = network.workspace();
        let mut active = Vec::new();
        race.enter(network.kernel().name(), move |watch: &mut Stopwatch| {
            watch.time(roots.len(), || {
                let mut sum = 0;
                for Root { position, .. } in roots {
                    for (view, color) in views.iter_mut().zip(Color::BOTH) {
                        active.clear();
                        set.active(position, color, &mut active);
                        network.refresh(view, &active);
                    }
                    let side = position.side_to_move() as usize;
                    let pieces = position.piece_count();
                    let value = network.evaluate(views.each_ref(), side, pieces, &mut workspace);
                    sum += i64::from(value);
                }
                sum
            })
        });
    }
    let mut place = peer.empty();
    race.enter("nnue-rs", move |watch: &mut Stopwatch| {
        watch.time(roots.len(), || {
            let mut sum = 0;
            for Root { position, .. } in roots {
                peer.refresh(position, &mut place);
                sum += i64::from(peer.evaluate_accumulator(position, &place));
            }
            sum
        })
    });
    race
}

/// Prints all, with how many times as long as our best kernel they take.
fn print_rows(task: &str, race: Race<'_>, ours: usize) {
    let timings = race.run();
    let (own, theirs) = timings.split_at(ours);
    let best = &own[ours - 1];
    for group in [own, theirs] {
        for timing in group {
            assert_eq!(timing.check, group[0].check, "{task}: {} is wrong", timing.name);
            println!(
                "{task:<36} {:<24} {:>8.1} {:>8.1} {:>6.1}×",
                timing.name,
                timing.nanoseconds(),
                timing.best(),
                timing.ratio(best),
            );
        }
    }
}
