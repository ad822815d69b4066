//! The command line: what it prints, its exit codes, and its messages.

mod catalog;
mod database;
mod settings;
mod sign;
mod stores;
mod tls;
mod tools;
mod usage;

/// The id of a store or key that does not exist.
const UNKNOWN: &str = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";
