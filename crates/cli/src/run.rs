//! Reads the command line and runs the command that it names.

use std::process::ExitCode;

use pressline_host::logging;

use crate::arguments::{Cli, Command, asks_for_json};
use crate::error::{self, Result};
use crate::output::{Output, print_line};
use crate::services::Program;
use crate::{
    audit, catalog, command_line, config, event, fulfilment, healthcheck, master_key, media,
    migrate, operator, order, pricing, restore, sign, store, webhook,
};

/// Filter for the log of all commands but `serve`: only lines that say why a command waits.
const LOG_FILTER: &str = "off,pressline_store_postgres::session=warn";

/// Runs the command of this process's command line, with the use cases of `program`.
pub fn run(program: &Program) -> ExitCode {
    // Held until the end, so that the log is written before the process exits.
    let _last_lines = logging::FlushLog;
    let cli = match Cli::from_environment(program.version) {
        Ok(cli) => cli,
        // Help and versions stay text on standard output, also with `--json`.
        Err(error) if error.use_stderr() && asks_for_json(std::env::args_os()) => {
            return report(2, error.render().to_string().trim_end(), true);
        }
        Err(error) => error.exit(),
    };
    let is_json = cli.json;
    match actix_web::rt::System::new().block_on(run_command(program, cli)) {
        Ok(code) => code,
        Err(failure) => report(failure.exit_code(), &failure.explain(), is_json),
    }
}

fn report(exit_code: u8, message: &str, is_json: bool) -> ExitCode {
    if is_json {
        logging::line(&error::json(exit_code, message));
    } else {
        logging::message(message);
    }
    ExitCode::from(exit_code)
}

/// Returns an exit code other than 0 for results that differ, such as a verdict.
async fn run_command(program: &Program, cli: Cli) -> Result<ExitCode> {
    let output = Output { json: cli.json };
    let file = cli.config.as_deref();
    let configured = || (program.configure)(file);
    let command = cli.command.unwrap_or(Command::Serve);
    // `serve` starts the log with its settings.
    if !matches!(command, Command::Serve) {
        logging::start(LOG_FILTER, output.json)?;
    }
    let result = match command {
        Command::Files(command) => return media::run(program, file, command, &output).await,
        Command::Serve => configured()?.serve(&output).await,
        Command::Migrate(arguments) => migrate::run(&*configured()?, &arguments, &output).await,
        Command::AfterRestore(arguments) => {
            restore::run(&*configured()?, &arguments, &output).await
        }
        Command::Store(command) => store::run(&*configured()?, command, &output).await,
        Command::Operator(command) => operator::run(&*configured()?, command, &output).await,
        Command::Audit(arguments) => audit::run(&*configured()?, &arguments, &output).await,
        Command::MasterKey(command) => master_key::run(&*configured()?, &command, &output).await,
        Command::Order(command) => order::run(&*configured()?, command, &output).await,
        Command::Events(command) => event::run(&*configured()?, command, &output).await,
        Command::Webhook(command) => webhook::run(program, file, command, &output).await,
        Command::Shipments(command) => fulfilment::run(&*configured()?, command, &output).await,
        Command::Catalog(command) => catalog::run(&*configured()?, command, &output).await,
        Command::Prices(command) => pricing::prices(&*configured()?, command, &output).await,
        Command::Shipping(command) => pricing::shipping(&*configured()?, command, &output).await,
        Command::Fees(command) => pricing::fees(&*configured()?, command, &output).await,
        Command::Sign(arguments) => sign::run(program, &arguments, &output),
        Command::Config(command) => config::run(program, file, &command, &output).await,
        Command::Healthcheck { address, timeout } => {
            healthcheck::run(program, file, address, timeout, &output)
        }
        Command::Completions { shell } => {
            command_line::completions(Cli::of_version(program.version), shell)
        }
        Command::Man { dir } => {
            command_line::manual(Cli::of_version(program.version), dir.as_deref())
        }
        Command::Openapi { operators: false } => print_line(&(program.openapi)()),
        Command::Openapi { operators: true } => print_line(&(program.operator_openapi)()),
    };
    result.map(|()| ExitCode::SUCCESS)
}
