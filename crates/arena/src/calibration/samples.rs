//! Calibration samples: the predictions of a network for the records of data files.

use std::path::PathBuf;

use dataset::Record;
use dataset::formats::{Format, RecordSource, SourceChain};
use games::{Random, ToolkitGame};

use super::{
    CalibrationError, CalibrationOptions, CalibrationProgress, CalibrationStage, Observation,
    Observer, PolicySample, is_fitted_on,
};

/// Progress is reported once in so many records.
const STRIDE: u64 = 1024;

/// The maximum number of policy samples in each half: more would cost memory and gain nothing.
const MAX_POLICY_SAMPLES: usize = 100_000;

/// A position whose moves are ordered and which is searched.
pub(super) struct SampledPosition<G: ToolkitGame> {
    pub(super) position: G,
    pub(super) best: G::Move,
    /// The index of its sample among those that are measured.
    pub(super) index: usize,
}

/// The predictions for all records.
pub(super) struct CalibrationSamples<G: ToolkitGame> {
    pub(super) observer: Observer<G>,
    pub(super) records: u64,
    /// Records that could not be read.
    pub(super) damaged: u64,
    /// Predicted quantiles, of both halves of the games.
    pub(super) observations: Vec<Observation>,
    /// Policies in the half that is fitted on.
    pub(super) fitted_policy: Vec<PolicySample>,
    /// Policies in the half that is measured on.
    pub(super) measured_policy: Vec<PolicySample>,
    /// A random sample of the positions of `measured_policy`.
    pub(super) positions: Vec<SampledPosition<G>>,
    random: Random,
}

impl<G: ToolkitGame> CalibrationSamples<G> {
    /// Reads the files. `baseline` is another evaluation of a position.
    pub(super) fn read(
        data: &[PathBuf],
        options: &CalibrationOptions,
        observer: Observer<G>,
        mut baseline: impl FnMut(&G) -> i32,
        progress: &mut dyn FnMut(CalibrationProgress),
    ) -> Result<Self, CalibrationError> {
        let mut samples = Self {
            observer,
            records: 0,
            damaged: 0,
            observations: Vec::new(),
            fitted_policy: Vec::new(),
            measured_policy: Vec::new(),
            positions: Vec::new(),
            random: Random::new(1),
        };
        let files = data.iter().map(|path| (path.clone(), Format::Native));
        let mut source = SourceChain::<G>::new(files, &[])?;
        let (stage, total) = (CalibrationStage::Evaluating, source.total_bytes());
        progress(CalibrationProgress { stage, done: 0, total });
        while samples.records < options.max_records
            && let Some(record) = source.next()?
        {
            samples.add(options, &record, &mut baseline);
            if samples.records.is_multiple_of(STRIDE) {
                progress(CalibrationProgress { stage, done: source.bytes_read(), total });
            }
        }
        samples.damaged = source.fault_count();
        samples.check()?;
        Ok(samples)
    }

    fn add(
        &mut self,
        options: &CalibrationOptions,
        record: &Record<G>,
        baseline: &mut impl FnMut(&G) -> i32,
    ) {
        self.records += 1;
        self.observations.extend(self.observer.observe(record, baseline));
        let Some(best) = record.best_move else { return };
        let is_fitted = is_fitted_on(record.game);
        let samples = if is_fitted { &mut self.fitted_policy } else { &mut self.measured_policy };
        if samples.len() == MAX_POLICY_SAMPLES {
            return;
        }
        let Some(sample) = self.observer.policy_sample(&record.position, best) else { return };
        samples.push(sample);
        if is_fitted {
            return;
        }
        let index = self.measured_policy.len() - 1;
        let sampled = SampledPosition { position: record.position.clone(), best, index };
        // Reservoir sampling: in the end every position is equally likely to be in the sample.
        if self.positions.len() < options.order_positions {
            self.positions.push(sampled);
        } else if let Some(kept) = self.positions.get_mut(self.random.below(index + 1)) {
            *kept = sampled;
        }
    }

    /// Refuses data without anything to measure.
    fn check(&self) -> Result<(), CalibrationError> {
        if self.observations.is_empty() {
            let (records, skipped) = (self.records, self.observer.skipped());
            return Err(CalibrationError::NoUsableRecords { records, skipped });
        }
        if self.observations.iter().all(|seen| is_fitted_on(seen.game)) {
            return Err(CalibrationError::NoMeasuredGames);
        }
        Ok(())
    }
}
