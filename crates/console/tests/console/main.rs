//! The console over HTTP, on repositories in memory.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

mod account;
mod assets;
mod browser;
mod errors;
mod faults;
mod find;
mod forms;
mod headers;
mod messages;
mod order;
mod order_forms;
mod orders;
mod queue;
mod roles;
mod shop;
mod sign_in;
mod system;
mod today;
mod world;
