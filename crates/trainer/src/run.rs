//! Training run: data, steps, validations and checkpoints from start to end.
//!
//! Nothing is printed here: [`TrainingEvent`]s report the progress.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use dataset::Batch;

use crate::heads::trained;
use crate::{
    Best, CheckpointFolder, Config, Learner, Losses, Moment, StepSettings, TrainerError,
    TrainingProgress, check_finite, warm_up, write_checkpoint,
};

mod error;
mod event;
mod files;
mod source;
mod start;
#[cfg(test)]
mod tests;
mod transfer;
mod validation;
mod weights;

pub use error::RunError;
pub use event::{StepReport, SuperbatchReport, Times, TrainingEvent, TrainingOutcome, Validation};
pub use start::{Begin, Started, first_learner, restored_learner};

use source::Source;
use validation::Validator;

/// A training in progress.
#[derive(Debug)]
pub struct Run {
    config: Config,
    learner: Learner,
    source: Source,
    validator: Option<Validator>,
    folder: CheckpointFolder,
    progress: TrainingProgress,
    /// One for each thread.
    shards: Vec<Batch>,
    /// The step of the newest checkpoint.
    saved: Option<u64>,
    times: Times,
    /// The number of damages that have been reported.
    damage: usize,
    _lock: std::fs::File,
}

impl Run {
    /// The network in its current state.
    pub fn learner(&self) -> &Learner {
        &self.learner
    }

