//! Reading records, and what the network says of each.

use std::fs;

use anyhow::{Context, bail};
use arena::calibration::{Judged, LeftOut, Observation, Observer, is_fitted_on};
use dataset::Record;
use dataset::formats::{self, Format};
use games::Game;
use games::conformance::Random;

use super::Args;
use crate::progress::Progress;

/// Progress is looked at once in so many records.
const STRIDE: u64 = 1024;

/// At most so many positions are fitted and measured on: more would be memory for nothing.
const MOST_JUDGED: usize = 100_000;

/// A position of the sample.
pub(super) struct Sampled<G: Game> {
    pub(super) position: G,
    pub(super) best: G::Move,
    /// Where it is among what was measured.
    pub(super) place: usize,
}

/// What the data and the network say.
pub(super) struct Seen<G: Game> {
    pub(super) observer: Observer<G>,
    pub(super) records: u64,
    /// Records that could not be read.
    pub(super) damaged: u64,
    /// What there is to say of quantiles, both halves.
    pub(super) observations: Vec<Observation>,
    /// What the policy says of moves of the games that are fitted on.
    pub(super) judged: Vec<Judged>,
    /// Of the games that are measured on: what it says of their moves.
    pub(super) measured: Vec<Judged>,
    /// Some of these positions, with their best moves and where they are in `measured`.
    pub(super) sample: Vec<Sampled<G>>,
    random: Random,
}

impl<G: Game> Seen<G> {
    /// Reads the files. `simple` is what another evaluation says of a position.
    pub(super) fn read(
        args: &Args,
        observer: Observer<G>,
        mut simple: impl FnMut(&G) -> i32,
    ) -> anyhow::Result<Self> {
        let mut seen = Self {
            observer,
            records: 0,
            damaged: 0,
            observations: Vec::new(),
            judged: Vec::new(),
            measured: Vec::new(),
            sample: Vec::new(),
            random: Random::new(1),
        };
        let size = |path: &std::path::PathBuf| {
            fs::metadata(path).map(|file| file.len()).with_context(|| path.display().to_string())
        };
        let total = args.data.iter().map(size).sum::<anyhow::Result<u64>>()?;
        let progress = Progress::bytes("evaluating", total);
        let (mut bytes, mut first_game) = (0, 0_u32);
        for path in &args.data {
            let mut source = formats::open_source::<G>(path, Format::Native)?;
            let mut highest = None;
            while seen.records < args.positions
                && let Some(mut record) = source.next()?
            {
                record.game = record.game.saturating_add(first_game);
                highest = highest.max(Some(record.game));
                seen.add(args, &record, &mut simple);
                if seen.records.is_multiple_of(STRIDE) {
                    progress.at(bytes + source.bytes_read());
                }
            }
            seen.damaged += source.faults().count;
            bytes += size(path)?;
            first_game = highest.map_or(first_game, |game| game.saturating_add(1));
        }
        progress.finish();
        seen.check()?;
        Ok(seen)
    }

    fn add(&mut self, args: &Args, record: &Record<G>, simple: &mut impl FnMut(&G) -> i32) {
        self.records += 1;
        self.observations.extend(self.observer.observe(record, simple));
        let Some(best) = record.best_move else { return };
        let position = &record.position;
        let judged = if is_fitted_on(record.game) { &mut self.judged } else { &mut self.measured };
        if judged.len() == MOST_JUDGED {
            return;
        }
        let Some(found) = self.observer.judge(position, best) else { return };
        judged.push(found);
        if is_fitted_on(record.game) {
            return;
        }
        let place = self.measured.len() - 1;
        let sampled = Sampled { position: position.clone(), best, place };
        // Each position is as likely as any other to be among the sample in the end.
        if self.sample.len() < args.order_positions as usize {
            self.sample.push(sampled);
        } else if let Some(kept) = self.sample.get_mut(self.random.below(place + 1)) {
            *kept = sampled;
        }
    }

    /// Whether there is anything to measure on.
    fn check(&self) -> anyhow::Result<()> {
        let LeftOut { in_check, without_depths, mates } = self.observer.left_out();
        if self.observations.is_empty() {
            bail!(
                "none of {} records can be used: {without_depths} have no scores of several depths, {in_check} are in \
                 check, {mates} scores announce mates\nGenerate some with `accrue datagen --depths 1,2,4,6,8,10`",
                self.records
            );
        }
        if self.observations.iter().all(|seen| is_fitted_on(seen.game)) {
            bail!(
                "all games are in the half that is fitted on, none to measure: generate more games"
            );
        }
        Ok(())
    }
}
