//! Quickstart fit: the exported network gets the numbers of the search that fit it.

use std::io::ErrorKind;
use std::path::Path;

use games::ToolkitGame;
use report::quickstart::FittedRule;

use super::{Listed, Quickstart, done, titles};
use crate::stages::FitSearch;
use crate::{PipelineError, StageRunner, files};

/// The network that a quickstart makes: the exported one with the fit of the search.
pub(super) const NETWORK: &str = "net.accrue";
/// What was fitted, as the report shows it.
pub(super) const FIT_REPORT: &str = "fit.json";

/// A fit of a few rules has a few kilobytes.
const MAX_REPORT_BYTES: u64 = 1 << 20;

impl Quickstart {
    /// Fits the search, unless that is done or not planned. `false` if the program is to stop before the end.
    pub(super) fn fit<G: ToolkitGame, R: StageRunner<G>>(
        &self,
        stage: Option<&FitSearch>,
        listed: &mut Listed<'_, R>,
    ) -> Result<bool, R::Error> {
        let Some(stage) = stage else {
            let minutes = self.plan.minutes;
            let line =
                format!("   no fit of the search: {minutes} minutes are too few for samples");
            listed.runner.note(&line)?;
            return Ok(true);
        };
        listed.announce::<G>(titles::FIT, &stage.command())?;
        let net = self.folder.file(NETWORK);
        if net.is_file() {
            listed.runner.note(&done(&net))?;
            return Ok(true);
        }
        let Some(report) = listed.runner.fit(stage)? else { return Ok(false) };
        if let Some(reasons) = report.nothing_fitted() {
            let line = format!("   nothing fitted, {NETWORK} is as it was exported: {reasons}");
            listed.runner.note(&line)?;
        }
        Ok(true)
    }
}

/// The rules in the report of a fit; none if there is no report.
pub(super) fn read_rules(path: &Path) -> Result<Vec<FittedRule>, PipelineError> {
    /// What the file has of interest here.
    #[derive(serde::Deserialize)]
    struct Report {
        rules: Vec<FittedRule>,
    }
    let text = match files::read_text(path, MAX_REPORT_BYTES) {
        Err(PipelineError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => {
            return Ok(Vec::new());
        }
        text => text?,
    };
    let report: Report =
        serde_json::from_str(&text).map_err(|error| PipelineError::damaged(path, &error))?;
    Ok(report.rules)
}

#[cfg(test)]
mod tests {
    use arena::fit::RuleFit;

    use super::*;
    use crate::stages::FitReport;

    #[test]
    fn the_report_of_a_fit_reads_back() {
        let rule = RuleFit {
            rule: "ordering",
            samples: [160, 40],
            coefficients: vec![("check", 0.0, f64::INFINITY)],
            log_loss: [f64::NAN, 0.5],
            params: vec![("order_one", 900)],
            reason: None,
        };
        let report = FitReport { rules: vec![rule], written: None };
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), serde_json::to_string(&report).unwrap()).unwrap();
        let rules = read_rules(file.path()).unwrap();
        assert_eq!(rules[0].log_loss, [None, Some(0.5)]);
        assert_eq!(rules[0].params, [("order_one".to_owned(), 900)]);
        std::fs::write(file.path(), "{").unwrap();
        assert_eq!(read_rules(Path::new("missing.json")).unwrap(), []);
        assert!(read_rules(file.path()).unwrap_err().to_string().contains("damaged"));
    }
}
