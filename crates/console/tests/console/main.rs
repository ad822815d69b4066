//! The console over HTTP, on in-memory repositories.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

mod account;
mod assets;
mod batches;
mod browser;
mod catalog;
mod code128;
mod errors;
mod faults;
mod find;
mod forms;
mod headers;
mod hooks;
mod hosted;
mod hostile;
mod html;
mod imports;
mod memory;
mod messages;
mod neighbours;
mod numbers;
mod order;
mod order_forms;
mod orders;
mod people;
mod print;
mod problems;
mod queue;
mod reports;
mod roles;
mod scan;
mod shipments;
mod shop;
mod sign_in;
mod stores;
mod system;
mod tasks;
mod today;
mod webhooks;
mod world;
