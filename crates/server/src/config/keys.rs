//! Names of settings. An unknown name is most likely misspelled, so it is never ignored.

use std::collections::HashMap;

use pressline_kit::nearest::nearest;

use super::problem::Problem;

/// Prefix of the environment variables for settings: `PRESSLINE__HTTP__LISTEN` sets `http.listen`.
pub(super) const PREFIX: &str = "PRESSLINE";

/// Keys of settings that only earlier versions had, each with a hint to show if it is still set.
pub(super) const REMOVED: [(&str, &str); 14] = [
    ("http.body_budget_bytes", "the budget is always 64 MiB"),
    ("http.response_budget_bytes", "the budget is always 256 MiB"),
    ("database.backlog_ms", "the limit is always 500 ms"),
    (
        "database.connect_timeout_ms",
        "the limit is 2 s, or the parameter connect_timeout of database.url, in seconds",
    ),
    ("database.lock_timeout_ms", "the limit is always 2000 ms"),
    (
        "database.transaction_pooling",
        "a pooler in transaction mode is detected",
    ),
    (
        "database.prepared_statements",
        "whether a pooler keeps prepared statements is detected",
    ),
    (
        "rate_limit.share",
        "divide rate_limit.per_minute and rate_limit.burst by the number of servers",
    ),
    ("in_flight.calls", "the limit is always 64"),
    ("in_flight.searches", "the limit is always 1"),
    ("in_flight.large", "the limit is always 1"),
    ("in_flight.waiting", "the limit is always 64"),
    ("in_flight.wait_ms", "the limit is always 300 ms"),
    ("egress.connect_timeout_seconds", "the limit is always 5 s"),
];

pub(super) fn first_of_section<'a>(key: &str, known: &[&'a str]) -> Option<&'a str> {
    let mut inside = known.iter();
    let in_section = |known: &&&str| {
        known
            .strip_prefix(key)
            .is_some_and(|rest| rest.starts_with('.'))
    };
    inside.find(in_section).copied()
}

pub(super) fn unknown(key: &str, known: &[&str]) -> String {
    if let Some((_, hint)) = REMOVED.iter().find(|(removed, _)| *removed == key) {
        return format!("`{key}` is no longer a setting: {hint}");
    }
    if let Some(inside) = first_of_section(key, known) {
        return format!("`{key}` is a section; its settings have names such as `{inside}`");
    }
    match nearest(key, known.iter().copied(), 1).first() {
        Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
        None => format!("unknown key `{key}`; `pressline config print` shows all keys"),
    }
}

pub(super) fn variable(key: &str) -> String {
    format!("{PREFIX}__{}", key.to_ascii_uppercase().replace('.', "__"))
}

pub(super) fn of_variable(name: &str) -> Option<String> {
    let key = name.to_ascii_lowercase();
    Some(
        key.strip_prefix(&format!("{}__", PREFIX.to_ascii_lowercase()))?
            .replace("__", "."),
    )
}

/// Adds a problem for each of `variables` that has single underscores where a setting has two, such
/// as `PRESSLINE_HTTP_LISTEN`: its value would be ignored. Accepts other variables with the prefix
/// `PRESSLINE_`, because they belong to other programs. For example, Kubernetes sets
/// `PRESSLINE_PORT` for a service named `pressline`.
pub(super) fn single_underscores(
    variables: &HashMap<String, String>,
    known: &[&str],
    problems: &mut Vec<Problem>,
) {
    let flat = |name: &str| name.to_ascii_uppercase().replace("__", "_");
    let right: HashMap<String, String> = known
        .iter()
        .map(|key| (flat(&variable(key)), variable(key)))
        .collect();
    let mut names: Vec<&String> = variables
        .keys()
        .filter(|name| of_variable(name).is_none())
        .collect();
    // In a stable order, which a map does not have.
    names.sort();
    for name in names {
        let Some(right) = right.get(&flat(name)) else {
            continue;
        };
        let remedy = if variables.contains_key(right) {
            format!("remove it, because `{right}` is set")
        } else {
            format!("set `{right}` instead")
        };
        let text = format!("two underscores separate the parts of a setting's name: {remedy}");
        problems.push(Problem::new(name, text));
    }
}
