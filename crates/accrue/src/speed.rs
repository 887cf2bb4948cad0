//! Speed command: `accrue speed` measures each operation of a network, compared with a copy of the
//! same bytes.

mod timing;

use nnue::{Accumulator, Architecture, IntegerParameters, Kernel, Network, PolicyHead};
use serde::Serialize;

use crate::network::ForeignArgs;
use crate::output;
use crate::toolkit::Toolkit;
use timing::{Random, Stopwatch, copy_floor};

/// Measure the speed of a network, for each kernel of this processor
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The network file; by default, networks of common shapes with random weights
    #[arg(long, value_name = "FILE")]
    net: Option<std::path::PathBuf>,

    #[command(flatten)]
    foreign: ForeignArgs,

    /// The time of each measurement in seconds
    #[arg(long, value_name = "S", default_value_t = 0.2, value_parser = seconds)]
    seconds: f64,

    /// Print one JSON array instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Nanoseconds, medians. `hot` uses 32 rows of weights that stay in the cache, `cold` all of them at
random. The floor is a memory copy of the bytes that the operation must write (update), read
(refresh, evaluate), or both.

Examples:
  accrue speed
  accrue speed --net nn.nnue
  accrue speed --net quantised.bin --architecture '(768->256)x2->1 screlu' --json";

/// The networks to measure without a file.
const USUAL: [&str; 5] = [
    "(768→256)×2→1 screlu",
    "(768→512)×2→1 screlu",
    "(768→1024)×2→1 screlu",
    "(768→256)×2→32→1 screlu,crelu",
    "(768→1024)×2→16→32→1+64/64 pairwise,crelu",
];

fn seconds(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (0.001..=60.0).contains(value));
    value.ok_or_else(|| "expected a number from 0.001 to 60".to_owned())
}

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<()> {
    let networks = match &args.net {
        Some(path) => vec![(**args.foreign.load(path, toolkit)?.network()).clone()],
        None => USUAL.iter().map(|text| random_network(text)).collect::<Result<_, _>>()?,
    };
    let stopwatch = Stopwatch::new(args.seconds);
    let tables: Vec<Table> = networks.iter().map(|network| measure(&stopwatch, network)).collect();
    if args.json {
        return output::json(&tables);
    }
    output::lines(tables.iter().flat_map(Table::lines))
}

/// The figures of one network.
#[derive(Serialize)]
struct Table {
    network: String,
    kernels: Vec<&'static str>,
    rows: Vec<Row>,
}

/// One operation.
#[derive(Serialize)]
struct Row {
    operation: &'static str,
    /// Nanoseconds of the copy.
    floor: f64,
    /// Nanoseconds, by kernel.
    nanoseconds: Vec<f64>,
}

impl Table {
    fn lines(&self) -> Vec<String> {
        let column = |text: String| format!("{text:>14}");
        let columns =
            |texts: Vec<String>| texts.into_iter().map(column).collect::<Vec<_>>().concat();
        let kernels = columns(self.kernels.iter().map(ToString::to_string).collect());
        let heading = format!("{:<34}{:>10}{kernels}{:>16}", "", "floor", "best / floor");
        let mut lines = vec![self.network.clone(), heading];
        for Row { operation, floor, nanoseconds } in &self.rows {
            let figures = columns(nanoseconds.iter().map(|ns| format!("{ns:.1}")).collect());
            let best = nanoseconds.iter().copied().fold(f64::INFINITY, f64::min);
            lines.push(format!("  {operation:<32}{floor:>10.1}{figures}{:>16.2}", best / floor));
        }
        lines.push(String::new());
        lines
    }
}

/// The number of active features of a position in these measurements.
const ACTIVE: usize = 32;

