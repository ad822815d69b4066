//! Top-level arguments, and the arguments of commands without a folder of their own.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use pressline_domain::value::{AuditId, Timestamp};

use crate::catalog::CatalogCommand;
use crate::event::EventsCommand;
use crate::fulfilment::ShipmentsCommand;
use crate::media::FilesCommand;
use crate::operator::OperatorCommand;
use crate::order::OrderCommand;
use crate::pricing::{FeesCommand, PricesCommand, ShippingCommand};
use crate::store::StoreCommand;
use crate::webhook::WebhookCommand;

/// A print-on-demand order service: receives signed orders of stores, checks, prices and stores them.
///
/// Exit codes: 0 success; 1 failure; 2 wrong usage or configuration; 3 the database cannot be
/// reached; 4 the store, key, operator, token, order or SKU does not exist. `files check` has others.
#[derive(Debug, Parser)]
#[command(name = "pressline")]
pub(crate) struct Cli {
    /// A TOML file with settings; `pressline config print` shows all of them.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print one JSON document on standard output; messages go to standard error, errors as a line of JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl Cli {
    pub(crate) fn of_version(version: &'static str) -> clap::Command {
        Self::command().version(version).propagate_version(true)
    }

    /// Returns an error that contains the text to print for `--help` and `--version`.
    pub(crate) fn from_environment(version: &'static str) -> Result<Self, clap::Error> {
        let mut command = Self::of_version(version);
        let read = command.try_get_matches_from_mut(std::env::args_os());
        read.and_then(|matches| Self::from_arg_matches(&matches))
            .map_err(|error| error.format(&mut command))
    }
}

