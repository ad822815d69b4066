//! Black box tests: the built binary, called over TCP and its command line, as its users do.
//!
//! One program, so that it is linked once. It uses none of the service's crates: requests are
//! signed, sent and read by code of its own, so that a defect on both sides does not stay hidden.

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
mod cli;
mod clients;
mod common;
mod config;
mod create;
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
mod operators;
mod orders;
mod pricing;
mod protocol;
mod receivers;
mod recipes;
mod sandbox;
mod scale;
mod search;
mod several_servers;
mod signals;
mod terminal;
mod texts;
mod update;
mod webhooks;
mod worked_example;
mod writes;
