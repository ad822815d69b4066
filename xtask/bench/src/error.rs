//! Errors of the bench, and its messages.

pub(crate) type BenchError = Box<dyn std::error::Error + Send + Sync>;

/// Prints `message`, about progress or a failure, to the standard error.
pub(crate) fn say(message: &str) {
    eprintln!("bench: {message}");
}
