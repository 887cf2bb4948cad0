//! Serve command: `accrue serve` opens the local page to play, analyse, watch and compare.

#[cfg(not(feature = "serve"))]
#[path = "serve/disabled.rs"]
mod page;
#[cfg(feature = "serve")]
#[path = "serve/enabled.rs"]
mod page;

use std::path::PathBuf;

pub(crate) use page::run;
#[cfg(feature = "serve")]
pub(crate) use page::{MakeGame, Served};

/// Open a local page to play, analyse, train and compare in the browser
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The port; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    port: u16,

    /// The address to listen on. Any other than loopback demands the token that is printed
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    host: String,

    /// The folder whose trainings, matches and networks the page shows, and in which it starts
    /// quickstarts
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,

    /// Search threads of all pages together; all processors by default
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,

    /// Open the page in the default browser
    #[arg(long)]
    open: bool,
}

const AFTER_HELP: &str = "\
The page plays every game of the program at nine levels, analyses positions with the network's
quantile band, reviews games, shows trainings, data generation, loops and matches below --root while
they run, starts quickstarts, and describes networks. It needs no network access: everything is part
of this program.

Only this machine can open the page unless --host says otherwise; then whoever has the printed
address with its token can. Ctrl-C ends it; a quickstart that it runs is stopped and can be resumed.

Examples:
  accrue serve --open
  accrue serve --root runs --port 8000
  accrue serve --host 0.0.0.0        (prints an address with a token for other machines)";

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=1024).contains(threads));
    threads.ok_or_else(|| "expected a whole number from 1 to 1024".into())
}
