//! Requests of the client to receivers of many kinds, and to addresses that are refused.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

mod addresses;
mod files;
mod receiver;
mod responses;
mod reuse;
mod secure;
