//! Sequential probability ratio test (SPRT): decides between two hypotheses about an Elo
//! difference.

use std::fmt;
use std::str::FromStr;

use super::{NORMALISED_ELO, Tally, expected_score};

/// The Elo model of the hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Model {
    /// Logistic Elo: the hypotheses are about the mean score.
    Logistic,
    /// Normalised Elo: the hypotheses are about the mean score in standard deviations of a game.
    /// The length of the test then does not depend on the share of draws.
    #[default]
    Normalized,
}

impl Model {
    /// The name of the model.
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

/// The hypothesis that an SPRT accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hypothesis {
    /// The difference is `elo0`: usually, the change is rejected.
    H0,
    /// The difference is `elo1`: usually, the change is accepted.
    H1,
}

impl Hypothesis {
    /// `H0` or `H1`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
        }
    }
}

/// Why a test cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// A hypothesis outside the range.
    #[error("{name} is {value}: expected a number from -{MAX_ELO} to {MAX_ELO}")]
    Elo {
        /// The name of the hypothesis.
        name: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// `elo0` is not below `elo1`.
    #[error(
        "elo0 is {elo0} and elo1 is {elo1}: expected elo0 to be smaller by at least {MIN_WIDTH}"
    )]
    Order {
        /// The first hypothesis.
        elo0: f64,
        /// The second hypothesis.
        elo1: f64,
    },
    /// An error probability outside the range.
    #[error("{name} is {value}: expected a probability from {MIN_RISK} to below 0.5, usually 0.05")]
    Risk {
        /// The name of the probability.
        name: &'static str,
        /// The value that was given.
        value: f64,
    },
    /// An unknown Elo model.
    #[error("there is no model `{0}`: expected `normalized` or `logistic`")]
    Model(String),
}

/// The maximum absolute Elo of a hypothesis.
const MAX_ELO: f64 = 1000.0;
/// The minimum distance between the hypotheses.
const MIN_WIDTH: f64 = 1e-6;
/// The minimum error probability.
const MIN_RISK: f64 = 1e-9;

/// A sequential test of H0, the Elo difference is `elo0`, against H1, it is `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

impl Sprt {
    /// A test that accepts H1 with probability `alpha` if H0 holds, and H0 with probability `beta`
    /// if H1 holds.
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
        if elo1 - elo0 < MIN_WIDTH {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(MIN_RISK..0.5).contains(&value) {
                return Err(SprtError::Risk { name, value });
            }
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// `elo0` and `elo1`.
    pub fn elo(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The error probabilities alpha and beta.
    pub fn risks(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// The Elo model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The LLR at which H0 is accepted, and the LLR at which H1 is accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The generalised log-likelihood ratio (LLR) of H1 to H0; 0 before the first game. Uses pairs
    /// if there are any, else single games.
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

    /// The accepted hypothesis, if the games suffice for a decision.
    pub fn verdict(&self, tally: &Tally) -> Option<Hypothesis> {
        self.decide(self.llr(tally))
    }

    /// The accepted hypothesis at an LLR.
    pub fn decide(&self, llr: f64) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        match llr {
            _ if llr >= upper => Some(Hypothesis::H1),
            _ if llr <= lower => Some(Hypothesis::H0),
            _ => None,
        }
    }

    /// An LLR as a fraction of the bound on its side: 1 at the bound of H1, -1 at that of H0.
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
    /// The expected outcome of the test if the true difference is `elo`, in the Elo of the
    /// hypotheses.
    ///
    /// `deviation` is the standard deviation of the score of a game, estimated from pairs. Only the
    /// logistic model uses it; normalised Elo includes it. The LLR is approximated by a Brownian
    /// motion between the bounds.
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
        // Near zero drift the formulas are 0/0, so use their limits.
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

/// The expected outcome of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outlook {
    /// The probability of accepting H1.
    pub pass: f64,
    /// The expected number of games.
    pub games: f64,
}
