//! A program in C gets the same answers as one in Rust, and errors where it should.
//!
//! Without a C compiler there is nothing to test, and the tests say so and pass. `CC` names another one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use nnue::{
    Accumulator, Architecture, Arithmetic, FileParameters, Network, NetworkFile, Parameters,
    Weights,
};
use tempfile::TempDir;

/// All heads and hidden layers; and floats, with one view and no hidden layer.
const ARCHITECTURES: [&str; 2] = [
    "(96→32)×2→16→1+3+5+7/9 screlu,crelu buckets=pieces:4",
    "chess.piece-square-stm 769→24→1 tanh/tanh",
];

#[test]
fn values_are_those_of_rust() {
    let Some(program) = Program::build() else { return };
    for text in ARCHITECTURES {
        let architecture: Architecture = text.parse().unwrap();
        let network = program.write_network("network", &architecture);
        let positions = positions(&architecture);
        assert!(positions.len() >= 20);
        let list: String = positions.iter().map(Position::line).collect();
        fs::write(program.path("positions"), list).unwrap();
        let printed = program.run(&["positions", "network", "positions"]);
        let expected = expected(&network, &positions);
        for (line, expected) in printed.lines().zip(expected.lines()) {
            assert_eq!(line, expected, "{text}");
        }
        assert_eq!(printed.lines().count(), expected.lines().count(), "{text}");
    }
}

#[test]
fn faults_are_errors() {
    let Some(program) = Program::build() else { return };
    program.write_network("network", &ARCHITECTURES[0].parse().unwrap());
    let bytes = fs::read(program.path("network")).unwrap();
    fs::write(program.path("truncated"), &bytes[..bytes.len() / 2]).unwrap();
    let printed = program.run(&["faults", "network", "truncated", "missing"]);
    assert_eq!(printed, format!("version {}\n", env!("CARGO_PKG_VERSION")));
}

/// `program.c`, compiled, in a directory of its own.
struct Program(TempDir);

