//! No page, in a program that was built without it.

use games::ToolkitGame;

use super::Args;
use crate::Answer;
use crate::toolkit::{GameEntry, Toolkit};

/// Nothing: there is no page.
pub(crate) type Served = ();

/// Makes nothing.
pub(crate) struct MakeGame;

impl MakeGame {
    #[expect(clippy::unused_self, reason = "jobs are values with a method")]
    pub(crate) fn run<G: ToolkitGame>(self, _game: &GameEntry<G>, _toolkit: &Toolkit) -> Served {}
}

/// Refuses.
pub(crate) fn run(args: &Args, _toolkit: &Toolkit) -> anyhow::Result<Answer> {
    let Args { port, host, root, threads, open } = args;
    let _ = (port, host, root, threads, open);
    anyhow::bail!("this program was built without the page: build it with `--features serve`")
}
