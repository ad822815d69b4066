//! Output of a test program: counts, durations and skipped tests.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Counts finished tests of a running program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Watcher(Arc<AtomicUsize>);

impl Watcher {
    pub(crate) fn ended_test(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn ended_tests(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Parsed output of a program.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) text: String,
    /// Names and durations of finished tests.
    pub(crate) tests: Vec<(String, Duration)>,
    /// Lines that report a skipped test.
    pub(crate) skips: Vec<String>,
    pub(crate) passed: usize,
    /// Names of failed tests.
    pub(crate) failed: Vec<String>,
    pub(crate) elapsed: Duration,
    pub(crate) success: bool,
    /// Tests that have not started, in the order in which the harness starts them.
    waiting: VecDeque<String>,
    running: HashMap<String, Instant>,
}

impl Output {
    /// Prepares for a program that starts the tests `names` in order, `threads` at a time.
    pub(crate) fn new(names: Vec<String>, threads: usize) -> Self {
        let mut waiting = VecDeque::from(names);
        let now = Instant::now();
        let first = waiting.len().min(threads);
        let running = waiting.drain(..first).map(|name| (name, now)).collect();
        Self {
            text: String::new(),
            tests: Vec::new(),
            skips: Vec::new(),
            passed: 0,
            failed: Vec::new(),
            elapsed: Duration::ZERO,
            success: false,
            waiting,
            running,
        }
    }

    /// Parses `line`; returns whether it reports the end of a test.
    pub(crate) fn add(&mut self, line: &str) -> bool {
        self.text.push_str(line);
        let line = line.trim_end();
        // The testkit prints these lines; see `try_skip`.
        if line.trim_start().starts_with("skipped") {
            self.skips.push(line.trim_start().to_owned());
        }
        let Some(name) = ended_test(line) else {
            return false;
        };
        // Ignored tests count neither as passed nor as failed.
        if line.ends_with("FAILED") {
            self.failed.push(name.to_owned());
        } else if line.ends_with("ok") {
            self.passed += 1;
        }
        // The harness starts the next test when a test ends, so a single clock reading gives both
        // times.
        let now = Instant::now();
        if let Some(begin) = self.running.remove(name) {
            self.tests.push((name.to_owned(), now - begin));
        }
        if let Some(next) = self.waiting.pop_front() {
            self.running.insert(next, now);
        }
        true
    }

    /// Records the end of the program.
    pub(crate) fn end(&mut self, elapsed: Duration, success: bool) {
        self.elapsed = elapsed;
        self.success = success;
    }
}

/// Returns the name in a line such as `test NAME ... ok`.
fn ended_test(line: &str) -> Option<&str> {
    let (name, result) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let ended = ["ok", "FAILED", "ignored"]
        .iter()
        .any(|word| result.starts_with(word));
    ended.then(|| name.trim_end_matches(" - should panic").trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_times_tests_by_the_order_in_which_they_start() {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let mut output = Output::new(names, 2);
        assert!(!output.add("running 3 tests\n"));
        assert!(output.add("test b ... ok\n"));
        assert!(output.running.contains_key("c"), "starts when b ends");
        assert!(output.add("test a - should panic ... ok\n"));
        assert!(output.add("test c ... FAILED\n"));
        assert!(!output.add("    skipped: no browser\n"));
        let names: Vec<_> = output.tests.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "a", "c"]);
        assert_eq!((output.passed, output.failed), (2, vec!["c".to_owned()]));
        assert_eq!(output.skips, ["skipped: no browser"]);
    }

    #[test]
    fn only_result_lines_end_a_test() {
        assert_eq!(ended_test("test a::b ... ignored, slow"), Some("a::b"));
        assert_eq!(ended_test("test result: ok. 3 passed"), None);
        assert_eq!(ended_test("a test ... ok"), None);
    }
}
