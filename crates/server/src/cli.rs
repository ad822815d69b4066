//! The command line.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};
use pressline_domain::id::{KeyId, Prefix, StoreId};
use pressline_domain::money::Currency;
use pressline_domain::time::{InvalidTimestamp, Timestamp};

use crate::location::FileFormat;

/// A print-on-demand order service: takes signed orders from stores, checks, prices and keeps them.
///
/// Exit codes: 0 done; 1 it failed; 2 wrong usage or configuration; 3 the database cannot be
/// reached; 4 there is no such store, key, order or SKU.
#[derive(Debug, Parser)]
#[command(name = "pressline", version, propagate_version = true)]
pub(crate) struct Cli {
    /// A TOML file with settings; `pressline config print` shows all of them.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print one JSON document on standard output; messages go to standard error.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What to do; `serve` where nothing is said.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve requests until SIGTERM or SIGHUP, which let running ones finish, or SIGINT, which does
    /// not.
    Serve,
    /// Bring the database's tables up to date.
    Migrate,
    /// Create, show and change stores, and rotate their keys.
    #[command(subcommand)]
    Store(StoreCommand),
    /// Rotate the master key, which seals the secret keys of stores.
    #[command(subcommand)]
    MasterKey(MasterKeyCommand),
    /// List and show orders; nothing is changed.
    #[command(subcommand)]
    Order(OrderCommand),
    /// Import, export and show products.
    #[command(subcommand)]
    Catalog(CatalogCommand),
    /// Import and export price lists: the service's, and those of stores, which come before it.
    #[command(subcommand)]
    Prices(PricesCommand),
    /// Import and export zones and shipping rates.
    #[command(subcommand)]
    Shipping(ShippingCommand),
    /// Import and export the schedules of fees: the service's, and those of stores, which replace
    /// it.
    #[command(subcommand)]
    Fees(FeesCommand),
    /// Sign a request body that comes on standard input, and print the signature.
    ///
    /// The secret key is read from a file or from the environment variable PRESSLINE_SECRET_KEY,
    /// never from the command line, which other users of the machine can see.
    Sign(SignArgs),
    /// Show the configuration.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print the OpenAPI document.
    Openapi,
}

/// What to do with stores.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Create a store and print its first secret key, once.
    Create(StoreCreate),
    /// List all stores.
    List,
    /// Show one store.
    Show {
        /// The store's id or prefix.
        store: StoreName,
    },
    /// Change a store.
    Set(StoreSet),
    /// Make another secret key and print it, once. With a third key the oldest goes.
    RotateKey {
        /// The store's id or prefix.
        store: StoreName,
    },
    /// Take a secret key out of use, within 5 seconds.
    RevokeKey {
        /// The store's id or prefix.
        store: StoreName,
        /// The key's id.
        key: KeyId,
    },
    /// Refuse a store's calls, within 5 seconds.
    Disable {
        /// The store's id or prefix.
        store: StoreName,
    },
    /// Serve a disabled store again.
    Enable {
        /// The store's id or prefix.
        store: StoreName,
    },
}

/// What to do with the master key.
#[derive(Debug, Subcommand)]
pub(crate) enum MasterKeyCommand {
    /// Seal the secret keys of all stores with the configured master key, also while servers run.
    ///
    /// Configure the new key as auth.master_key and the old one as auth.previous_master_key (or
    /// …_file), for the servers first and then for this command. Where the master key is the file
    /// beside the SQLite database, nothing has to be configured: the command makes a new key and
    /// replaces the file.
    ///
    /// It changes all keys or none. Where it was interrupted, run it again.
    Rotate,
}

/// A new store.
#[derive(Debug, Args)]
pub(crate) struct StoreCreate {
    /// A name for people.
    #[arg(long)]
    pub(crate) name: String,
    /// What its order numbers begin with: 1 to 12 of A-Z and 0-9, unique. Made from the name where
    /// not given.
    #[arg(long)]
    pub(crate) prefix: Option<Prefix>,
    /// The currency of its orders, a code of ISO 4217.
    #[arg(long, default_value = "USD")]
    pub(crate) currency: Currency,
    /// Refuse unknown SKUs, unknown ship classes and missing shipping rates.
    #[arg(long)]
    pub(crate) strict_catalog: bool,
    /// Refuse calls without X-Service-Timestamp.
    #[arg(long)]
    pub(crate) require_timestamp: bool,
    /// Answer searches without a signature. Anybody who knows the store id can then read its
    /// orders.
    #[arg(long)]
    pub(crate) allow_unsigned_search: bool,
}

/// Changes of a store.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct StoreChanges {
    /// Another name.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Another currency, for orders to come.
    #[arg(long)]
    pub(crate) currency: Option<Currency>,
    /// Whether unknown SKUs, unknown ship classes and missing rates are errors.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) strict_catalog: Option<bool>,
    /// Whether calls need X-Service-Timestamp.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) require_timestamp: Option<bool>,
    /// Whether searches need no signature.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub(crate) allow_unsigned_search: Option<bool>,
}

/// Which store to change, and how.
#[derive(Debug, Args)]
pub(crate) struct StoreSet {
    /// The store's id or prefix.
    pub(crate) store: StoreName,
    #[command(flatten)]
    pub(crate) changes: StoreChanges,
}

/// How a command names a store: by its id, or by its prefix in either letter case.
#[derive(Debug, Clone)]
pub(crate) struct StoreName(pub(crate) String);

impl FromStr for StoreName {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let is_prefix = name.to_ascii_uppercase().parse::<Prefix>().is_ok();
        if is_prefix || name.parse::<StoreId>().is_ok() {
            Ok(Self(name.to_owned()))
        } else {
            Err("neither the id of a store, a UUID, nor a prefix, 1 to 12 of A-Z and 0-9")
        }
    }
}

