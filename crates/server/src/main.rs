//! The server binary: reads the command line and runs the command.

mod background;
mod config;
mod first_prices;
mod process;
mod program;
mod readiness;
mod serve;
mod status;
mod systemd;
mod version;
mod wiring;

use std::process::ExitCode;

/// With the system's allocator on Linux, a third of a request's time in this process is spent on
/// memory. Huge pages are off: they doubled the memory of an idle server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    process::forbid_core_dumps();
    pressline_cli::run(&program::Server)
}
