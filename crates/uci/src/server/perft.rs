//! Perft of `go perft`: a count of positions that can be stopped.

use games::ToolkitGame;
use search::Control;

/// Counts below each move, prints each count as it is known, and returns the last line.
pub(super) fn run<G: ToolkitGame>(
    position: &G,
    depth: u32,
    control: &Control,
    mut print: impl FnMut(&str),
) -> String {
    if depth == 0 {
        return "Nodes searched: 1".to_owned();
    }
    let mut total = 0;
    for mv in position.legal_moves() {
        let mut child = position.clone();
        child.play(mv);
        let Some(nodes) = count(&child, depth - 1, control) else {
            return format!("info string perft was stopped after {total} nodes");
        };
        print(&format!("{}: {nodes}", position.move_text(mv)));
        total += nodes;
    }
    format!("Nodes searched: {total}")
}

/// `None` if it was stopped.
fn count<G: ToolkitGame>(position: &G, depth: u32, control: &Control) -> Option<u64> {
    // Below this, a count takes less time than anyone notices.
    const UNSTOPPED_DEPTH: u32 = 3;
    if depth <= UNSTOPPED_DEPTH {
        return (!control.is_stopped()).then(|| games::perft(position, depth));
    }
    let mut nodes = Some(0);
    position.for_each_move(|mv| {
        let Some(sum) = nodes else { return };
        let mut child = position.clone();
        child.play(mv);
        nodes = count(&child, depth - 1, control).map(|below| sum + below);
    });
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;
    use games::chess::Chess;

    #[test]
    fn counts_are_those_of_the_library() {
        for depth in 0..=5 {
            let mut lines = Vec::new();
            let last =
                run(&Chess::start(), depth, &Control::new(), |line| lines.push(line.to_owned()));
            let expected = games::perft(&Chess::start(), depth);
            assert_eq!(last, format!("Nodes searched: {expected}"));
            assert_eq!(lines.len(), if depth == 0 { 0 } else { 20 });
        }
    }

    #[test]
    fn a_stopped_count_says_so() {
        let control = Control::new();
        control.stop();
        let last = run(&Chess::start(), 9, &control, |_| ());
        assert!(last.starts_with("info string perft was stopped"), "{last}");
    }
}
