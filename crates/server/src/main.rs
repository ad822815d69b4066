//! The server binary: reads the command line and runs the command.

mod background;
mod cli;
mod color;
mod command;
mod config;
mod demo;
mod error;
mod first_prices;
mod health_request;
mod location;
mod logging;
mod master_key;
mod output;
mod process;
mod program;
mod progress;
mod readiness;
mod serve;
mod services;
mod sign_in;
mod status;
mod stdout;
mod systemd;
mod terminal;
mod version;
mod wiring;

use std::process::ExitCode;

/// With the system's allocator on Linux, a third of a request's time in this process is spent on
/// memory. Huge pages are off: they doubled the memory of an idle server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    process::forbid_core_dumps();
    command::main(&program::Server)
}
