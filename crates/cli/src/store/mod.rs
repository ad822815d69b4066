//! `pressline store`: administers stores and their keys.

use std::str::FromStr;

use clap::{Args, Subcommand};
use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::import::catalog::{find_store, unknown_store};
use pressline_backoffice::store::{NewStore, StoreAdmin, StoreChange, StoreWithSecret};
use pressline_domain::store::{
    Store, StoreRecord, StoreSettings, cooling_off_seconds, ship_by_seconds, slip_note,
};
use pressline_domain::value::{Currency, KeyId, Prefix, StoreId};

use crate::demo::text::sandbox_text;
use crate::error::{CommandError, Result};
use crate::output::Output;
use crate::services::{ConfiguredProgram, Documents, Services};

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
    name: String,
    /// Prefix of its order numbers: 1 to 12 characters of A-Z and 0-9, unique. Default: derived
    /// from the name.
    #[arg(long)]
    prefix: Option<Prefix>,
    /// Create a test store: its orders are not produced and not in the print shop's queues. It can
    /// call /app/v1/sandbox.
    #[arg(long)]
    test: bool,
    /// Currency of its orders, an ISO 4217 code.
    #[arg(long, default_value = "USD", value_parser = Currency::for_store)]
    currency: Currency,
    /// Refuse unknown SKUs, unknown ship classes and missing shipping rates.
    #[arg(long)]
    strict_catalog: bool,
    /// Require X-Service-Timestamp in all calls, also to create, update and search orders.
    #[arg(long)]
    require_timestamp: bool,
    /// Accept searches without a signature. Anyone who knows the store id can then read its
    /// orders.
    #[arg(long)]
    allow_unsigned_search: bool,
    /// Time in which the store may freely change a new order: 0, or a whole number with s, m, h or
    /// d, such as 90m. Default: as configured.
    #[arg(long, value_name = "TIME", value_parser = cooling_off_seconds)]
    cooling_off: Option<u32>,
    /// Ship-by time of items, counted from when they become ready: 0 for none, or a whole number
    /// with s, m, h or d, at most 90d. Default: 3d.
    #[arg(long, value_name = "TIME", value_parser = ship_by_seconds)]
    promise: Option<u32>,
    /// Note to print on its packing slips.
    #[arg(long, value_name = "TEXT", value_parser = slip_note)]
    slip_note: Option<String>,
}