    /// The progress.
    pub fn progress(&self) -> &TrainingProgress {
        &self.progress
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Trains until all steps are done, `stop` is set, or an error occurs. `stop` is polled between
    /// steps; a checkpoint then keeps the progress.
    pub fn drive(
        &mut self,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&TrainingEvent<'_>),
    ) -> Result<TrainingOutcome, RunError> {
        let per_superbatch = self.config.schedule.batches_per_superbatch;
        let mut frozen = None;
        loop {
            let superbatch = self.progress.step / per_superbatch;
            if self.progress.step >= self.config.steps() {
                self.save_once(report)?;
                return Ok(TrainingOutcome::Finished);
            }
            let patience = self.config.validation.patience;
            if patience > 0 && self.progress.since_best >= patience {
                self.save_once(report)?;
                return Ok(TrainingOutcome::StoppedEarly);
            }
            if stop.load(Ordering::Relaxed) {
                self.save_once(report)?;
                return Ok(TrainingOutcome::Stopped);
            }
            let freeze = self.config.init.freeze_until.is_none_or(|until| superbatch < until);
            if frozen != Some(freeze) {
                let layers = if freeze { &self.config.init.freeze[..] } else { &[] };
                self.learner.freeze(layers)?;
                frozen = Some(freeze);
            }
            self.step(report)?;
            if self.progress.step.is_multiple_of(per_superbatch) {
                self.end_superbatch(report)?;
            }
        }
    }

    fn moment(&self) -> Moment {
        let step = self.progress.step;
        let superbatch = step / self.config.schedule.batches_per_superbatch;
        Moment { step, steps: self.config.steps(), superbatch }
    }

    fn step_settings(&self) -> StepSettings {
        let (moment, schedule) = (self.moment(), &self.config.schedule);
        StepSettings {
            rate: schedule.rate.at(moment) * warm_up(moment.step, schedule.warm_up),
            result_share: self.config.target.result_share.at(moment),
            td_lambda: self.config.target.td_lambda,
        }
    }

    fn step(&mut self, report: &mut dyn FnMut(&TrainingEvent<'_>)) -> Result<(), RunError> {
        let settings = self.step_settings();
        let count = self.config.data.batch_size;
        self.source.fill(count, self.learner.pool(), &mut self.shards, &mut self.times)?;
        let begin = Instant::now();
        let losses = self.learner.step(&self.shards, settings);
        self.times.step += begin.elapsed();
        let losses = match losses {
            Err(TrainerError::NotFinite { what, .. }) => {
                return Err(self.lost(settings.rate, format!("the {what} is not a finite number")));
            }
            Ok(losses) if !losses.total.is_finite() => {
                return Err(self.lost(settings.rate, format!("the loss is {}", losses.total)));
            }
            losses => losses?,
        };
        self.progress.step += 1;
        self.progress.positions += losses.positions;
        self.progress.superbatch += &losses;
        self.progress.place = self.source.place();
        report(&TrainingEvent::Step(StepReport {
            step: self.progress.step,
            steps: self.config.steps(),
            settings,
            losses: &losses,
            times: self.times,
        }));
        Ok(())
    }

    fn lost(&self, rate: f32, what: String) -> RunError {
        let kept = self.saved.map(|step| self.folder.file(step));
        RunError::NotFinite { step: self.progress.step + 1, rate, what, kept }
    }

    fn end_superbatch(
        &mut self,
        report: &mut dyn FnMut(&TrainingEvent<'_>),
    ) -> Result<(), RunError> {
        let number = self.progress.step / self.config.schedule.batches_per_superbatch;
        let every = self.config.validation.every;
        let due = every > 0 && number.is_multiple_of(every);
        let validation = if due { self.validate()? } else { None };
        let best = validation.as_ref().is_some_and(|validation| validation.best);
        let training = std::mem::take(&mut self.progress.superbatch);
        let last = self.progress.step - 1;
        let schedule = &self.config.schedule;
        let moment = Moment { step: last, superbatch: number - 1, ..self.moment() };
        report(&TrainingEvent::Superbatch(SuperbatchReport {
            superbatch: number,
            step: self.progress.step,
            positions: self.progress.positions,
            rate: schedule.rate.at(moment) * warm_up(last, schedule.warm_up),
            result_share: self.config.target.result_share.at(moment),
            training: &training,
            validation: validation.as_ref(),
            times: self.times,
        }));
        self.report_damage(report);
        if number == 1 {
            self.report_idle_heads(&training, report);
        }
        if best || number.is_multiple_of(self.config.output.checkpoint_every) {
            self.save(report)?;
        }
        if best {
            self.folder.name_best(self.progress.step)?;
        }
        Ok(())
    }

    /// A head without targets learns nothing, and its loss of 0 looks perfect.
    fn report_idle_heads(&self, training: &Losses, report: &mut dyn FnMut(&TrainingEvent<'_>)) {
        let objective = self.config.objective();
        for (&head, losses) in self.learner.architecture().heads.iter().zip(&training.heads) {
            let head = trained(head);
            let (name, needs) = (head.table(), head.needs());
            if head.weight(&objective).is_some() && losses.positions == 0 {
                report(&TrainingEvent::Warning(&format!(
                    "loss.{name}: no position of the first superbatch has a {needs}, so \
                     this head learns nothing"
                )));
            }
        }
    }

    /// Reports damaged blocks of the data, which are skipped.
    fn report_damage(&mut self, report: &mut dyn FnMut(&TrainingEvent<'_>)) {
        let damage = self.source.damage();
        for one in damage.iter().skip(self.damage) {
            report(&TrainingEvent::Warning(&format!("skipped a part of the data: {one}")));
        }
        self.damage = damage.len();
    }

    fn validate(&mut self) -> Result<Option<Validation>, RunError> {
        let begin = Instant::now();
        // Always the result share of the last step: losses with different targets cannot be
        // compared.
        let end = self.config.steps().saturating_sub(1);
        let superbatch = self.config.schedule.superbatches.saturating_sub(1);
        let moment = Moment { step: end, steps: self.config.steps(), superbatch };
        let result_share = self.config.target.result_share.at(moment);
        let td_lambda = self.config.target.td_lambda;
        let settings = StepSettings { rate: 0.0, result_share, td_lambda };
        let Some(validator) = &mut self.validator else { return Ok(None) };
        let losses = validator.losses(&mut self.learner, &mut self.shards, settings)?;
        self.times.validation += begin.elapsed();
        let loss = losses.mean();
        if !loss.is_finite() {
            return Err(self.lost(0.0, format!("the validation loss is {loss}")));
        }
        let best = self.progress.best.is_none_or(|best| loss < best.loss);
        if best {
            self.progress.best = Some(Best { loss, step: self.progress.step });
            self.progress.since_best = 0;
        } else {
            self.progress.since_best += 1;
        }
        Ok(Some(Validation { losses, best }))
    }

    /// Writes a checkpoint unless there is one of this step.
    fn save_once(&mut self, report: &mut dyn FnMut(&TrainingEvent<'_>)) -> Result<(), RunError> {
        if self.saved == Some(self.progress.step) { Ok(()) } else { self.save(report) }
    }

    fn save(&mut self, report: &mut dyn FnMut(&TrainingEvent<'_>)) -> Result<(), RunError> {
        let begin = Instant::now();
        let tensors = self.learner.state();
        if let Err(error) = check_finite(&tensors) {
            return Err(self.lost(self.step_settings().rate, error.to_string()));
        }
        let (config, progress) = (self.config.to_commented_toml(), &self.progress);
        let path = self
            .folder
            .save(progress.step, |writer| write_checkpoint(writer, &config, progress, &tensors))?;
        self.saved = Some(progress.step);
        self.folder.prune(self.config.output.keep)?;
        self.times.checkpoint += begin.elapsed();
        report(&TrainingEvent::Checkpoint { step: self.progress.step, path: &path });
        Ok(())
    }
}

/// The mean of a head's losses, if any position had a target for it.
pub fn head_means(losses: &Losses) -> Vec<Option<f64>> {
    let mean =
        |head: &crate::HeadLoss| (head.positions > 0).then(|| head.sum / head.positions as f64);
    losses.heads.iter().map(mean).collect()
}
