//! Captures the log of a test.

use std::cell::RefCell;
use std::io::Write;
use std::sync::Once;

use serde_json::Value;

thread_local! {
    /// Log of a test: its requests are served on its thread.
    static LOG: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Appends to the log of the thread that writes.
struct ThreadLog;

impl Write for ThreadLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LOG.with_borrow_mut(|log| log.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Logs every event of the process to the log of its thread.
///
/// Called before the first request: `tracing` caches for each call site whether a subscriber listens.
/// If a thread without a subscriber reached a call site first, its events would never be logged.
pub(crate) fn log_by_thread() {
    static LOGGING: Once = Once::new();
    LOGGING.call_once(|| {
        tracing_subscriber::fmt()
            .json()
            .with_writer(|| ThreadLog)
            .init();
    });
}

/// Returns the lines that this thread has logged since the last call.
pub(crate) fn take_lines() -> Vec<Value> {
    let text = String::from_utf8(LOG.take()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