/// Explains the likely mistake: without a value, clap takes the next argument, such as the store.
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
    name: Option<String>,
    /// The new currency, for new orders.
    #[arg(long, value_parser = Currency::for_store)]
    currency: Option<Currency>,
    /// Whether unknown SKUs, unknown ship classes and missing rates are errors.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", value_parser = switch)]
    pub(crate) strict_catalog: Option<bool>,
    /// Whether all calls need X-Service-Timestamp, also creation, update and search of orders.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", value_parser = switch)]
    require_timestamp: Option<bool>,
    /// Whether searches need no signature.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", value_parser = switch)]
    allow_unsigned_search: Option<bool>,
    /// Time in which the store may freely change orders that it places from now on: 0, or a whole
    /// number with s, m, h or d, such as 90m.
    #[arg(long, value_name = "TIME", value_parser = cooling_off_seconds)]
    cooling_off: Option<u32>,
    /// Ship-by time of items, counted from when they become ready: 0 for none, or a whole number
    /// with s, m, h or d, such as 3d.
    #[arg(long, value_name = "TIME", value_parser = ship_by_seconds)]
    promise: Option<u32>,
    /// Note to print on its packing slips; an empty text removes it.
    #[arg(long, value_name = "TEXT", value_parser = slip_note)]
    slip_note: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StoreSet {
    /// The store's id or prefix.
    store: StoreName,
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

fn text_with_key(made: &StoreWithSecret) -> String {
    format!(
        "{}\nNew key     {}\nSecret key  {}\n            Save it now: it is not shown again.",
        text(&made.record),
        made.key_id,
        made.secret.expose()
    )
}

fn text(record: &StoreRecord) -> String {
    let Store {
        id,
        name,
        prefix,
        currency,
        test,
        settings,
        enabled,
        created_at,
    } = &record.store;
    let state = if *enabled { "enabled" } else { "disabled" };
    let mut lines = vec![
        format!("Store       {id}  {name} ({state})"),
        format!("  prefix    {prefix}"),
        format!("  currency  {}", currency.code()),
        format!("  created   {created_at}"),
    ];
    if *test {
        lines.push("  test      its orders are not made".to_owned());
    }
    let flags = [
        ("strict catalog", settings.strict_catalog),
        ("requires a timestamp", settings.require_timestamp),
        ("allows unsigned search", settings.allow_unsigned_search),
    ];
    for (name, _) in flags.iter().filter(|(_, on)| *on) {
        lines.push(format!("  setting   {name}"));
    }
    if let Some(seconds) = settings.cooling_off_seconds {
        lines.push(format!("  setting   cooling off for {seconds} s"));
    }
    match settings.ship_by_seconds {
        None => {}
        Some(0) => lines.push("  setting   nothing is promised".to_owned()),
        Some(seconds) => lines.push(format!("  setting   sent within {seconds} s")),
    }
    if let Some(note) = &settings.slip_note {
        lines.push(format!("  setting   on packing slips: {note}"));
    }
    for key in &record.keys {
        let used = key.last_used_at.map_or_else(
            || "never used".to_owned(),
            |minute| format!("last used {minute}"),
        );
        lines.push(format!(
            "  key       {}  created {}, {used}",
            key.id, key.created_at
        ));
    }
    lines.join("\n")
}

pub(super) async fn run(
    program: &dyn ConfiguredProgram,
    command: StoreCommand,
    output: &Output,
) -> Result {
    let (services, store_admin) = program.open_store_admin().await?;
    let admin = store_admin.by(AuditContext::COMMAND_LINE);
    let documents = &services.documents;
    let id = async |name: &StoreName| id_of(&services, name).await;
    let record = match command {
        StoreCommand::List => return list(&admin, documents, output).await,
        StoreCommand::Create(new) => {
            let made = admin.create(new_store(new)).await?;
            let mut text = text_with_key(&made);
            // Only test stores may call the operations of the sandbox.
            if made.record.store.test {
                text.push_str(&sandbox_text(program.stores_address(), &made));
            }
            return output.print(&(documents.store_with_secret)(&made), || text);
        }
        StoreCommand::RotateKey { store } => {
            let made = admin.rotate_key(id(&store).await?).await?;
            let document = (documents.store_with_secret)(&made);
            return output.print(&document, || text_with_key(&made));
        }
        StoreCommand::Show { store } => admin.show(id(&store).await?).await?,
        StoreCommand::RevokeKey { store, key } => admin.revoke_key(id(&store).await?, key).await?,
        StoreCommand::Set(StoreSet { store, changes }) => {
            admin.change(id(&store).await?, &changes.into()).await?
        }
        StoreCommand::Disable { store } => admin.change(id(&store).await?, &enabled(false)).await?,
        StoreCommand::Enable { store } => admin.change(id(&store).await?, &enabled(true)).await?,
    };
    output.print(&(documents.store)(&record), || text(&record))
}

pub(super) async fn find(services: &Services, name: &str) -> Result<Store> {
    let records = services.stores.list().await?;
    let stores: Vec<Store> = records.into_iter().map(|record| record.store).collect();
    match find_store(&stores, name) {
        Some(store) => Ok(store.clone()),
        None => Err(CommandError::NotFound(unknown_store(&stores, name))),
    }
}

/// Returns an id without a look-up: the command itself reports a missing store.
pub(super) async fn id_of(services: &Services, name: &StoreName) -> Result<StoreId> {
    match name.0.parse() {
        Ok(id) => Ok(id),
        Err(_) => Ok(find(services, &name.0).await?.id),
    }
}

impl From<StoreChanges> for StoreChange {
    fn from(changes: StoreChanges) -> Self {
        Self {
            name: changes.name,
            currency: changes.currency,
            strict_catalog: changes.strict_catalog,
            require_timestamp: changes.require_timestamp,
            allow_unsigned_search: changes.allow_unsigned_search,
            cooling_off_seconds: changes.cooling_off.map(Some),
            ship_by_seconds: changes.promise.map(Some),
            slip_note: changes.slip_note.map(non_empty),
            enabled: None,
            version: None,
        }
    }
}

fn new_store(new: StoreCreate) -> NewStore {
    NewStore {
        name: new.name,
        prefix: new.prefix,
        currency: new.currency,
        test: new.test,
        settings: StoreSettings {
            strict_catalog: new.strict_catalog,
            require_timestamp: new.require_timestamp,
            allow_unsigned_search: new.allow_unsigned_search,
            cooling_off_seconds: new.cooling_off,
            ship_by_seconds: new.promise,
            slip_note: new.slip_note.and_then(non_empty),
        },
    }
}

fn non_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

fn enabled(enabled: bool) -> StoreChange {
    StoreChange {
        enabled: Some(enabled),
        ..StoreChange::default()
    }
}

async fn list(admin: &StoreAdmin, documents: &Documents, output: &Output) -> Result {
    let records = admin.list().await?;
    let documents: Vec<_> = records.iter().map(documents.store).collect();
    output.print(&documents, || match records.as_slice() {
        [] => "No stores yet; `pressline store create --name NAME` creates one.".to_owned(),
        records => records.iter().map(text).collect::<Vec<_>>().join("\n"),
    })
}
