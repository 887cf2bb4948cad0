//! Session: the WebSocket of a page, and the searches that run as long as it is open.

/// How many searches run.
#[derive(Debug)]
pub(crate) struct SearchSlots {}

impl SearchSlots {
    pub(crate) fn new(_threads: usize) -> Self {
        Self {}
    }
}
