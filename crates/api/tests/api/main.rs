//! The HTTP API from a client's point of view, over the in-memory adapters.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

mod access;
mod bodies;
mod carts;
mod checks;
mod common;
mod dry_runs;
mod errors;
mod events;
mod file_rules;
mod findings;
mod headers;
mod health;
mod in_flight;
mod large_pages;
mod log;
mod operations;
mod operators;
mod products;
mod responses;
mod sandbox;
mod schemas;
mod shared_texts;
mod sockets;
mod stalled;
mod updates;
mod webhooks;
mod wire;
