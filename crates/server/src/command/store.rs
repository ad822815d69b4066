//! `pressline store`: administers stores and their keys.

use pressline_domain::catalog::import::{find_store, unknown_store};
use pressline_domain::id::StoreId;
use pressline_domain::store::{
    NewStore, Store, StoreAdmin, StoreChange, StoreRecord, StoreSettings, StoreWithSecret,
};
use serde::Serialize;

use crate::cli::{StoreCommand, StoreCreate, StoreName, StoreSet};
use crate::config::Settings;
use crate::error::CommandError;
use crate::master_key;
use crate::wiring::Adapters;

use super::Output;

/// A store as `--json` shows it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StoreDocument {
    store_id: String,
    name: String,
    prefix: String,
    currency: &'static str,
    enabled: bool,
    strict_catalog: bool,
    require_timestamp: bool,
    allow_unsigned_search: bool,
    created_at: String,
    keys: Vec<KeyDocument>,
    /// The key that was just created.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_id: Option<String>,
    /// Its text, shown this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_key: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyDocument {
    key_id: String,
    created_at: String,
}

impl From<&StoreRecord> for StoreDocument {
    fn from(record: &StoreRecord) -> Self {
        let store = &record.store;
        let keys = record.keys.iter();
        Self {
            store_id: store.id.to_string(),
            name: store.name.clone(),
            prefix: store.prefix.to_string(),
            currency: store.currency.code(),
            enabled: store.enabled,
            strict_catalog: store.settings.strict_catalog,
            require_timestamp: store.settings.require_timestamp,
            allow_unsigned_search: store.settings.allow_unsigned_search,
            created_at: store.created_at.to_string(),
            keys: keys
                .map(|key| KeyDocument {
                    key_id: key.id.to_string(),
                    created_at: key.created_at.to_string(),
                })
                .collect(),
            key_id: None,
            secret_key: None,
        }
    }
}

impl From<&StoreWithSecret> for StoreDocument {
    fn from(made: &StoreWithSecret) -> Self {
        Self {
            key_id: Some(made.key_id.to_string()),
            secret_key: Some(made.secret.expose().to_owned()),
            ..Self::from(&made.record)
        }
    }
}

impl StoreDocument {
    fn text(&self) -> String {
        let state = if self.enabled { "enabled" } else { "disabled" };
        let mut lines = vec![
            format!("Store       {}  {} ({state})", self.store_id, self.name),
            format!("  prefix    {}", self.prefix),
            format!("  currency  {}", self.currency),
            format!("  created   {}", self.created_at),
        ];
        let settings = [
            ("strict catalog", self.strict_catalog),
            ("requires a timestamp", self.require_timestamp),
            ("allows unsigned search", self.allow_unsigned_search),
        ];
        for (name, _) in settings.iter().filter(|(_, on)| *on) {
            lines.push(format!("  setting   {name}"));
        }
        for key in &self.keys {
            lines.push(format!(
                "  key       {}  created {}",
                key.key_id, key.created_at
            ));
        }
        if let (Some(id), Some(secret)) = (&self.key_id, &self.secret_key) {
            lines.push(format!("New key     {id}"));
            lines.push(format!("Secret key  {secret}"));
            lines.push("            Save it now: it is not shown again.".to_owned());
        }
        lines.join("\n")
    }
}

pub(super) async fn run(
    settings: &Settings,
    command: StoreCommand,
    output: &Output,
) -> Result<(), CommandError> {
    let adapters = Adapters::open_migrated(settings).await?;
    let admin = adapters.store_admin(master_key::sealer(settings, &adapters).await?);
    let id = async |name: &StoreName| id_of(&adapters, name).await;
    let document = match command {
        StoreCommand::List => return list(&admin, output).await,
        StoreCommand::Create(new) => StoreDocument::from(&admin.create(new_store(new)).await?),
        StoreCommand::RotateKey { store } => {
            StoreDocument::from(&admin.rotate_key(id(&store).await?).await?)
        }
        StoreCommand::Show { store } => StoreDocument::from(&admin.show(id(&store).await?).await?),
        StoreCommand::RevokeKey { store, key } => {
            StoreDocument::from(&admin.revoke_key(id(&store).await?, key).await?)
        }
        StoreCommand::Set(StoreSet { store, changes }) => {
            let change = StoreChange {
                name: changes.name,
                currency: changes.currency,
                strict_catalog: changes.strict_catalog,
                require_timestamp: changes.require_timestamp,
                allow_unsigned_search: changes.allow_unsigned_search,
                cooling_off_seconds: None,
                enabled: None,
            };
            StoreDocument::from(&admin.change(id(&store).await?, &change).await?)
        }
        StoreCommand::Disable { store } => {
            StoreDocument::from(&admin.change(id(&store).await?, &enabled(false)).await?)
        }
        StoreCommand::Enable { store } => {
            StoreDocument::from(&admin.change(id(&store).await?, &enabled(true)).await?)
        }
    };
    output.print(&document, || document.text())
}

/// Returns the store that a command names by id or prefix.
pub(super) async fn find(adapters: &Adapters, name: &str) -> Result<Store, CommandError> {
    let records = adapters.stores.list().await?;
    let stores: Vec<Store> = records.into_iter().map(|record| record.store).collect();
    match find_store(&stores, name) {
        Some(store) => Ok(store.clone()),
        None => Err(CommandError::NotFound(unknown_store(&stores, name))),
    }
}

/// Returns the id of the store that a command names. An id is not looked up here: the command
/// itself finds the store or not.
async fn id_of(adapters: &Adapters, name: &StoreName) -> Result<StoreId, CommandError> {
    match name.0.parse() {
        Ok(id) => Ok(id),
        Err(_) => Ok(find(adapters, &name.0).await?.id),
    }
}

fn new_store(new: StoreCreate) -> NewStore {
    NewStore {
        name: new.name,
        prefix: new.prefix,
        currency: new.currency,
        settings: StoreSettings {
            strict_catalog: new.strict_catalog,
            require_timestamp: new.require_timestamp,
            allow_unsigned_search: new.allow_unsigned_search,
            cooling_off_seconds: None,
        },
    }
}

fn enabled(enabled: bool) -> StoreChange {
    StoreChange {
        enabled: Some(enabled),
        ..StoreChange::default()
    }
}

async fn list(admin: &StoreAdmin, output: &Output) -> Result<(), CommandError> {
    let documents: Vec<StoreDocument> = admin
        .list()
        .await?
        .iter()
        .map(StoreDocument::from)
        .collect();
    output.print(&documents, || match documents.as_slice() {
        [] => "No stores yet; `pressline store create --name NAME` creates one.".to_owned(),
        documents => documents
            .iter()
            .map(StoreDocument::text)
            .collect::<Vec<_>>()
            .join("\n"),
    })
}
