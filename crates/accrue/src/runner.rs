//! Stage runner of the command line: prints the command of each stage, its progress and its result.

use arena::contest::ContestResult;
use games::ToolkitGame;
use nnue::ScoreModel;
use pipeline::stages::{
    CalibrateNetwork, CalibrationOutcome, DataReport, ExportNetwork, ExportReport, FitReport,
    FitSearch, GenerateData, PlayMatch, TrainNetwork, TrainingSummary, Watch,
};
use pipeline::{CommandLine, Context, StageRunner};

use crate::matches::contest::{self, ContestFormat, Verbosity};
use crate::signals::Signals;
use crate::toolkit::Toolkit;
use crate::{calibrate, datagen, export, fit, output, train};

/// Runs stages as the commands of the same names do.
#[derive(Debug)]
pub(crate) struct Runner<'a> {
    toolkit: &'a Toolkit,
    score_model: &'a ScoreModel,
    signals: &'a Signals,
    /// The number of the next stage, where stages are numbered.
    number: Option<u32>,
}

impl<'a> Runner<'a> {
    /// Prints each stage with its number, on lines of its own.
    pub(crate) fn numbered(
        toolkit: &'a Toolkit,
        score_model: &'a ScoreModel,
        signals: &'a Signals,
    ) -> Self {
        Self { toolkit, score_model, signals, number: Some(1) }
    }

    /// Prints a line for each stage.
    pub(crate) fn plain(
        toolkit: &'a Toolkit,
        score_model: &'a ScoreModel,
        signals: &'a Signals,
    ) -> Self {
        Self { toolkit, score_model, signals, number: None }
    }
}

