//! The command line: output, exit codes and messages.

mod bad_settings;
mod catalog;
mod connect;
mod database;
mod files;
mod settings;
mod sign;
mod stores;
mod tls;
mod tools;
mod usage;

/// An id that no store or key has.
const UNKNOWN: &str = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";
