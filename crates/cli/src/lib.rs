//! The commands of the program, for terminals, and its log: an adapter like the API and the console. Only the server
//! depends on it.
//!
//! [`run()`] reads the command line and runs a command. Commands call use cases that the traits of [`services`] return; the
//! server implements these traits with its settings and adapters. Every other module belongs to a subject (`order`,
//! `store`, …) or is shared by commands. Each folder of a subject has its arguments and what it prints.

mod arguments;
mod audit;
mod catalog;
mod color;
mod command_line;
mod config;
pub mod demo;
mod error;
mod event;
mod fulfilment;
pub mod health_request;
mod healthcheck;
mod import;
mod location;
pub mod logging;
mod master_key;
mod migrate;
mod operator;
mod order;
mod output;
mod pricing;
mod progress;
mod run;
pub mod services;
mod sign;
mod sign_in;
mod stdout;
mod store;
mod terminal;
mod webhook;

pub use error::CommandError;
pub use output::Output;
pub use run::run;
