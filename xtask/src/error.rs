//! Errors of tasks.

/// Reason why a task failed.
pub(crate) type TaskError = Box<dyn std::error::Error>;

/// Returns an error that lists `findings`, each on a line, or `Ok` if there are none.
pub(crate) fn refuse(check: &str, findings: &[String]) -> Result<(), TaskError> {
    if findings.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{check} found {}:\n  {}",
        findings.len(),
        findings.join("\n  ")
    )
    .into())
}
