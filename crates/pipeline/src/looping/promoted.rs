//! Promoted network of a loop: its other heads, its calibration and its fit of the search.
//!
//! Each step writes a file of its own, and is done when that file is there.

use std::path::PathBuf;

use arena::calibration::CalibrationOptions;
use arena::networks::NetworkSource;
use games::ToolkitGame;

use super::config::LoopFit;
use super::generation::Generation;
use super::training::HEADS_CONFIG;
use crate::StageRunner;
use crate::stages::{CalibrateNetwork, FitSearch, GenerateData};

const HEADS: &str = "heads.accrue";
const CALIBRATED: &str = "calibrated.accrue";
const FITTED: &str = "fitted.accrue";

impl Generation<'_> {
    /// Gives a promoted network its other heads, its calibration and its fit. `false` if the
    /// program is to stop before the end.
    pub(super) fn complete<G: ToolkitGame, R: StageRunner<G>>(
        &self,
        runner: &mut R,
    ) -> Result<bool, R::Error> {
        let heads = self.file(HEADS);
        if self.config.heads.is_some() && !heads.is_file() {
            if !self.train("quantiles and policy", HEADS_CONFIG, "heads", runner)? {
                return Ok(false);
            }
            self.export("heads", &heads, runner)?;
        }
        if let Some((data, calibrate)) = self.calibration()
            && !self.file(CALIBRATED).is_file()
        {
            runner.announce("positions for the calibration", &data.command())?;
            if !runner.generate_data(&data)?.is_complete() {
                return Ok(false);
            }
            runner.announce("calibration", &calibrate.command())?;
            runner.calibrate(&calibrate)?;
        }
        if let Some(fit) = self.fit()
            && !self.file(FITTED).is_file()
        {
            runner.announce("fit of the search", &fit.command())?;
            let Some(report) = runner.fit(&fit)? else { return Ok(false) };
            if let Some(reasons) = report.nothing_fitted() {
                runner.note(&format!("nothing fitted, {FITTED} has no new numbers: {reasons}"))?;
            }
        }
        Ok(true)
    }

    /// The network with its heads.
    fn with_heads(&self) -> PathBuf {
        self.file(if self.config.heads.is_some() { HEADS } else { "net.accrue" })
    }

    /// The calibration that the learned search needs, on games that the network did not learn from.
    fn calibration(&self) -> Option<(GenerateData, CalibrateNetwork)> {
        let calibrate = self.config.calibrate.as_ref()?;
        let net = self.with_heads();
        let held = self.file("held.data");
        let seed = self.seed().wrapping_add(700_000);
        let data = GenerateData {
            net: Some(NetworkSource::new(&net)),
            threads: Some(self.threads),
            options: calibrate.data_options(seed, self.config.generate.random_plies),
            ..GenerateData::new(&self.config.game, &held)
        };
        let stage = CalibrateNetwork {
            out: Some(self.file(CALIBRATED)),
            report: Some(self.file("calibration.html")),
            options: CalibrationOptions::default(),
            ..CalibrateNetwork::new(net, vec![held])
        };
        Some((data, calibrate.options.apply(stage)))
    }

    /// The fit of the search to the network that the steps before have made.
    fn fit(&self) -> Option<FitSearch> {
        let LoopFit { count, soft_nodes } = *self.config.fit.as_ref()?;
        let is_calibrated = self.config.calibrate.is_some();
        let net = if is_calibrated { self.file(CALIBRATED) } else { self.with_heads() };
        Some(FitSearch {
            out: Some(self.file(FITTED)),
            report: Some(self.file("fit.json")),
            count,
            soft_nodes,
            random_plies: self.config.generate.random_plies,
            seed: self.seed().wrapping_add(900_000),
            threads: Some(self.threads),
            ..FitSearch::new(&self.config.game, net)
        })
    }
}