impl<G: ToolkitGame> StageRunner<G> for Runner<'_> {
    type Error = anyhow::Error;

    fn context(&self) -> Context<'_> {
        self.toolkit.context(self.score_model, self.signals.stop())
    }

    fn announce(&mut self, title: &str, command: &CommandLine) -> anyhow::Result<()> {
        let Some(number) = &mut self.number else {
            return output::lines([format!("{title}: {command}")]);
        };
        let lines = [String::new(), format!("{number}. {title}"), format!("   {command}")];
        *number += 1;
        output::lines(lines)
    }

    fn note(&mut self, line: &str) -> anyhow::Result<()> {
        output::lines([line])
    }

    fn generate_data(&mut self, stage: &GenerateData) -> anyhow::Result<DataReport> {
        let report = datagen::generate::<G>(stage, &StageRunner::<G>::context(self))?;
        output::lines(datagen::lines(&report))?;
        Ok(report)
    }

    fn train(&mut self, stage: &TrainNetwork) -> anyhow::Result<TrainingSummary> {
        train::train(stage, &StageRunner::<G>::context(self), false)
    }

    fn export(&mut self, stage: &ExportNetwork) -> anyhow::Result<ExportReport> {
        let report = export::export::<G>(stage, &StageRunner::<G>::context(self))?;
        output::lines(export::lines(&report))?;
        Ok(report)
    }

    fn calibrate(&mut self, stage: &CalibrateNetwork) -> anyhow::Result<CalibrationOutcome> {
        let report = calibrate::calibrate::<G>(stage, &StageRunner::<G>::context(self))?;
        output::lines(calibrate::lines(stage, &report))?;
        Ok(report)
    }

    fn fit(&mut self, stage: &FitSearch) -> anyhow::Result<Option<FitReport>> {
        let report = fit::fit::<G>(stage, &StageRunner::<G>::context(self))?;
        if let Some(report) = &report {
            output::lines(fit::lines(report))?;
        }
        Ok(report)
    }

    fn play_match(
        &mut self,
        stage: &PlayMatch,
        watch: Watch<'_, G>,
    ) -> anyhow::Result<ContestResult> {
        let verbosity = Verbosity { report_every: 10, format: ContestFormat::Result };
        contest::play::<G>(stage, &StageRunner::<G>::context(self), verbosity, watch)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use arena::datagen::{DatagenOptions, Shard};
    use arena::networks::NetworkSource;
    use arena::{Adjudication, EngineSpec, Model, SearchLimits, Sprt};
    use pipeline::stages::StartNetwork;
    use search::SearchMode;
    use trainer::export::{ErrorBound, ExportOptions};

    use super::*;
    use crate::{calibrate, fit, matches, net};

    /// The arguments of a printed command, as the command line reads them.
    fn parse<A: clap::Args>(command: &CommandLine, name: &'static str) -> A {
        assert_eq!(command.words()[0], name);
        let parser = A::augment_args(clap::Command::new(name));
        let matches = parser.try_get_matches_from(command.words());
        let args = matches.and_then(|matches| A::from_arg_matches(&matches));
        args.unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    #[test]
    fn a_printed_datagen_is_its_stage() {
        let plain = GenerateData::new("chess", "games.data");
        let default = DatagenOptions::default();
        let mut rules = default.adjudication;
        rules.win = rules.win.map(|rule| arena::WinRule { moves: 4, score: 800, ..rule });
        rules.draw = None;
        let options = DatagenOptions {
            positions: 5,
            seed: 9,
            shard: Shard { index: 3, count: 8 },
            limits: SearchLimits { depth: Some(7), ..DatagenOptions::soft(300) },
            random_plies: 3,
            max_opening_score: None,
            adjudication: Adjudication { max_plies: Some(220), ..rules },
            filter: dataset::Filter { captures: false, ..default.filter },
            per_game: 10,
            tree_share: 0.5,
            depths: vec![4, 8],
        };
        let net = NetworkSource::new("it's a net").with_features(Some("chess.x".into()));
        let every = GenerateData {
            net: Some(net),
            openings: Some("book.epd".into()),
            mode: SearchMode::Auto,
            hash_mib: 2,
            threads: Some(2),
            options,
            ..plain.clone()
        };
        let book = GenerateData { openings: Some("book.epd".into()), ..plain.clone() };
        let book = GenerateData {
            options: DatagenOptions {
                random_plies: GenerateData::RANDOM_PLIES_AFTER_BOOK,
                filter: dataset::Filter::default(),
                ..default
            },
            ..book
        };
        for stage in [plain, every, book] {
            let args: datagen::Args = parse(&stage.command(), "datagen");
            assert_eq!(args.stage(), stage, "{}", stage.command());
        }
    }

    #[test]
    fn a_printed_match_is_its_stage() {
        let network =
            |name: &str| EngineSpec::of_network(name, "a.accrue", SearchMode::Classical, 100, 2);
        let plain = PlayMatch::new("chess", vec![network("a"), EngineSpec::random()]);
        let every = PlayMatch {
            engines: vec![network("a"), network("b"), network("c")],
            shape: arena::tournament::Shape::Gauntlet,
            limits: SearchLimits {
                depth: Some(9),
                nodes: Some(500),
                movetime: Some(std::time::Duration::from_millis(70)),
                ..SearchLimits::default()
            },
            time_margin: std::time::Duration::from_millis(20),
            rules: vec![("castling".into(), "chess960".into())],
            openings: Some("book.epd".into()),
            shuffle: true,
            random_plies: 2,
            seed: 7,
            adjudication: Adjudication {
                win: Some(arena::WinRule { moves: 4, score: 700, both: true }),
                draw: None,
                max_plies: Some(200),
            },
            games: 10,
            concurrency: 2,
            pgn: Some("games.pgn".into()),
            journal: Some("match.journal".into()),
            resume: true,
            ..plain.clone()
        };
        let sprt = PlayMatch {
            sprt: Some(Sprt::new(-1.0, 4.5, 0.05, 0.1, Model::Logistic).unwrap()),
            games: PlayMatch::MAX_SPRT_GAMES,
            adjudication: Adjudication {
                win: Some(PlayMatch::WIN_RULE),
                draw: Some(PlayMatch::DRAW_RULE),
                max_plies: None,
            },
            ..plain.clone()
        };
        for stage in [plain, every, sprt] {
            let args: matches::Args = parse(&stage.command(), "match");
            assert_eq!(args.stage().unwrap(), stage, "{}", stage.command());
        }
    }

    #[test]
    fn other_printed_commands_are_their_stages() {
        let train = TrainNetwork {
            config: "a b.toml".into(),
            overrides: vec!["schedule.rate=0.1".into()],
            threads: Some(2),
            resume: true,
        };
        let args: train::Args = parse(&train.command(), "train");
        assert_eq!(args.stage().unwrap(), train);

        let plain = ExportNetwork::new("runs/a", "net.accrue");
        let every = ExportNetwork {
            data: Some("games.data".into()),
            positions: 50,
            seed: 3,
            bound: ErrorBound { mean: 1.5, max: 20.0 },
            options: ExportOptions {
                float: true,
                accumulator: Some(100),
                hidden_shift: Some(7),
                policy_shift: Some(5),
                head: Some(90),
            },
            ..plain.clone()
        };
        for stage in [plain, every] {
            let args: export::Args = parse(&stage.command(), "export");
            assert_eq!(args.stage(), stage, "{}", stage.command());
        }

        let plain = CalibrateNetwork::new("net.accrue", vec![PathBuf::from("held.data")]);
        let mut every = plain.clone();
        every.out = Some("out.accrue".into());
        every.report = Some("page.html".into());
        every.options.clip = 1000;
        every.options.max_records = 77;
        every.options.order_positions = 3;
        every.options.order_depth = 2;
        every.options.search_positions = 5;
        every.options.search_depth = 6;
        every.score_positions = 0;
        for stage in [plain, every] {
            let args: calibrate::Args = parse(&stage.command(), "calibrate");
            assert_eq!(args.stage(), stage, "{}", stage.command());
        }
    }

    #[test]
    fn a_printed_fit_is_its_stage() {
        let plain = FitSearch::new("chess", "a net.accrue");
        let every = FitSearch {
            out: Some("fitted.accrue".into()),
            report: Some("fit.json".into()),
            samples: vec!["late.csv".into(), "cut.csv".into()],
            count: 300,
            max_games: Some(12),
            soft_nodes: 700,
            random_plies: 3,
            seed: 4,
            threads: Some(2),
            ..FitSearch::new("hexchess", "net.accrue")
        };
        for stage in [plain, every] {
            let args: fit::Args = parse(&stage.command(), "fit");
            assert_eq!(args.stage(), stage, "{}", stage.command());
        }
    }

    #[test]
    fn a_printed_start_can_be_read() {
        use pipeline::stages::StartWeights::{Material, Random};
        for weights in [Material { game: "chess".into() }, Random { config: "a.toml".into() }] {
            let command = StartNetwork { weights, out: "start.accrue".into() }.command();
            assert_eq!(command.words()[..2], ["net", "start"]);
            let words = &command.words()[1..];
            let parser =
                <net::start::StartArgs as clap::Args>::augment_args(clap::Command::new("net"));
            parser.try_get_matches_from(words).unwrap();
        }
    }
}
