//! Commands of the program for terminals, and its log. Only the server may depend on this adapter.
//!
//! [`run()`] reads the command line and runs a command. Commands call use cases that the traits of [`services`] return; the
//! server implements these traits with its settings and adapters. A folder of a subject, such as `order`, contains the
//! arguments of its commands and the texts that they print. The other modules are shared by commands.

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
