//! Names and bounds of the settings. `default.toml` names them all.

use pressline_host::settings::Schema;

use super::sections::{BOUNDS, CHOICES};

pub(crate) const SCHEMA: Schema = Schema {
    defaults: include_str!("default.toml"),
    bounds: &BOUNDS,
    choices: &CHOICES,
    secrets: &["auth.", "database.url"],
    removed: &REMOVED,
};

/// Keys of settings that only earlier versions had, each with a hint to show if it is still set.
pub(super) const REMOVED: [(&str, &str); 10] = [
    ("http.body_budget_bytes", "the budget is always 64 MiB"),
    ("http.response_budget_bytes", "the budget is always 256 MiB"),
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
    ("in_flight.waiting", "the limit is always 64"),
    ("in_flight.wait_ms", "the limit is always 300 ms"),
    ("egress.connect_timeout_seconds", "the limit is always 5 s"),
];
