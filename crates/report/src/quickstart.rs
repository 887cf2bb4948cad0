//! Quickstart reports: steps, match results, curves, reliability, sample games and neurons.

mod fitted_rule;
mod match_result;
mod reliability;
mod sample_game;

use games::ToolkitGame;
use maud::html;

use crate::Picture;
use crate::page::{ListedCommand, Page, command_list, figures};
use crate::training::{Superbatch, curves, neurons};
pub use fitted_rule::FittedRule;
pub use match_result::MatchResult;
pub use reliability::{ReliabilityBin, ReliabilityBins, reliability_chart};
pub use sample_game::SampleGame;

/// Everything that a quickstart shows.
#[derive(Clone, Debug)]
pub struct QuickstartReport<G: ToolkitGame> {
    /// Positions that the network was trained on.
    pub positions: u64,
    /// Threads.
    pub threads: usize,
    /// What was done, in order.
    pub steps: Vec<ListedCommand>,
    /// The matches; the first one is against the evaluation that the network was trained from.
    pub matches: Vec<MatchResult>,
    /// The log of the training.
    pub superbatches: Vec<Superbatch>,
    /// The rules of the search that were fitted to the network; empty if there was no fit.
    pub rules: Vec<FittedRule>,
    /// Expected and actual scores of positions of the match.
    pub reliability: Vec<ReliabilityBin>,
    /// Games of the match.
    pub games: Vec<SampleGame<G>>,
    /// The weights of some neurons, where the features have places on a board.
    pub neurons: Option<Picture>,
    /// What to do next.
    pub next: Vec<ListedCommand>,
}

impl<G: ToolkitGame> QuickstartReport<G> {
    /// The page.
    pub fn html(&self) -> String {
        let lead = html! {
            @if let Some(result) = self.matches.first() {
                p class="result" { (result.elo_text()) }
                p {
                    "That is the strength of the network, compared with the material evaluation \
                     whose games it was trained on. Both search equally many nodes for each move. \
                     The network was trained on " (self.positions) " positions, with "
                    (self.threads) " threads."
                }
            }
        };
        let matches = html! { @for result in &self.matches { (result.markup()) } };
        let curves = html! {
            p {
                "The loss on the training data, and on games that are held out. Where the second \
                 rises, the network begins to overfit; the checkpoint with the lowest validation \
                 loss is the one that plays."
            }
            (figures(&curves(&self.superbatches)))
        };
        let reliability = html! {
            p {
                "Positions of the match, which the network was not trained on: the score that it \
                 expects for the side to move, and the mean score of the games. On the dashed line \
                 the two agree. Larger dots are more positions."
            }
            (figures(&[reliability_chart(&self.reliability)]))
        };
        let fit = (!self.rules.is_empty()).then(|| fitted_rule::rules(&self.rules));
        let games = html! { @for game in &self.games { (game.markup()) } };
        Page::new(format!("accrue quickstart: {}", G::NAME))
            .lead(lead)
            .section("match", "Match result", matches)
            .section("curves", "Training curves", curves)
            .section_if("fit", "Fit of the search", fit)
            .section("reliability", "Reliability", reliability)
            .section("games", "Sample games", games)
            .section_if("neurons", "Accumulator neurons", self.neurons.as_ref().map(neurons))
            .section("steps", "Steps", command_list(&self.steps))
            .section("next", "Next steps", command_list(&self.next))
            .html()
    }
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::connect_four::ConnectFour;

    use super::*;

    #[test]
    fn all_sections_are_there() {
        let command = |command: &str| ListedCommand { title: "t".into(), command: command.into() };
        let report = QuickstartReport {
            positions: 3000,
            threads: 2,
            steps: vec![command("accrue train")],
            matches: vec![MatchResult { title: "match".into(), wins: 3, ..MatchResult::default() }],
            superbatches: vec![Superbatch::default()],
            rules: vec![FittedRule { rule: "ordering".into(), ..FittedRule::default() }],
            reliability: vec![ReliabilityBin { positions: 50, expected: 0.5, score: 0.25 }],
            games: vec![SampleGame {
                number: 1,
                players: ["net".into(), "start".into()],
                result: "1-0".into(),
                reason: "White wins".into(),
                start: ConnectFour::start(),
                moves: vec![ConnectFour::start().legal_moves()[0]],
                opening_plies: 0,
            }],
            neurons: None,
            next: vec![command("accrue loop")],
        };
        let html = report.html();
        for id in ["steps", "match", "curves", "fit", "reliability", "games", "next"] {
            assert!(html.contains(&format!("<section id=\"{id}\">")), "no {id}");
        }
        // One script for all replays, which refers to nothing outside.
        assert_eq!(html.matches("<script type=\"module\">").count(), 1);
        assert_eq!(html.matches("<game-replay>").count(), 1);
        assert!(!html.contains("src=") && !html.contains("@import"));
        assert!(
            !html.contains("id=\"neurons\"") && html.contains("accrue quickstart: connect_four")
        );
    }
}
