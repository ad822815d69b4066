//! The server binary: it reads the command line and hands over.

mod cli;
mod color;
mod command;
mod config;
mod demo;
mod error;
mod first_prices;
mod location;
mod logging;
mod master_key;
mod process;
mod progress;
mod readiness;
mod terminal;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

/// A third of the time that a request takes in this process goes into memory with the system's
/// allocator on Linux. Huge pages are off in it: they doubled what an idle server takes.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    process::forbid_core_dumps();
    let _last_lines = logging::FlushLog;
    let cli = cli::Cli::parse();
    match actix_web::rt::System::new().block_on(command::run(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let code = failure.exit_code();
            logging::message(&failure.explain());
            ExitCode::from(code)
        }
    }
}
