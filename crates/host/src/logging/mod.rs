//! The log: lines of text or JSON, always on standard error.
//!
//! Requests never wait for the log and are not affected by its failure: lines go into a bounded
//! queue that a separate thread writes. The formatter's own messages about lines that it cannot
//! write are off, because they panic if standard error cannot be written.

mod format;
pub mod level;
mod queue;
mod stream_errors;

use std::backtrace::Backtrace;
use std::error::Error;
use std::io::{Write, stderr};
use std::panic::PanicHookInfo;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::json;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime as LogTime};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::color;

use self::format::{EscapedJson, text_fields};
use self::queue::{CAPACITY, Queue};
use self::stream_errors::StreamErrors;

static QUEUE: OnceLock<Arc<Queue>> = OnceLock::new();

const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// Error of [`start`].
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The filter is invalid.
    #[error("the filter of the log is invalid")]
    Filter(#[source] ParseError),
    /// The process has no thread or file descriptor left, or another log.
    #[error("the log cannot be started")]
    Start(#[source] Box<dyn Error + Send + Sync>),
}

/// Starts the log of events that the filter `level` accepts, as JSON if `json` is true, else as
/// text.
///
/// # Errors
/// Returns an error if the filter is invalid, or if there is no thread or file descriptor left.
pub fn start(level: &str, json: bool) -> Result<(), LogError> {
    let filter = EnvFilter::try_new(level).map_err(LogError::Filter)?;
    // A second start in one process keeps the first log: its settings are the same.
    if QUEUE.get().is_some() {
        return Ok(());
    }
    let queue = writer(json).map_err(|error| LogError::Start(error.into()))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(Arc::clone(QUEUE.get_or_init(|| queue)))
        // The formatter would print its own errors to standard error directly, past the queue.
        .log_internal_errors(false);
    let stream_errors = StreamErrors::for_level(level);
    let started = if json {
        let json = builder
            .json()
            .flatten_event(true)
            .with_current_span(false)
            .with_span_list(false);
        json.map_event_format(EscapedJson)
            .finish()
            .with(stream_errors)
            .try_init()
    } else {
        let text = builder
            .with_ansi(color::is_wanted(&stderr()))
            .fmt_fields(text_fields());
        text.finish().with(stream_errors).try_init()
    };
    started.map_err(|error| LogError::Start(error.into()))?;
    // After the start of the log, because the hook writes to it.
    std::panic::set_hook(Box::new(log_panic));
    Ok(())
}

/// Returns the number of log lines dropped since the process started.
pub fn dropped() -> u64 {
    QUEUE.get().map_or(0, |queue| queue.lost())
}

fn writer(json: bool) -> std::io::Result<Arc<Queue>> {
    let mut out = stream()?;
    let queue = Arc::new(Queue::new(CAPACITY));
    let lines = Arc::clone(&queue);
    let write = move || lines.write_to(&mut out, |dropped| notice(dropped, json));
    std::thread::Builder::new()
        .name("log".to_owned())
        .spawn(write)?;
    Ok(queue)
}

/// Clones standard error, because its lock must not be held while a stalled reader is awaited.
fn stream() -> std::io::Result<std::fs::File> {
    Ok(std::os::fd::AsFd::as_fd(&stderr())
        .try_clone_to_owned()?
        .into())
}

/// Returns a line to which the log's filter and the queue do not apply.
fn notice(dropped: u64, json: bool) -> Vec<u8> {
    const MESSAGE: &str = "lines of the log were dropped because they could not be written";
    const TARGET: &str = module_path!();
    let mut time = String::new();
    // Writing to a string cannot fail.
    let _ = LogTime.format_time(&mut tracing_subscriber::fmt::format::Writer::new(&mut time));
    let line = if json {
        json!({ "timestamp": time, "level": "ERROR", "message": MESSAGE, "dropped": dropped, "target": TARGET })
            .to_string()
    } else {
        format!("{time} ERROR {TARGET}: {MESSAGE} dropped={dropped}")
    };
    format!("{line}\n").into_bytes()
}

fn log_panic(panic: &PanicHookInfo<'_>) {
    let reason = panic.payload_as_str().unwrap_or("no message");
    let location = panic.location().map(ToString::to_string);
    // Empty unless `RUST_BACKTRACE` is set.
    let captured = Backtrace::capture();
    let backtrace = match captured.status() {
        std::backtrace::BacktraceStatus::Captured => Some(captured.to_string()),
        _ => None,
    };
    let thread = std::thread::current();
    tracing::error!(
        thread = thread.name(),
        location,
        reason,
        backtrace,
        "panicked"
    );
}

/// Writes the line `text`, with the name of the program before it, as [`line()`] does.
pub fn message(text: &str) {
    line(&format!("pressline: {text}"));
}

/// Writes a line to the log's queue or, before the log is started, to standard error. Drops a line
/// that does not fit or cannot be written.
pub fn line(text: &str) {
    let line = format!("{text}\n");
    match QUEUE.get() {
        Some(queue) => queue.push(line.as_bytes()),
        // No other place could report that this fails.
        None => drop(stderr().write_all(line.as_bytes())),
    }
}

/// Waits up to a second for the queued lines when it is dropped, also after a panic.
pub struct FlushLog;

impl Drop for FlushLog {
    fn drop(&mut self) {
        if let Some(queue) = QUEUE.get() {
            queue.flush(FLUSH_TIMEOUT);
        }
    }
}
