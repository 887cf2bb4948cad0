//! Fitted rules: the rules of the search that were fitted to a network, and how well they predict.

use maud::{Markup, html};
use serde::Deserialize;

use crate::page::table;

/// The fit of one rule of the search.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct FittedRule {
    /// The rule.
    pub rule: String,
    /// The samples that it was fitted on, and those that were held out.
    pub samples: [usize; 2],
    /// The log-loss of the held-out samples, in nats: of the rule as it is and of the fitted one;
    /// `None` if nothing was fitted.
    pub log_loss: [Option<f64>; 2],
    /// The numbers of the fitted rule. Empty if it stays as it is.
    pub params: Vec<(String, i32)>,
    /// The reason why it stays as it is.
    pub reason: Option<String>,
}

impl FittedRule {
    fn row(&self) -> [String; 5] {
        let Self { rule, samples, params, reason, .. } = self;
        let [before, after] =
            self.log_loss.map(|loss| loss.map_or("–".to_owned(), |loss| format!("{loss:.4}")));
        let result = if let Some(reason) = reason {
            format!("as it is: {reason}")
        } else {
            let numbers = params.iter().map(|(name, value)| format!("{name}={value}"));
            numbers.collect::<Vec<_>>().join(" ")
        };
        [rule.clone(), samples.iter().sum::<usize>().to_string(), before, after, result]
    }
}

/// A table of the rules.
pub(super) fn rules(rules: &[FittedRule]) -> Markup {
    let headings = ["rule", "samples", "log-loss as it is", "fitted", "result"];
    html! {
        p {
            "Searches of the network against itself were sampled, and each rule was fitted to four \
             of five samples. The log-loss is that of the others, in nats: the lower, the better \
             the rule predicts which moves and nodes fail high. A rule that predicts no better \
             stays as it is. The numbers are stored in the network file; the learned mode of the \
             search uses them, in the match as well."
        }
        (table(&headings, rules.iter().map(FittedRule::row)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_shows_its_numbers_or_why_it_has_none() {
        let text = r#"[
            {"rule": "ordering", "samples": [800, 200], "coefficients": [["one", 0.5, 0.1]],
             "log_loss": [0.71, 0.69], "params": [["order_one", 900]], "reason": null},
            {"rule": "margins", "samples": [50, 0], "coefficients": [], "log_loss": [null, null],
             "params": [], "reason": "too few"}
        ]"#;
        let fitted: Vec<FittedRule> = serde_json::from_str(text).unwrap();
        assert_eq!(fitted[0].row(), ["ordering", "1000", "0.7100", "0.6900", "order_one=900"]);
        assert_eq!(fitted[1].row(), ["margins", "50", "–", "–", "as it is: too few"]);
        assert!(rules(&fitted).into_string().contains("order_one=900"));
    }
}
