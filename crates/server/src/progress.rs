//! A bar for long work, drawn in place on a terminal's standard error and nowhere else.

use std::io::{Write, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::color;

/// A bar for work of known size. Clones draw the same bar.
///
/// It is drawn without escape sequences, which NO_COLOR refuses; crates for progress bars clear
/// lines with them.
#[derive(Debug, Clone)]
pub(crate) struct Bar {
    title: &'static str,
    terminal: bool,
    /// Columns that the bar takes on the screen; 0 while it is not drawn.
    drawn: Arc<AtomicUsize>,
}

impl Bar {
    /// A bar that is drawn when the first part is done.
    pub(crate) fn new(title: &'static str) -> Self {
        Self {
            title,
            terminal: color::can_redraw(&stderr()),
            drawn: Arc::default(),
        }
    }

    /// Shows how much is done of how much.
    pub(crate) fn show(&self, done: usize, total: usize) {
        if !self.terminal || total == 0 {
            return;
        }
        let bar = draw(self.title, done, total);
        self.drawn.store(bar.len(), Ordering::Relaxed);
        let mut out = stderr().lock();
        // A bar that cannot be drawn is no reason to stop.
        let _ = write!(out, "\r{bar}").and_then(|()| out.flush());
    }

    /// Overwrites the bar with spaces, so that the next message has the line to itself.
    pub(crate) fn end(&self) {
        let columns = self.drawn.swap(0, Ordering::Relaxed);
        if columns > 0 {
            let _ = write!(stderr(), "\r{:columns$}\r", "");
        }
    }
}

fn draw(title: &str, done: usize, total: usize) -> String {
    const WIDTH: usize = 40;
    let filled = (done.saturating_mul(WIDTH) / total.max(1)).min(WIDTH);
    let percent = (done.saturating_mul(100) / total.max(1)).min(100);
    let (full, empty) = ("#".repeat(filled), ".".repeat(WIDTH - filled));
    format!("{title} [{full}{empty}] {percent:>3} % {done}/{total}")
}

#[cfg(test)]
mod tests {
    use super::draw;

    #[test]
    fn a_bar_fills_from_left_to_right() {
        assert_eq!(
            draw("x", 1, 2),
            format!("x [{}{}]  50 % 1/2", "#".repeat(20), ".".repeat(20))
        );
        assert_eq!(draw("x", 3, 2), format!("x [{}] 100 % 3/2", "#".repeat(40)));
    }
}
