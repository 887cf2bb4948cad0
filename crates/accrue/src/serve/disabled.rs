//! No page, in a program that was built without it.

use super::Args;
use crate::Answer;
use crate::toolkit::Toolkit;

/// Refuses.
pub(crate) fn run(args: &Args, _toolkit: &Toolkit) -> anyhow::Result<Answer> {
    let Args { port, host, root, threads, open } = args;
    let _ = (port, host, root, threads, open);
    anyhow::bail!("this program was built without the page: build it with `--features serve`")
}
