//! The server binary: it reads the command line and hands over.

mod cli;
mod commands;
mod config;
mod demo;
mod failure;
mod files;
mod log_format;
mod logging;
mod master_key;
mod progress;
mod readiness;
mod stream_errors;
mod terminal;
mod wiring;

use std::process::ExitCode;

use clap::Parser;

/// A third of the time that a request takes in this process goes into memory with the system's allocator on Linux. Huge pages
/// are off in it: they doubled what an idle server takes.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    match actix_web::rt::System::new().block_on(commands::run(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let code = failure.exit_code();
            eprintln!("pressline: {}", failure.explain());
            ExitCode::from(code)
        }
    }
}
