//! The commands, one file each.

mod audit;
mod catalog;
mod command_line;
mod config;
mod events;
mod healthcheck;
mod import;
mod master_key;
mod migrate;
mod operator;
mod order;
mod pricing;
mod serve;
mod shipments;
mod sign;
mod store;
mod webhook;

use crate::cli::{Cli, Command};
use crate::config::Settings;
use crate::error::CommandError;
use crate::output::{Output, print_line};

pub(crate) async fn run(cli: Cli) -> Result<(), CommandError> {
    let output = Output { json: cli.json };
    let settings = || Settings::load(cli.config.as_deref());
    let patient = || settings().map(Settings::patient);
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => serve::run(settings()?, &output).await,
        Command::Migrate {
            distribute,
            status,
            dry_run,
        } => {
            let options = migrate::Options {
                distribute,
                status,
                dry_run,
            };
            migrate::run(&patient()?, options, &output).await
        }
        Command::Store(command) => store::run(&patient()?, command, &output).await,
        Command::Operator(command) => operator::run(&patient()?, command, &output).await,
        Command::Audit(arguments) => audit::run(&patient()?, &arguments, &output).await,
        Command::MasterKey(command) => master_key::run(&patient()?, &command, &output).await,
        Command::Order(command) => order::run(&patient()?, command, &output).await,
        Command::Events(command) => events::run(&patient()?, command, &output).await,
        Command::Webhook(command) => webhook::run(patient, command, &output).await,
        Command::Shipments(command) => shipments::run(&patient()?, command, &output).await,
        Command::Catalog(command) => catalog::run(&patient()?, command, &output).await,
        Command::Prices(command) => pricing::prices(&patient()?, command, &output).await,
        Command::Shipping(command) => pricing::shipping(&patient()?, command, &output).await,
        Command::Fees(command) => pricing::fees(&patient()?, command, &output).await,
        Command::Sign(arguments) => sign::run(&arguments, &output),
        Command::Config(command) => config::run(cli.config.as_deref(), &command, &output),
        Command::Healthcheck { timeout } => healthcheck::run(settings, timeout, &output),
        Command::Completions { shell } => command_line::completions(shell),
        Command::Man { dir } => command_line::manual(dir.as_deref()),
        Command::Openapi { operators } => openapi(operators),
    }
}

fn openapi(operators: bool) -> Result<(), CommandError> {
    print_line(&if operators {
        pressline_api::operator_openapi_json()
    } else {
        pressline_api::openapi_json()
    })
}