/// What to do with orders.
#[derive(Debug, Subcommand)]
pub(crate) enum OrderCommand {
    /// List a store's orders, newest first.
    List(OrderList),
    /// Show an order.
    Show {
        /// The store's id or prefix.
        #[arg(long)]
        store: StoreName,
        /// The order's order_id, its service order id such as DEMO-17, or its id.
        order: String,
    },
}

/// Which orders to list.
#[derive(Debug, Args)]
pub(crate) struct OrderList {
    /// The store's id or prefix.
    #[arg(long)]
    pub(crate) store: StoreName,
    /// Only orders with words that begin like these: ids, names, e-mail addresses, phone numbers,
    /// SKUs, items.
    pub(crate) words: Vec<String>,
    /// Only orders created at this moment or later: a date, in UTC, or a moment such as
    /// 2026-01-01T06:30:00Z.
    #[arg(long, value_name = "TIME")]
    pub(crate) from: Option<Timestamp>,
    /// Only orders created until this moment, or until the end of this date.
    #[arg(long, value_name = "TIME", value_parser = end)]
    pub(crate) to: Option<Timestamp>,
    /// How many orders to list, at most 100.
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    pub(crate) size: u32,
    /// Continue behind the list that ended with this cursor. The words and times have to be the
    /// same.
    #[arg(long)]
    pub(crate) cursor: Option<String>,
}

/// Reads the end of a time range, which includes the whole of a date.
fn end(text: &str) -> Result<Timestamp, InvalidTimestamp> {
    const LAST_OF_DAY: i64 = 24 * 60 * 60 * 1000 - 1;
    let moment: Timestamp = text.parse()?;
    // A moment is longer than its date.
    let is_date = text.len() == "2026-01-01".len();
    Ok(if is_date {
        Timestamp::from_millis(moment.as_millis() + LAST_OF_DAY)
    } else {
        moment
    })
}

/// What to do with the catalog.
#[derive(Debug, Subcommand)]
pub(crate) enum CatalogCommand {
    /// Add the products of a file, or replace those whose SKU is known; all of them or, if one is
    /// wrong, none.
    Import {
        #[command(flatten)]
        from: ImportArgs,
        /// Retire the SKUs that are not in the file.
        #[arg(long)]
        retire_missing: bool,
    },
    /// Write the whole catalog as a file that can be imported.
    Export(ExportArgs),
    /// List the SKUs, retired ones too.
    List {
        /// Only those with words that begin like these.
        #[arg(long, value_name = "KEY")]
        search: Option<String>,
    },
    /// Show a SKU: its options and print areas, and its prices in all price lists.
    Show {
        /// The SKU.
        sku: String,
    },
}

/// What to do with price lists.
#[derive(Debug, Subcommand)]
pub(crate) enum PricesCommand {
    /// Add the prices of a file, or replace those of the same list, SKU, currency and date.
    Import {
        #[command(flatten)]
        from: ImportArgs,
        /// Remove all other prices of the lists that the file names.
        #[arg(long)]
        replace: bool,
    },
    /// Write all price lists as a file that can be imported.
    Export(ExportArgs),
}

/// What to do with shipping rates.
#[derive(Debug, Subcommand)]
pub(crate) enum ShippingCommand {
    /// Replace all zones and rates by those of a file.
    Import(ImportArgs),
    /// Write all zones and rates as a file that can be imported: those in force, also where none
    /// were imported.
    Export(ExportArgs),
}

/// What to do with schedules of fees.
#[derive(Debug, Subcommand)]
pub(crate) enum FeesCommand {
    /// Replace the schedules that a file names by those in it. Schedules of other stores stay.
    Import(ImportArgs),
    /// Write all schedules as a file that can be imported: those in force, also where none were
    /// imported.
    Export(ExportArgs),
    /// Remove a schedule, so that for a store the service's holds again, and for the service the
    /// configuration's.
    #[group(required = true)]
    Remove {
        /// The id or the prefix of the store.
        store: Option<String>,
        /// The service's own schedule.
        #[arg(long, conflicts_with = "store")]
        service: bool,
    },
}

/// What to import.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// A file, or `-` for standard input; at most 256 MiB.
    pub(crate) file: PathBuf,
    /// The format; by default given by the name's ending, .csv or .json.
    #[arg(long, required_if_eq("file", "-"))]
    pub(crate) format: Option<FileFormat>,
    /// Change nothing, and print how much would change.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print each change of a dry run.
    #[arg(long, requires = "dry_run")]
    pub(crate) verbose: bool,
}

/// Where to export to.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// A file, or `-` for standard output; by default standard output, as CSV or with --json as
    /// JSON.
    pub(crate) file: Option<PathBuf>,
    /// The format; by default given by the name's ending, .csv or .json.
    #[arg(long, required_if_eq("file", "-"))]
    pub(crate) format: Option<FileFormat>,
}

/// How to sign.
#[derive(Debug, Args)]
pub(crate) struct SignArgs {
    /// A file that holds the secret key; a line break at its end does not count.
    #[arg(long, value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,
    /// Sign with this X-Service-Timestamp, in unix seconds; needs --path.
    #[arg(long, value_name = "SECONDS", requires = "path")]
    pub(crate) timestamp: Option<i64>,
    /// The path of the call, such as /app/v1/orders/create; needs --timestamp.
    #[arg(long, requires = "timestamp")]
    pub(crate) path: Option<String>,
}

/// What to do with the configuration.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print all settings as they are in force, secrets masked.
    Print {
        /// Print the commented defaults instead.
        #[arg(long)]
        defaults: bool,
        /// Print where each value comes from: the defaults, a file or an environment variable.
        #[arg(long, conflicts_with = "defaults")]
        origin: bool,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

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
    }
}
