//! The folder of a quickstart.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::Args;
use super::plan::Plan;
use crate::toolkit::Toolkit;
use pipeline::files;

/// The folder, kept from others as long as this lives.
pub(super) struct Folder {
    path: PathBuf,
    _lock: File,
}

const PLAN: &str = "quickstart.toml";
const LOCK: &str = "lock";

impl Folder {
    /// Opens the folder, and reads the plan if it is to be gone on with.
    pub(super) fn open(args: &Args, toolkit: &Toolkit) -> anyhow::Result<(Self, Option<Plan>)> {
        let game = args.game.as_deref().unwrap_or(toolkit.default_game());
        let path = args.out.clone().unwrap_or_else(|| format!("quickstart-{game}").into());
        let shown = path.display();
        // Engines of a match are words with commas between them, and commands are text.
        if path.to_str().is_none_or(|text| text.contains(',')) {
            bail!(
                "--out {shown}: a folder whose name has a comma or is not UTF-8 cannot be named in a match"
            );
        }
        fs::create_dir_all(&path).with_context(|| format!("cannot make the folder {shown}"))?;
        let lock = File::create(path.join(LOCK));
        let lock = lock.with_context(|| format!("cannot write into {shown}"))?;
        // Some file systems know no locks; their errors are not ours.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            bail!(
                "another quickstart is at work in {shown}; wait for it, or name another folder with --out"
            );
        }
        let folder = Self { path, _lock: lock };
        let plan = folder.plan(args)?;
        Ok((folder, plan))
    }

    fn plan(&self, args: &Args) -> anyhow::Result<Option<Plan>> {
        let shown = self.path.display();
        let path = self.file(PLAN);
        if !path.exists() {
            let entries = fs::read_dir(&self.path);
            let entries = entries.with_context(|| format!("cannot read {shown}"))?.flatten();
            // What a kill left of a file that was being written has a name with a dot.
            let is_ours = |name: &str| name == LOCK || name.starts_with('.');
            let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
            if let Some(name) = names.find(|name| !is_ours(name)) {
                bail!("{shown} holds `{name}` but no quickstart; name another folder with --out");
            }
            return Ok(None);
        }
        if !args.resume {
            if self.file("report.html").exists() {
                bail!(
                    "{shown} holds a finished quickstart: see {}; name another folder with --out for a new one",
                    self.file("report.html").display()
                );
            }
            bail!("{shown} holds a quickstart that was stopped; --resume goes on with it");
        }
        let plan = Plan::read(&path)?;
        plan.check(args).with_context(|| format!("cannot go on in {shown}"))?;
        Ok(Some(plan))
    }

    /// Where the folder is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file for people to read and change, unless it is there already.
    pub(super) fn write(&self, name: &str, text: &str) -> anyhow::Result<()> {
        let path = self.file(name);
        if path.exists() { Ok(()) } else { Ok(files::replace(&path, text.as_bytes())?) }
    }

    /// Writes the plan.
    pub(super) fn write_plan(&self, plan: &Plan) -> anyhow::Result<()> {
        Ok(files::replace(&self.file(PLAN), plan.text()?.as_bytes())?)
    }

    /// What is told when a signal stopped it.
    pub(super) fn how_to_resume(&self) -> String {
        format!("to go on: accrue quickstart --out {} --resume", self.path.display())
    }
}
