//! The server binary: reads the command line and runs the command.

mod background;
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
mod status;
mod terminal;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

/// With the system's allocator on Linux, a third of a request's time in this process is spent on
/// memory. Huge pages are off: they doubled the memory of an idle server.
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
