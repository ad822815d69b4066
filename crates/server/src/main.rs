//! The server binary: reads the command line and runs the command.

// Modules import only modules of the groups above them.
mod clock;
mod config;
mod database;
mod first_prices;
mod version;

mod background;
mod process;
mod readiness;
mod status;

mod wiring;

mod serve;

mod program;

use std::process::ExitCode;

/// Allocator faster than the system's, which on Linux takes up a third of the time of a request.
/// Huge pages are off, because they doubled the memory of an idle server.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Before settings or anything else is read: this process may be one that reads a stranger's file.
    if let Some(code) = pressline_media::run_child() {
        return code;
    }
    process::forbid_core_dumps();
    pressline_cli::run(&program::program())
}
