//! The authenticator of operators: what it accepts, how long it remembers, and what it writes.

#![expect(
    clippy::unwrap_used,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

mod rules;
mod uses;
mod world;
