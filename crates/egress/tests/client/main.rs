//! Client requests to receivers of many kinds and to forbidden addresses.

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
