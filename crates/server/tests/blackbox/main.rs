//! Black box tests: the built binary, spoken to over TCP and its command line, as its users do.
//!
//! One program, so that it is linked once. Nothing in here uses the crates of the service: requests are signed, sent and
//! read by code of its own, so that a defect cannot hide by being on both sides.

mod auth;
mod bad_input;
mod cli;
mod common;
mod create;
mod failure;
mod first_run;
mod protocol;
mod recipes;
mod search;
mod update;
