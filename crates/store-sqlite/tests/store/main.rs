//! Tests of the store beyond the contract suite: its file, groups of writes, backups, time limits.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod backup;
#[path = "../../../store-kit/tests/fixtures/calls.rs"]
mod calls;
mod catalog;
#[path = "../../../store-kit/tests/fixtures/changes.rs"]
mod changes;
#[path = "../../../store-kit/tests/fixtures/corrupt.rs"]
mod corrupt;
#[path = "../../../store-kit/tests/fixtures/endpoints.rs"]
mod endpoints;
mod file;
mod files;
#[path = "../../../store-kit/tests/fixtures/mod.rs"]
mod fixtures;
mod groups;
mod log;
#[path = "../../../store-kit/tests/fixtures/orders.rs"]
mod orders;
#[path = "../../../store-kit/tests/fixtures/catalog.rs"]
mod products;
mod time_limit;
#[path = "../../../store-kit/tests/fixtures/webhooks.rs"]
mod webhooks;
