//! Tests of the store beyond the contract suite: groups of writes, failures, size of the log,
//! backups.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod backup;
#[path = "../../../store-kit/tests/fixtures/calls.rs"]
mod calls;
mod catalog;
#[path = "../../../store-kit/tests/fixtures/changes.rs"]
mod changes;
mod citus;
#[path = "../../../store-kit/tests/fixtures/corrupt.rs"]
mod corrupt;
mod databases;
#[path = "../../../store-kit/tests/fixtures/endpoints.rs"]
mod endpoints;
mod failures;
#[path = "../../../store-kit/tests/fixtures/mod.rs"]
mod fixtures;
mod groups;
mod lists;
mod lost_answers;
#[path = "../../../store-kit/tests/fixtures/orders.rs"]
mod orders;
mod pooler;
#[path = "../../../store-kit/tests/fixtures/catalog.rs"]
mod products;
mod wal;
#[path = "../../../store-kit/tests/fixtures/webhooks.rs"]
mod webhooks;
