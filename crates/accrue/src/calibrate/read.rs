//! Reading records, and what the network says of each.

use std::fs;

use anyhow::{Context, bail};
use arena::calibration::{LeftOut, Observation, Observer, PolicyTally, is_fitted_on};
use dataset::Record;
use dataset::formats::{self, Format};
use games::Game;
use games::conformance::Random;

use super::Args;
use crate::progress::Progress;

/// Progress is looked at once in so many records.
const STRIDE: u64 = 1024;

/// What the data and the network say.
pub(super) struct Seen<G: Game> {
    pub(super) observer: Observer<G>,
    pub(super) records: u64,
    /// Records that could not be read.
    pub(super) damaged: u64,
    /// What there is to say of quantiles, both halves.
    pub(super) observations: Vec<Observation>,
    /// Of the games that are measured on.
    pub(super) policy: PolicyTally,
    /// The same positions, all moves alike.
    pub(super) alike: PolicyTally,
    /// Some of these positions, with their best moves.
    pub(super) sample: Vec<(G, G::Move)>,
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
            policy: PolicyTally::default(),
            alike: PolicyTally::default(),
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
        let Some(best) = record.best_move.filter(|_| !is_fitted_on(record.game)) else { return };
        let position = &record.position;
        let moves = position.legal_moves();
        let Some(place) = moves.iter().position(|&mv| mv == best) else { return };
        let Some(scores) = self.observer.policy(position, &moves) else { return };
        self.policy.add(&scores, place);
        self.alike.add(&vec![0.0; moves.len()], place);
        let most = args.order_positions as usize;
        // Each position is as likely as any other to be among the sample in the end.
        if self.sample.len() < most {
            self.sample.push((position.clone(), best));
        } else if let Some(kept) = self.sample.get_mut(
            self.random.below(usize::try_from(self.policy.positions()).unwrap_or(usize::MAX)),
        ) {
            *kept = (position.clone(), best);
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
