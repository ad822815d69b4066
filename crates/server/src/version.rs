//! Version of this program, with its commit and build date.

use std::sync::LazyLock;

use pressline_domain::value::Timestamp;

/// Version, commit and build date as text, such as `0.1.0 (commit 1a2b3c4d5e6f, built 2026-01-31)`.
pub(crate) static TEXT: LazyLock<String> = LazyLock::new(|| {
    let (commit_id, date) = (
        env!("PRESSLINE_COMMIT"),
        build_date(env!("PRESSLINE_EPOCH")),
    );
    let known = |text: Option<String>| text.unwrap_or_else(|| "unknown".to_owned());
    let commit = known(Some(commit_id.to_owned()).filter(|commit| !commit.is_empty()));
    let version = env!("CARGO_PKG_VERSION");
    format!("{version} (commit {commit}, built {})", known(date))
});

/// Returns the UTC date; `None` if `epoch`, in seconds, is not a number, or is too large.
fn build_date(epoch: &str) -> Option<String> {
    let millis = epoch.parse::<i64>().ok()?.checked_mul(1000)?;
    let moment = Timestamp::from_millis(millis).to_string();
    moment.split_once('T').map(|(date, _)| date.to_owned())
}

#[cfg(test)]
mod tests {
    use super::build_date;

    #[test]
    fn a_build_date_is_known_or_not() {
        assert_eq!(build_date("1767225599").as_deref(), Some("2025-12-31"));
        assert_eq!(build_date(""), None);
        assert_eq!(build_date("9223372036854775807"), None);
    }
}
