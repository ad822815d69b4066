//! The arguments of `pressline store`.

use std::str::FromStr;

use clap::{Args, Subcommand};
use pressline_domain::store::{cooling_off_seconds, ship_by_seconds, slip_note};
use pressline_domain::value::id::{KeyId, Prefix, StoreId};
use pressline_domain::value::money::Currency;

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
    /// Create another secret key and print it, once. A store has at most two keys: the oldest is
    /// removed.
    RotateKey {
        /// The store's id or prefix.
        store: StoreName,
    },
    /// Revoke a secret key; takes effect within 5 seconds.
    RevokeKey {
        /// The store's id or prefix.
        store: StoreName,
        /// Id of the key.
        key: KeyId,
    },
    /// Refuse a store's calls; takes effect within 5 seconds.
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

#[derive(Debug, Args)]
pub(crate) struct StoreCreate {
    /// The name of the store.
    #[arg(long)]
    pub(crate) name: String,
    /// Prefix of its order numbers: 1 to 12 characters of A-Z and 0-9, unique. Default: derived
    /// from the name.
    #[arg(long)]
    pub(crate) prefix: Option<Prefix>,
    /// Create a test store: its orders are not produced and not in the print shop's queues. It can
    /// call /app/v1/sandbox.
    #[arg(long)]
    pub(crate) test: bool,
    /// Currency of its orders, an ISO 4217 code.
    #[arg(long, default_value = "USD")]
    pub(crate) currency: Currency,
    /// Refuse unknown SKUs, unknown ship classes and missing shipping rates.
    #[arg(long)]
    pub(crate) strict_catalog: bool,
    /// Require X-Service-Timestamp in all calls, also to create, update and search orders.
    #[arg(long)]
    pub(crate) require_timestamp: bool,
    /// Accept searches without a signature. Anyone who knows the store id can then read its
    /// orders.
    #[arg(long)]
    pub(crate) allow_unsigned_search: bool,
    /// Time in which the store may freely change a new order: 0, or a whole number with s, m, h or
    /// d, such as 90m. Default: as configured.
    #[arg(long, value_name = "TIME", value_parser = cooling_off_seconds)]
    pub(crate) cooling_off: Option<u32>,
    /// Ship-by time of items, counted from when they become ready: 0 for none, or a whole number
    /// with s, m, h or d, at most 90d. Default: 3d.
    #[arg(long, value_name = "TIME", value_parser = ship_by_seconds)]
    pub(crate) promise: Option<u32>,
    /// Note to print on its packing slips.
    #[arg(long, value_name = "TEXT", value_parser = slip_note)]
    pub(crate) slip_note: Option<String>,
}

/// Parses `true` or `false`, the value of an option. Without a value, clap takes the next argument,
/// which may be the store. The error message says how to avoid this.
fn switch(text: &str) -> Result<bool, String> {
    let message = || {
        format!(
            "it is neither true nor false; write the store before the options, as in \
             `pressline store set {text} --strict-catalog`"
        )
    };
    text.parse().map_err(|_| message())
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct StoreChanges {
    /// The new name.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// The new currency, for new orders.
    #[arg(long)]
    pub(crate) currency: Option<Currency>,
    /// Whether unknown SKUs, unknown ship classes and missing rates are errors.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", value_parser = switch)]
    pub(crate) strict_catalog: Option<bool>,
    /// Whether all calls need X-Service-Timestamp, also creation, update and search of orders.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", value_parser = switch)]
    pub(crate) require_timestamp: Option<bool>,
    /// Whether searches need no signature.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", value_parser = switch)]
    pub(crate) allow_unsigned_search: Option<bool>,
    /// Time in which the store may freely change orders that it places from now on: 0, or a whole
    /// number with s, m, h or d, such as 90m.
    #[arg(long, value_name = "TIME", value_parser = cooling_off_seconds)]
    pub(crate) cooling_off: Option<u32>,
    /// Ship-by time of items, counted from when they become ready: 0 for none, or a whole number
    /// with s, m, h or d, such as 3d.
    #[arg(long, value_name = "TIME", value_parser = ship_by_seconds)]
    pub(crate) promise: Option<u32>,
    /// Note to print on its packing slips; an empty text removes it.
    #[arg(long, value_name = "TEXT", value_parser = slip_note)]
    pub(crate) slip_note: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StoreSet {
    /// The store's id or prefix.
    pub(crate) store: StoreName,
    #[command(flatten)]
    pub(crate) changes: StoreChanges,
}

/// Store named by its id, or by its prefix in either letter case.
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
