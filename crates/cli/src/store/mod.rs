//! `pressline store`: administers stores and their keys.

pub(crate) mod arguments;

use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::import::catalog::{find_store, unknown_store};
use pressline_backoffice::store::StoreChange;
use pressline_backoffice::store::{NewStore, StoreAdmin, StoreWithSecret};
use pressline_domain::store::{Store, StoreRecord, StoreSettings};
use pressline_domain::value::id::StoreId;
use serde::Serialize;

use crate::demo::text::sandbox_text;
use crate::error::{CommandError, Result};
use crate::output::Output;
use crate::services::{Configured, Services};

use self::arguments::{StoreCommand, StoreCreate, StoreName, StoreSet};

fn shown<D: for<'a> From<&'a StoreRecord>>(record: &StoreRecord) -> (D, String) {
    (D::from(record), text(record))
}

fn with_key<D: for<'a> From<&'a StoreWithSecret>>(made: &StoreWithSecret) -> (D, String) {
    let text = format!(
        "{}\nNew key     {}\nSecret key  {}\n            Save it now: it is not shown again.",
        text(&made.record),
        made.key_id,
        made.secret.expose()
    );
    (D::from(made), text)
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

type StoreDocument<P> = <<P as Configured>::Services as Services>::StoreDocument;

pub(super) async fn run<P: Configured>(
    program: &P,
    command: StoreCommand,
    output: &Output,
) -> Result {
    let services = program.open().await?;
    let admin = services.store_admin().await?.by(AuditContext::COMMAND_LINE);
    let id = async |name: &StoreName| id_of(&services, name).await;
    let (document, text): (StoreDocument<P>, String) = match command {
        StoreCommand::List => return list::<StoreDocument<P>>(&admin, output).await,
        StoreCommand::Create(new) => {
            let made = admin.create(new_store(new)).await?;
            let (document, mut text) = with_key(&made);
            // Only test stores may call the operations of the sandbox.
            if made.record.store.test {
                text.push_str(&sandbox_text(services.stores_address(), &made));
            }
            (document, text)
        }
        StoreCommand::RotateKey { store } => with_key(&admin.rotate_key(id(&store).await?).await?),
        StoreCommand::Show { store } => shown(&admin.show(id(&store).await?).await?),
        StoreCommand::RevokeKey { store, key } => {
            shown(&admin.revoke_key(id(&store).await?, key).await?)
        }
        StoreCommand::Set(StoreSet { store, changes }) => {
            let change = StoreChange {
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
            };
            shown(&admin.change(id(&store).await?, &change).await?)
        }
        StoreCommand::Disable { store } => {
            shown(&admin.change(id(&store).await?, &enabled(false)).await?)
        }
        StoreCommand::Enable { store } => {
            shown(&admin.change(id(&store).await?, &enabled(true)).await?)
        }
    };
    output.print(&document, || text)
}

pub(super) async fn find(services: &impl Services, name: &str) -> Result<Store> {
    let records = services.stores().list().await?;
    let stores: Vec<Store> = records.into_iter().map(|record| record.store).collect();
    match find_store(&stores, name) {
        Some(store) => Ok(store.clone()),
        None => Err(CommandError::NotFound(unknown_store(&stores, name))),
    }
}

/// Returns an id without a look-up: the command itself reports a missing store.
pub(super) async fn id_of(services: &impl Services, name: &StoreName) -> Result<StoreId> {
    match name.0.parse() {
        Ok(id) => Ok(id),
        Err(_) => Ok(find(services, &name.0).await?.id),
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

async fn list<D: Serialize + for<'a> From<&'a StoreRecord>>(
    admin: &StoreAdmin,
    output: &Output,
) -> Result {
    let records = admin.list().await?;
    let documents: Vec<D> = records.iter().map(D::from).collect();
    output.print(&documents, || match records.as_slice() {
        [] => "No stores yet; `pressline store create --name NAME` creates one.".to_owned(),
        records => records.iter().map(text).collect::<Vec<_>>().join("\n"),
    })
}