/// Returns whether `arguments` contain the option `--json`, even if clap cannot parse them.
pub(crate) fn asks_for_json(arguments: impl Iterator<Item = OsString>) -> bool {
    // Arguments after `--` are values, not options.
    let mut options = arguments.take_while(|argument| argument != "--");
    options.any(|argument| argument == "--json")
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve requests until a signal. SIGTERM and SIGHUP let requests in progress finish; SIGINT
    /// does not.
    Serve,
    /// Bring the database's tables up to date.
    Migrate(MigrateArgs),
    /// Skip order numbers and event sequences that were used after the backup from which the
    /// database was restored. Run it before `serve`, while no server runs.
    ///
    /// Also run it after a replica was promoted that had not received all writes. A repeated command
    /// skips once, until a server starts. docs/OPERATIONS.md describes what is skipped, and how far.
    AfterRestore(AfterRestoreArgs),
    /// Create, show and change stores, and rotate their keys.
    #[command(subcommand)]
    Store(StoreCommand),
    /// Create and list operators, issue and revoke their tokens, and create sign-in links.
    #[command(subcommand)]
    Operator(OperatorCommand),
    /// Print the audit log, newest first: sign-ins and changes to stores, keys, operators, catalog
    /// and webhooks.
    Audit(AuditArgs),
    /// Rotate the master key, which seals the secret keys of stores.
    #[command(subcommand)]
    MasterKey(MasterKeyCommand),
    /// List and show orders; nothing is changed.
    #[command(subcommand)]
    Order(OrderCommand),
    /// Print the events of a store, which report changes of its orders.
    #[command(subcommand)]
    Events(EventsCommand),
    /// Create, list and change webhook endpoints, and receive webhooks on this machine to try them.
    #[command(subcommand)]
    Webhook(WebhookCommand),
    /// Import shipments, and export the parcels to send.
    #[command(subcommand)]
    Shipments(ShipmentsCommand),
    /// Import, export and show products.
    #[command(subcommand)]
    Catalog(CatalogCommand),
    /// Import and export price lists. A store's own price list takes precedence over the service's.
    #[command(subcommand)]
    Prices(PricesCommand),
    /// Import and export zones and shipping rates.
    #[command(subcommand)]
    Shipping(ShippingCommand),
    /// Import, export and remove fee schedules. A store's own schedule replaces the service's.
    #[command(subcommand)]
    Fees(FeesCommand),
    /// Check print files.
    #[command(subcommand)]
    Files(FilesCommand),
    /// Read a request body from standard input and print its signature.
    ///
    /// The secret key is read from a file or from the environment variable PRESSLINE_SECRET_KEY,
    /// never from the command line, which other users of the machine can see.
    Sign(SignArgs),
    /// Show and check the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Ask the server of this configuration whether it is ready, for container health checks.
    ///
    /// Calls /readyz at the address in http.listen, or at the loopback address if http.listen is a
    /// wildcard such as 0.0.0.0. Exit codes: 0 ready; 1 not ready, or any error.
    Healthcheck {
        /// Call this address instead, such as the address of a systemd socket unit. The
        /// configuration is not read.
        #[arg(long, value_name = "HOST:PORT")]
        address: Option<String>,
        /// Seconds until the server counts as not ready, 1 to 60.
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=60))]
        timeout: u64,
    },
    /// Print completions of the command line for a shell.
    Completions { shell: clap_complete::Shell },
    /// Print the manual page of the program.
    Man {
        /// Write the pages of all commands as files into this folder instead.
        #[arg(long, value_name = "FOLDER")]
        dir: Option<PathBuf>,
    },
    /// Print the OpenAPI document.
    Openapi {
        /// Print the document of the operators' API instead of the stores' API.
        #[arg(long)]
        operators: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    /// Also distribute the tables over the nodes of a Citus cluster, by store. docs/SCALE.md
    /// describes the steps.
    #[arg(long)]
    pub(crate) distribute: bool,
    /// List the migrations with their states; change nothing. `altered`: another build made the database.
    #[arg(long, conflicts_with_all = ["distribute", "dry_run"])]
    pub(crate) status: bool,
    /// Print the statements of the pending migrations; change nothing.
    #[arg(long, conflicts_with = "distribute")]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AfterRestoreArgs {
    /// Time of the backup, such as 2026-11-28T03:00:00Z. Needed only if the database was used after
    /// the restore. Default: the time of the newest record in the database.
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<Timestamp>,
    /// Skip N order numbers of each store and 100 times as many event sequences, instead of a number
    /// that depends on the age of the backup. 0 if the restored database lacks nothing.
    #[arg(long, value_name = "N", conflicts_with = "since")]
    pub(crate) skip: Option<u32>,
    /// Skip again, although the counters were skipped and no server has started since.
    #[arg(long)]
    pub(crate) again: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// Maximum number of entries to print, 1 to 1000.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) limit: u32,
    /// Only entries older than the entry with this id.
    #[arg(long, value_name = "ID")]
    pub(crate) before: Option<AuditId>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MasterKeyCommand {
    /// Seal the secret keys of all stores with the configured master key, also while servers run.
    ///
    /// Configure the new key as auth.master_key and the old key as auth.previous_master_key (or
    /// …_file), for the servers first and then for this command. If the master key is the file next
    /// to the SQLite database, no configuration is needed: the command creates a new key and
    /// replaces the file.
    ///
    /// It changes all keys or none. If it was interrupted, run it again.
    Rotate,
}

#[derive(Debug, Args)]
pub(crate) struct SignArgs {
    /// A file that holds the secret key; a line break at its end is ignored.
    #[arg(long, value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
    /// Sign with this X-Service-Timestamp, in unix seconds; needs --path.
    #[arg(long, value_name = "SECONDS", requires = "path")]
    pub(crate) timestamp: Option<i64>,
    /// The path of the call, such as /app/v1/orders/create; needs --timestamp.
    #[arg(long, requires = "timestamp")]
    pub(crate) path: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the settings in force, secrets masked.
    Print {
        /// Print the commented defaults instead.
        #[arg(long)]
        defaults: bool,
        /// Print where each value comes from: the defaults, a file or an environment variable.
        #[arg(long, conflicts_with = "defaults")]
        origin: bool,
    },
    /// Print all mistakes of the configuration, each with the file or variable to correct.
    ///
    /// Also reads the files that settings name, such as the master key. Opens no database. Exit codes: 0 no mistake;
    /// 2 mistakes.
    Check,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn settings_of_a_store_take_a_value_or_none() {
        let id = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e";
        let set = |arguments: &[&str]| {
            let line = ["pressline", "store", "set", id]
                .into_iter()
                .chain(arguments.iter().copied());
            match Cli::try_parse_from(line)?.command {
                Some(Command::Store(StoreCommand::Set(set))) => Ok(set.changes),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(
            set(&["--strict-catalog"]).unwrap().strict_catalog,
            Some(true)
        );
        assert_eq!(
            set(&["--strict-catalog", "false"]).unwrap().strict_catalog,
            Some(false)
        );
        assert!(set(&[]).map_err(|error: clap::Error| error.kind()).is_err());
        let taken = ["pressline", "store", "set", "--strict-catalog", "SUN"];
        let refused = Cli::try_parse_from(taken).unwrap_err().to_string();
        let hint = "write the store before the options, as in `pressline store set SUN";
        assert!(refused.contains(hint), "{refused}");
    }
}
