//! Commands of the program for terminals, its log, the reader of its settings, and its messages to
//! the service manager. Only the server may depend on this adapter.
//!
//! [`run()`] reads the command line and runs a command. Commands call use cases through the traits of
//! [`services`], which the server implements with its settings and adapters. A folder of a subject,
//! such as `order`, contains the arguments and the printed texts of its commands. The other modules
//! are shared by commands.

// Modules import only modules of the groups above them.
mod color;
pub mod health_request;
mod sign_in;
mod stdout;
mod terminal;

mod location;
mod progress;
pub mod systemd;

mod error;

pub mod logging;
mod output;

mod warnings;

mod command_line;
pub mod demo;
pub mod settings;

pub mod services;

mod fulfilment;
mod healthcheck;
mod import;
mod migrate;
mod store;

mod catalog;
mod event;
mod operator;
mod order;
mod pricing;

mod webhook;

mod arguments;

mod audit;
mod config;
mod master_key;
mod restore;
mod sign;

mod run;

pub use error::CommandError;
pub use output::Output;
pub use run::run;
