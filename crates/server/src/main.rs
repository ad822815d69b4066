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
mod progress;
mod readiness;
mod status;
mod stdout;
mod systemd;
mod terminal;
mod version;
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
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && cli::asks_for_json(std::env::args_os()) => {
            return report(2, error.render().to_string().trim_end(), true);
        }
        Err(error) => error.exit(),
    };
    let is_json = cli.json;
    match actix_web::rt::System::new().block_on(command::run(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report(failure.exit_code(), &failure.explain(), is_json),
    }
}

/// Writes an error on standard error, and returns the exit code.
fn report(exit_code: u8, message: &str, is_json: bool) -> ExitCode {
    if is_json {
        logging::line(&error::json(exit_code, message));
    } else {
        logging::message(message);
    }
    ExitCode::from(exit_code)
}