fn measure(stopwatch: &Stopwatch, network: &Network) -> Table {
    let kernels = Kernel::available();
    let architecture = network.architecture();
    let view = 2 * architecture.accumulator.width;
    let views = architecture.perspectives.count();
    let floors = [
        ("update, hot", copy_floor(stopwatch, views * view)),
        ("update, cold", copy_floor(stopwatch, views * view)),
        ("refresh one view, 32 features", copy_floor(stopwatch, ACTIVE * view)),
        ("evaluate", copy_floor(stopwatch, views * view)),
        ("update, cold + evaluate", copy_floor(stopwatch, 2 * views * view)),
        ("policy, 32 moves", copy_floor(stopwatch, views * view)),
    ];
    let columns: Vec<Vec<f64>> = kernels
        .iter()
        .map(|&kernel| Bench::new(network.clone().with_kernel(kernel)).run(stopwatch))
        .collect();
    let rows = floors.into_iter().enumerate().filter_map(|(place, (operation, floor))| {
        let nanoseconds = columns.iter().map(|column| column.get(place).copied());
        Some(Row { operation, floor, nanoseconds: nanoseconds.collect::<Option<_>>()? })
    });
    Table {
        network: architecture.to_string(),
        rows: rows.collect(),
        kernels: kernels.into_iter().map(Kernel::name).collect(),
    }
}

/// A network with the inputs of its measurement.
struct Bench {
    network: Network,
    parents: [Accumulator; 2],
    children: [Accumulator; 2],
    features: Vec<u32>,
}

impl Bench {
    fn new(network: Network) -> Self {
        let mut random = Random(7);
        let inputs = network.architecture().inputs;
        let features: Vec<u32> = (0..4096).map(|_| random.below(inputs) as u32).collect();
        let mut parents = [Accumulator::new(&network), Accumulator::new(&network)];
        for (place, parent) in parents.iter_mut().enumerate() {
            network.refresh(parent, &features[place * ACTIVE..][..ACTIVE]);
        }
        Self { children: parents.clone(), parents, network, features }
    }

    /// Nanoseconds of each operation, in the order of the table.
    fn run(mut self, stopwatch: &Stopwatch) -> Vec<f64> {
        let mut workspace = self.network.workspace();
        let mut figures = vec![
            stopwatch.time(|round| self.update(round % (ACTIVE - 2))),
            stopwatch.time(|round| self.update(round * 7 % 4000)),
            stopwatch.time(|round| {
                let active = &self.features[round * 11 % 4000..][..ACTIVE];
                self.network.refresh(&mut self.children[0], active);
            }),
            stopwatch.time(|round| {
                let views = [&self.parents[0], &self.parents[1]];
                std::hint::black_box(self.network.evaluate(views, round & 1, 32, &mut workspace));
            }),
            stopwatch.time(|round| {
                self.update(round * 7 % 4000);
                let views = [&self.children[0], &self.children[1]];
                std::hint::black_box(self.network.evaluate(views, round & 1, 32, &mut workspace));
            }),
        ];
        if let Some(PolicyHead { from, to, .. }) = self.network.architecture().policy() {
            let mut random = Random(3);
            let rows: Vec<u16> = (0..32)
                .flat_map(|_| [random.below(from) as u16, (from + random.below(to)) as u16])
                .collect();
            let mut logits = vec![0.0; rows.len()];
            figures.push(stopwatch.time(|round| {
                let views = [&self.parents[0], &self.parents[1]];
                self.network.policy(views, round & 1, &rows, &mut logits, &mut workspace);
                std::hint::black_box(&logits);
            }));
        }
        figures
    }

    /// Adds one feature and removes one, in each perspective of the network.
    #[inline]
    fn update(&mut self, place: usize) {
        let views = self.network.architecture().perspectives.count();
        for view in 0..views {
            let (added, removed) = (&self.features[place..][..1], &self.features[place + 1..][..1]);
            self.network.update(&self.parents[view], &mut self.children[view], added, removed);
        }
    }
}

/// An integer network of that shape with weights of the size that training gives.
fn random_network(text: &str) -> anyhow::Result<Network> {
    let architecture: Architecture = text.parse()?;
    let [mut feature, mut hidden, mut head, mut bias] = [1, 2, 3, 4].map(Random);
    let parameters = IntegerParameters::generate(
        &architecture,
        || feature.within(60) as i16,
        || hidden.within(40) as i8,
        || head.within(120) as i16,
        || bias.within(4000) as i32,
    );
    Ok(Network::from_integers(architecture, &parameters)?)
}
