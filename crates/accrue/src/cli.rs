//! Command line: parses the arguments and turns the result of a command into an exit code.
//!
//! Exit codes: 0 for success; 1 for a negative result (`data check` found damage, `sprt` accepted
//! H0); 2 for a wrong command line or bad input; 128 plus the number of the signal for a training,
//! a match, a regret measurement, a tuning, a data generation, a quickstart or a loop that a signal stopped. A closed
//! output pipe is success.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::toolkit::Toolkit;
use crate::{
    bench, calibrate, data, datagen, eval, export, features, fit, games_list, ladder, looping,
    matches, net, openings, output, perft, quickstart, regret, serve, speed, sprt, train, tune,
    uci,
};

/// From the rules of a board game to a playing engine: data, training, search
#[derive(Debug, Parser)]
#[command(name = "accrue", version, about, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const AFTER_HELP: &str = "\
Exit codes: 0 success, 1 negative result, 2 wrong command line or bad input.

Without a command it is a UCI engine for chess GUIs: `help` lists its commands.

Arguments with spaces are UCI commands, run in order, as OpenBench passes them.

Examples:
  accrue quickstart           (from the rules of chess to a network, in five minutes)
  accrue serve --open         (play, analyse and watch in the browser)
  accrue                      (then: position startpos, go movetime 1000)
  accrue \"position startpos moves e2e4\" \"go depth 12\"
  accrue perft --depth 5
  accrue games
  accrue match new.accrue old.accrue --sprt 0,5
  accrue help perft";

#[derive(Debug, Subcommand)]
enum Command {
    Quickstart(quickstart::Args),
    Bench(bench::Args),
    Perft(perft::Args),
    Features(features::Args),
    Games(games_list::Args),
    Net(net::Args),
    Eval(eval::Args),
    Speed(speed::Args),
    Export(export::Args),
    Calibrate(calibrate::Args),
    Fit(fit::Args),
    Data(data::Args),
    Datagen(datagen::Args),
    Train(train::Args),
    Openings(openings::Args),
    Match(matches::Args),
    Regret(regret::Args),
    Sprt(sprt::Args),
    Tune(tune::Args),
    Ladder(ladder::Args),
    Loop(looping::Args),
    Serve(serve::Args),
}

/// Parses the command line and runs the command.
pub(crate) fn main(arguments: Vec<OsString>, toolkit: &Toolkit) -> ExitCode {
    if let Err(error) = toolkit.check() {
        output::complain(&error);
        return ExitCode::from(BAD_INPUT);
    }
    if let Some(lines) = uci_lines(arguments.get(1..).unwrap_or_default()) {
        return exit_code(uci::obey(&lines, toolkit).map(|()| Answer::Yes));
    }
    let cli = match parse(arguments, toolkit) {
        Ok(cli) => cli,
        // Help and the version are errors of clap too; clap decides which are failures. If the
        // message cannot be written, the exit code still reports the failure.
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { BAD_INPUT } else { 0 });
        }
    };
    exit_code(run(cli, toolkit))
}

/// Parses the arguments; `--game` takes the names of the toolkit's games, the first by default.
fn parse(arguments: Vec<OsString>, toolkit: &Toolkit) -> Result<Cli, clap::Error> {
    let command = with_games(Cli::command(), toolkit);
    Cli::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

fn with_games(command: clap::Command, toolkit: &Toolkit) -> clap::Command {
    let command = command.mut_args(|arg| match arg.get_id().as_str() {
        "game" => {
            let optional = arg.get_default_values().is_empty();
            let arg = arg.value_parser(toolkit.names());
            if optional { arg } else { arg.default_value(toolkit.default_game()) }
        }
        "from" | "to" if arg.get_value_names().is_some_and(|names| names == ["FORMAT"]) => {
            arg.value_parser(toolkit.formats().names())
        }
        _ => arg,
    });
    let names: Vec<_> = command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    names
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |sub| with_games(sub, toolkit)))
}

/// The arguments as lines of UCI, if they are UCI: no command of this program has a space in its
/// name.
fn uci_lines(arguments: &[OsString]) -> Option<Vec<String>> {
    let lines: Vec<_> = arguments.iter().map(|text| text.to_string_lossy().into_owned()).collect();
    let first = lines.first()?.trim_ascii();
    (first.contains(' ') && !first.starts_with('-')).then_some(lines)
}

fn exit_code(result: anyhow::Result<Answer>) -> ExitCode {
    match result {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(NO),
        Ok(Answer::Stopped { signal }) => ExitCode::from(STOPPED.saturating_add(signal)),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&error);
            ExitCode::from(BAD_INPUT)
        }
    }
}

const NO: u8 = 1;
const BAD_INPUT: u8 = 2;
/// The base of exit codes for signals, as in shells.
const STOPPED: u8 = 128;

/// The result of a command that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Success, or a positive result.
    Yes,
    /// A negative result.
    No,
    /// A signal stopped it early; nothing is lost.
    Stopped {
        /// The number of the signal.
        signal: u8,
    },
}

fn run(cli: Cli, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    let done = match cli.command {
        Some(Command::Quickstart(args)) => return quickstart::run(&args, toolkit),
        Some(Command::Data(args)) => return data::run(args, toolkit),
        Some(Command::Datagen(args)) => return datagen::run(&args, toolkit),
        Some(Command::Train(args)) => return train::run(&args, toolkit),
        Some(Command::Calibrate(args)) => return calibrate::run(&args, toolkit),
        Some(Command::Fit(args)) => return fit::run(&args, toolkit),
        Some(Command::Openings(args)) => return openings::run(&args, toolkit),
        Some(Command::Match(args)) => return matches::run(&args, toolkit),
        Some(Command::Regret(args)) => return regret::run(&args, toolkit),
        Some(Command::Sprt(args)) => return sprt::run(&args),
        Some(Command::Tune(args)) => return tune::run(&args, toolkit),
        Some(Command::Ladder(args)) => return ladder::run(&args, toolkit),
        Some(Command::Loop(args)) => return looping::run(&args, toolkit),
        Some(Command::Serve(args)) => return serve::run(&args, toolkit),
        Some(Command::Bench(args)) => bench::run(&args, toolkit),
        Some(Command::Perft(args)) => return perft::run(&args, toolkit),
        Some(Command::Features(args)) => return features::run(&args, toolkit),
        Some(Command::Games(args)) => games_list::run(&args, toolkit),
        Some(Command::Net(args)) => net::run(args, toolkit),
        Some(Command::Eval(args)) => return eval::run(&args, toolkit),
        Some(Command::Speed(args)) => speed::run(&args, toolkit),
        Some(Command::Export(args)) => export::run(&args, toolkit),
        None => uci::run(toolkit),
    };
    done.map(|()| Answer::Yes)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.into_iter().any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_with_spaces_are_uci() {
        let lines = |arguments: &[&str]| {
            let arguments: Vec<_> = arguments.iter().map(OsString::from).collect();
            uci_lines(&arguments)
        };
        let genfens = ["genfens 4 seed 1 book None ", "quit"];
        assert_eq!(lines(&genfens), Some(genfens.map(String::from).to_vec()));
        let setting = ["setoption name EvalFile value x", "bench", "quit"];
        assert!(lines(&setting).is_some());
        for plain in [&[][..], &["bench"], &["eval", "--fen", "a b"], &["--fen=a b"]] {
            assert_eq!(lines(plain), None);
        }
    }

    #[test]
    fn the_command_line_is_well_formed() {
        let toolkit = Toolkit::new().with_builtin_games();
        with_games(Cli::command(), &toolkit).debug_assert();
    }
}
