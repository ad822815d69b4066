//! What the bench says while it works, on standard error.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Says a line.
pub(crate) fn say(words: &str) {
    eprintln!("bench: {words}");
}

/// A bar for work of known size; on a terminal it is drawn in place, elsewhere it has a line for
/// each tenth.
pub(crate) struct Bar {
    title: String,
    total: u64,
    done: AtomicU64,
    terminal: bool,
}

impl Bar {
    /// A bar at its beginning.
    pub(crate) fn new(title: String, total: u64) -> Self {
        Self {
            title,
            total,
            done: AtomicU64::new(0),
            terminal: stderr().is_terminal(),
        }
    }

    /// Moves on.
    pub(crate) fn add(&self, count: u64) {
        let before = self.done.fetch_add(count, Ordering::Relaxed);
        let tenth = |done: u64| done * 10 / self.total.max(1);
        let after = before + count;
        if self.terminal {
            eprint!("\r{}", draw(&self.title, after, self.total));
        } else if self.total >= 100_000 && tenth(before) != tenth(after) {
            say(&format!("{} {} %", self.title, tenth(after) * 10));
        }
    }

    /// Says what is being done beyond the bar.
    pub(crate) fn say(&self, words: &str) {
        if self.total >= 100_000 {
            self.end_line();
            say(&format!("{}: {words}", self.title));
        }
    }

    /// Says that it is over.
    pub(crate) fn done(&self, took: Duration) {
        self.end_line();
        say(&format!(
            "{}: {} orders in {:.1} s",
            self.title,
            self.total,
            took.as_secs_f64()
        ));
    }

    fn end_line(&self) {
        if self.terminal {
            eprintln!();
        }
    }
}

fn draw(title: &str, done: u64, total: u64) -> String {
    const WIDTH: u64 = 40;
    let filled = (done * WIDTH / total.max(1)).min(WIDTH);
    let cells: String = (0..WIDTH)
        .map(|at| if at < filled { '#' } else { '.' })
        .collect();
    format!("{title} [{cells}] {done}/{total}")
}

#[cfg(test)]
mod tests {
    use super::draw;

    #[test]
    fn a_bar_fills_from_left_to_right() {
        assert_eq!(
            draw("x", 1, 2),
            format!("x [{}{}] 1/2", "#".repeat(20), ".".repeat(20))
        );
        assert!(draw("x", 0, 0).contains("0/0"));
    }
}
