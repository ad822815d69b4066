//! The worker with receivers of all kinds, over in-memory ports.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

mod drafts;
mod fake;
mod flaky;
mod kinds;
mod looks;
mod server;
mod signatures;
mod source;
mod stopping;
mod subscriptions;
mod tests_of_endpoints;
mod times;
mod watched;
mod world;
