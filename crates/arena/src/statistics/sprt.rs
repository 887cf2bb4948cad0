//! The sequential probability ratio test.

use std::fmt;
use std::str::FromStr;

use super::{NORMALISED_ELO, Tally, expected_score};

/// In which Elo the hypotheses are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Model {
    /// Elo of the logistic model: the hypotheses are about the mean score.
    Logistic,
    /// Normalised Elo: the hypotheses are about the mean score in standard deviations of a game. The test
    /// then takes as many games whatever the share of draws is.
    #[default]
    Normalized,
}

impl Model {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Model {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        [Self::Normalized, Self::Logistic]
            .into_iter()
            .find(|model| model.name() == text)
            .ok_or_else(|| SprtError::Model(text.to_owned()))
    }
}

/// What an SPRT accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hypothesis {
    /// The difference is `elo0`: usually, the change is no good.
    H0,
    /// The difference is `elo1`: usually, the change is good.
    H1,
}

/// A test that cannot be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// A hypothesis beyond all sense.
    #[error("{name} is {value}: a number from -{MAX_ELO} to {MAX_ELO} was expected")]
    Elo {
        /// Which.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// Hypotheses in the wrong order.
    #[error(
        "elo0 is {elo0} and elo1 is {elo1}: elo0 must be the smaller by {LEAST_WIDTH} at least"
    )]
    Order {
        /// The first.
        elo0: f64,
        /// The second.
        elo1: f64,
    },
    /// A probability that is none.
    #[error(
        "{name} is {value}: a probability from {LEAST_RISK} to below 0.5 was expected, usually 0.05"
    )]
    Risk {
        /// Which.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// An unknown model.
    #[error("there is no model `{0}`: `normalized` or `logistic` was expected")]
    Model(String),
}

/// No two engines differ by so much that it could be measured.
const MAX_ELO: f64 = 1000.0;
/// Two hypotheses that nobody could tell apart.
const LEAST_WIDTH: f64 = 1e-6;
/// Less than this is not a matter of statistics.
const LEAST_RISK: f64 = 1e-9;

/// A sequential test of whether the first engine is stronger by `elo0` or by `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Sprt {
    /// A test that accepts H1 although H0 holds with probability `alpha`, and H0 although H1 holds with
    /// probability `beta`.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: Model,
    ) -> Result<Self, SprtError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            // NaN is in no range.
            if !(-MAX_ELO..=MAX_ELO).contains(&value) {
                return Err(SprtError::Elo { name, value });
            }
        }
        if elo1 - elo0 < LEAST_WIDTH {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(LEAST_RISK..0.5).contains(&value) {
                return Err(SprtError::Risk { name, value });
            }
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The hypotheses.
    pub fn elo(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The error probabilities alpha and beta.
    pub fn risks(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// In which Elo they are.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The LLR at which H0 is accepted, and the one at which H1 is.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The generalised log-likelihood ratio of H1 to H0; 0 before the first game. From the pairs if there
    /// are any, else from the single games.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let Some(distribution) = tally.distribution() else { return 0.0 };
        let costs = |elo: f64| match self.model {
            Model::Logistic => distribution.with_mean(expected_score(elo)),
            Model::Normalized => {
                distribution.with_t_value(elo / NORMALISED_ELO * distribution.games().sqrt())
            }
        };
        distribution.log_ratio(&costs(self.elo0), &costs(self.elo1))
    }

    /// What is accepted, if the games suffice.
    pub fn verdict(&self, tally: &Tally) -> Option<Hypothesis> {
        self.decide(self.llr(tally))
    }

    /// What is accepted at an LLR.
    pub fn decide(&self, llr: f64) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        match llr {
            _ if llr >= upper => Some(Hypothesis::H1),
            _ if llr <= lower => Some(Hypothesis::H0),
            _ => None,
        }
    }

    /// How far an LLR is on the way to the bound on its side: 1 at H1's, -1 at H0's.
    pub fn fraction(&self, llr: f64) -> f64 {
        let (lower, upper) = self.bounds();
        if llr >= 0.0 { llr / upper } else { -llr / lower }
    }

    /// The line that fastchess prints, such as `LLR: 2.25 (76.4%) (-2.94, 2.94) [0.00, 2.00]`.
    pub fn line(&self, tally: &Tally) -> String {
        let llr = self.llr(tally);
        let (lower, upper) = self.bounds();
        let percent = 100.0 * self.fraction(llr);
        let Self { elo0, elo1, .. } = self;
        format!("LLR: {llr:.2} ({percent:.1}%) ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]")
    }
    /// What to expect of the test if the first engine is truly stronger by `elo`, on the hypotheses' scale.
    ///
    /// `deviation` is that of a game's points, as pairs show it. Only the logistic model needs it: normalised
    /// Elo has it inside. The sum of many small steps is taken for a Brownian motion between the bounds.
    pub fn outlook(&self, elo: f64, deviation: f64) -> Outlook {
        let t = |elo: f64| match self.model {
            Model::Logistic => (expected_score(elo) - 0.5) / deviation,
            Model::Normalized => elo / NORMALISED_ELO,
        };
        let (t0, t1) = (t(self.elo0), t(self.elo1));
        let variance = (t1 - t0) * (t1 - t0);
        let drift = (t1 - t0) * (t(elo) - f64::midpoint(t0, t1));
        let (lower, upper) = self.bounds();
        let pull = 2.0 * drift / variance;
        // Around the middle the formulas are 0/0; their limits are as good there.
        if (pull * (upper - lower)).abs() < 1e-6 {
            return Outlook { pass: lower / (lower - upper), games: -lower * upper / variance };
        }
        let pass = if pull > 0.0 {
            (-pull * -lower).exp_m1() / (-pull * (upper - lower)).exp_m1()
        } else {
            let fall = (pull * (upper - lower)).exp_m1();
            (fall - (pull * upper).exp_m1()) / fall
        };
        Outlook { pass, games: (upper * pass + lower * (1.0 - pass)) / drift }
    }
}

/// What to expect of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// How likely it accepts H1.
    pub pass: f64,
    /// How many games it takes on average.
    pub games: f64,
}
