//! Commands of the program for terminals. Only the server may depend on this adapter.
//!
//! [`run()`] reads the command line and runs a command. Commands call the use cases in [`services`],
//! which the server makes from its settings and adapters. A folder of a subject, such as `order`,
//! contains the arguments and the printed texts of its commands. The other modules are shared by
//! commands.

// Modules import only modules of the groups above them.
mod sign_in;
mod stdout;

mod location;
mod progress;

mod error;

mod output;
mod warnings;

mod command_line;
pub mod demo;

pub mod services;

mod fulfilment;
mod healthcheck;
mod import;
mod store;

mod catalog;
mod event;
mod media;
mod operator;
mod order;
mod pricing;

mod webhook;

mod arguments;

mod audit;
mod config;
mod master_key;
mod migrate;
mod restore;
mod sign;

mod run;

pub use error::CommandError;
pub use output::Output;
pub use run::run;
