//! Black-box tests: the built binary, used over TCP and its command line as users do.
//!
//! All tests are one program, so that it is linked once. It uses no crate of the service: its own
//! code signs, sends and parses requests, so that a defect cannot hide by being on both sides.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be, also in the functions that its cases share"
)]

mod auth;
mod bad_input;
mod browser;
mod catalog;
mod citus;
mod cli;
mod clients;
mod clocks;
mod common;
mod config;
mod create;
mod deficiencies;
mod deploy;
mod due;
mod estimate;
mod events;
mod exchange;
mod failure;
mod faults;
mod files;
mod first_run;
mod guide_by_curl;
#[cfg(target_os = "linux")]
mod large_orders;
mod life;
mod log;
mod master_key;
#[cfg(target_os = "linux")]
mod memory;
mod names;
mod operators;
mod orders;
mod pricing;
mod protocol;
mod receivers;
mod recipes;
mod restored;
mod sandbox;
mod search;
mod several_servers;
mod signals;
mod terminal;
mod texts;
#[cfg(target_os = "linux")]
mod tools;
mod update;
mod webhooks;
mod worked_example;
mod writes;
