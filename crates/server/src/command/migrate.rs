//! `pressline migrate`.

use pressline_store_postgres::{DistributedTables, MigrationState, MigrationStatus};
use serde_json::{Value, json};

use crate::config::Settings;
use crate::error::CommandError;
use crate::output::Output;
use crate::wiring::{Adapters, create_file, migration_statuses};

/// Options of the command.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    pub(super) distribute: bool,
    pub(super) status: bool,
    pub(super) dry_run: bool,
}

pub(super) async fn run(
    settings: &Settings,
    options: Options,
    output: &Output,
) -> Result<(), CommandError> {
    if options.status || options.dry_run {
        let statuses = migration_statuses(settings).await?;
        return match options.status {
            true => output.print(&list(&statuses), || list_text(&statuses)),
            false => output.print(&pending(&statuses), || pending_text(&statuses)),
        };
    }
    create_file(settings)?;
    let adapters = Adapters::open(settings)?;
    let applied = adapters.migrate().await?;
    let distributed = match options.distribute {
        true => Some(adapters.distribute().await?),
        false => None,
    };
    output.print(&document(&applied, distributed.as_ref()), || {
        let mut lines = vec![match applied.as_slice() {
            [] => "The database is up to date.".to_owned(),
            names => format!("Applied: {}", names.join(", ")),
        }];
        lines.extend(distributed.as_ref().map(distributed_text));
        lines.join("\n")
    })
}

fn list(statuses: &[MigrationStatus]) -> Value {
    let statuses = statuses.iter().map(|status| {
        let applied_at = status.applied_at.map(|at| at.to_string());
        json!({ "name": status.name, "state": status.state.as_str(), "appliedAt": applied_at })
    });
    statuses.collect()
}

fn list_text(statuses: &[MigrationStatus]) -> String {
    let line = |status: &MigrationStatus| {
        let applied_at = status
            .applied_at
            .map_or_else(|| "-".to_owned(), |at| at.to_string());
        format!("{}  {}  {applied_at}", status.name, status.state.as_str())
    };
    statuses.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the statements of pending migrations, by name.
fn pending(statuses: &[MigrationStatus]) -> Value {
    let pending = pending_of(statuses);
    pending
        .map(|(name, text)| json!({ "name": name, "statements": text }))
        .collect()
}

fn pending_text(statuses: &[MigrationStatus]) -> String {
    let texts: Vec<String> = pending_of(statuses)
        .map(|(name, text)| format!("-- {name}\n{text}"))
        .collect();
    match texts.as_slice() {
        [] => "-- No migration is pending.".to_owned(),
        texts => texts.join("\n"),
    }
}

fn pending_of(statuses: &[MigrationStatus]) -> impl Iterator<Item = (&str, &'static str)> {
    let pending = statuses
        .iter()
        .filter(|status| status.state == MigrationState::Pending);
    pending.filter_map(|status| Some((status.name.as_str(), status.text?)))
}

fn document(applied: &[String], distributed: Option<&DistributedTables>) -> Value {
    let mut document = json!({ "applied": applied });
    if let (Some(tables), Some(fields)) = (distributed, document.as_object_mut()) {
        let value = json!({
            "byStore": tables.by_store,
            "onEveryNode": tables.on_every_node,
        });
        fields.insert("distributed".to_owned(), value);
    }
    document
}

fn distributed_text(tables: &DistributedTables) -> String {
    let lines: Vec<String> = [
        ("Distributed by store", &tables.by_store),
        ("Copied to every node", &tables.on_every_node),
    ]
    .into_iter()
    .filter(|(_, names)| !names.is_empty())
    .map(|(what, names)| format!("{what}: {}", names.join(", ")))
    .collect();
    match lines.as_slice() {
        [] => "All tables are distributed already.".to_owned(),
        lines => lines.join("\n"),
    }
}