impl Program {
    #[expect(clippy::print_stderr, reason = "says why nothing is tested")]
    fn build() -> Option<Self> {
        let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let present = Command::new(&compiler).arg("--version").output();
        if cfg!(windows) || !present.is_ok_and(|output| output.status.success()) {
            eprintln!("nothing tested: there is no C compiler `{compiler}`");
            return None;
        }
        let program = Self(tempfile::tempdir().unwrap());
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let library = library();
        let output = Command::new(&compiler)
            .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"])
            .arg("-I")
            .arg(root.join("include"))
            .arg(root.join("tests/program.c"))
            .arg(&library)
            .arg(format!("-Wl,-rpath,{}", library.parent().unwrap().display()))
            .arg("-o")
            .arg(program.path("program"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(program)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(self.path("program"));
        let output = command.current_dir(&self.0).args(arguments).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn write_network(&self, name: &str, architecture: &Architecture) -> Network {
        let file = network_file(architecture);
        fs::write(self.path(name), file.write()).unwrap();
        file.to_network().unwrap()
    }
}

/// The shared library, which Cargo builds together with the tests and lays beside them.
fn library() -> PathBuf {
    let test = env::current_exe().unwrap();
    let name = format!("{}accrue_nnue{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    test.parent().unwrap().join(name)
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }

    fn many<T: Number>(&mut self, count: usize) -> Vec<T> {
        (0..count).map(|_| T::from_around(self.below(2001) as i32 - 1000)).collect()
    }

    fn weights<W: Number, B: Number>(&mut self, inputs: usize, outputs: usize) -> Weights<W, B> {
        Weights { weights: self.many(inputs * outputs), bias: self.many(outputs) }
    }
}

/// What weights are made of.
trait Number {
    /// A weight of a usual size, from −1000 to 1000.
    fn from_around(around: i32) -> Self;
}

impl Number for f32 {
    fn from_around(around: i32) -> Self {
        around as Self / 2000.0
    }
}

impl Number for i16 {
    fn from_around(around: i32) -> Self {
        (around / 16) as Self
    }
}

impl Number for i8 {
    fn from_around(around: i32) -> Self {
        (around / 25) as Self
    }
}

impl Number for i32 {
    fn from_around(around: i32) -> Self {
        around
    }
}

fn network_file(architecture: &Architecture) -> NetworkFile {
    let parameters: FileParameters = match architecture.arithmetic() {
        Arithmetic::Integer => FileParameters::Integer(parameters(architecture)),
        Arithmetic::Float => FileParameters::Float(parameters(architecture)),
    };
    NetworkFile::new(architecture.clone(), parameters, "a test".to_owned(), None).unwrap()
}

fn parameters<W, H, O, B>(architecture: &Architecture) -> Parameters<W, H, O, B>
where
    W: Number,
    H: Number,
    O: Number,
    B: Number,
{
    let mut random = Random(7);
    let width = architecture.accumulator.width;
    let buckets = architecture.buckets.count;
    let mut inputs = architecture.accumulator_outputs();
    let policy = architecture.policy().map(|head| random.weights(inputs, head.outputs()));
    let mut hidden = Vec::new();
    for layer in &architecture.hidden {
        hidden.push(random.weights(inputs, buckets * layer.width));
        inputs = layer.outputs();
    }
    let heads = architecture.layer_heads();
    let heads = heads.map(|head| random.weights(inputs, buckets * head.outputs())).collect();
    Parameters {
        feature_weights: random.many(architecture.inputs * width),
        feature_bias: random.many(width),
        hidden,
        heads,
        policy,
    }
}

/// A position as `program.c` reads it.
struct Position {
    side_to_move: usize,
    pieces: usize,
    views: [View; 2],
}

#[derive(Clone, Default)]
struct View {
    active: Vec<u32>,
    added: Vec<u32>,
    removed: Vec<u32>,
}

impl Position {
    fn line(&self) -> String {
        let mut line = format!("{} {}", self.side_to_move, self.pieces);
        for list in self.views.iter().flat_map(|view| [&view.active, &view.added, &view.removed]) {
            write!(line, " {}", list.len()).unwrap();
            for feature in list {
                write!(line, " {feature}").unwrap();
            }
        }
        line + "\n"
    }
}

/// Thirty positions, each a few features away from the one before.
fn positions(architecture: &Architecture) -> Vec<Position> {
    let mut random = Random(11);
    let mut views = [View::default(), View::default()];
    let mut positions = Vec::new();
    for ply in 0..30 {
        for View { active, added, removed } in &mut views {
            added.clear();
            removed.clear();
            for _ in 0..=random.below(4) {
                if active.len() > 8 {
                    removed.push(active.swap_remove(random.below(active.len())));
                }
            }
            for _ in 0..=random.below(5) {
                let feature = random.below(architecture.inputs) as u32;
                if !active.contains(&feature) && !removed.contains(&feature) {
                    active.push(feature);
                    added.push(feature);
                }
            }
        }
        let pieces = views[0].active.len();
        positions.push(Position { side_to_move: ply % 2, pieces, views: views.clone() });
    }
    positions
}

/// What `program.c` is to print.
fn expected(network: &Network, positions: &[Position]) -> String {
    let architecture = network.architecture();
    let (features, width) = (architecture.inputs, architecture.accumulator.width);
    let views = architecture.perspectives.count();
    let mut text = format!("{architecture}\n{}\n{}\n", architecture.features, network.kernel());
    writeln!(text, "{features} {views} {width}").unwrap();
    let mut workspace = network.workspace();
    let mut accumulators = [Accumulator::new(network), Accumulator::new(network)];
    for position in positions {
        for (accumulator, view) in accumulators.iter_mut().zip(&position.views) {
            network.refresh(accumulator, &view.active);
        }
        let (side, pieces) = (position.side_to_move, position.pieces);
        let value = network.evaluate(accumulators.each_ref(), side, pieces, &mut workspace);
        write!(text, "{value} {value}").unwrap();
        let outputs = network.outputs(accumulators.each_ref(), side, pieces, &mut workspace);
        let (wdl, quantiles) = (outputs.wdl.is_some(), outputs.quantiles.is_some());
        write!(text, " | {} {} {}", outputs.value, u8::from(wdl), u8::from(quantiles)).unwrap();
        write_bits(&mut text, outputs.wdl.unwrap_or_default());
        for level in outputs.quantiles.unwrap_or_default() {
            write!(text, " {level}").unwrap();
        }
        if let Some(head) = architecture.policy() {
            let count = head.outputs() as u16;
            let mut logits = [0.0; 3];
            let rows = [0, count / 3, count - 1];
            network.policy(accumulators.each_ref(), side, &rows, &mut logits, &mut workspace);
            text.push_str(" |");
            write_bits(&mut text, logits);
        }
        text.push('\n');
    }
    text
}

fn write_bits(text: &mut String, numbers: [f32; 3]) {
    for number in numbers {
        write!(text, " {:08x}", number.to_bits()).unwrap();
    }
}
