//! `pressline migrate`: applies or lists migrations.

use serde_json::{Value, json};

use crate::arguments::MigrateArgs;
use crate::error::Result;
use crate::output::Output;
use crate::services::{ConfiguredProgram, Migrated, Migration, NodeTables};
use crate::warnings::add_warnings;

pub(super) async fn run(
    program: &dyn ConfiguredProgram,
    arguments: &MigrateArgs,
    output: &Output,
) -> Result {
    if arguments.status {
        let migrations = program.migrations().await?;
        return output.print(&list(&migrations), || list_text(&migrations));
    }
    if arguments.dry_run {
        let pending = program.pending_statements().await?;
        return output.print(&dry_run(&pending), || dry_run_text(&pending));
    }
    let Migrated {
        applied,
        warnings,
        on_nodes,
    } = program.migrate(arguments.distribute).await?;
    let mut document = document(&applied, on_nodes.as_ref());
    add_warnings(&mut document, &warnings);
    output.print(&document, || {
        let mut lines = vec![match applied.as_slice() {
            [] => "The database is up to date.".to_owned(),
            names => format!("Applied: {}", names.join(", ")),
        }];
        lines.extend(on_nodes.as_ref().map(on_nodes_text));
        lines.join("\n")
    })
}

fn list(migrations: &[Migration]) -> Value {
    let migrations = migrations.iter().map(|migration| {
        let applied_at = migration.applied_at.map(|at| at.to_string());
        json!({ "name": migration.name, "state": migration.state, "appliedAt": applied_at })
    });
    migrations.collect()
}

fn list_text(migrations: &[Migration]) -> String {
    let line = |migration: &Migration| {
        let applied_at = migration
            .applied_at
            .map_or_else(|| "-".to_owned(), |at| at.to_string());
        format!("{}  {}  {applied_at}", migration.name, migration.state)
    };
    migrations.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn dry_run(pending: &[(String, &str)]) -> Value {
    let pending = pending.iter();
    pending
        .map(|(name, text)| json!({ "name": name, "statements": text }))
        .collect()
}

fn dry_run_text(pending: &[(String, &str)]) -> String {
    let pending = pending.iter();
    let texts: Vec<String> = pending
        // Names are SQL comments, so that the output can be run as a script.
        .map(|(name, text)| format!("-- {name}\n{text}"))
        .collect();
    match texts.as_slice() {
        [] => "-- No migration is pending.".to_owned(),
        texts => texts.join("\n"),
    }
}

fn document(applied: &[String], on_nodes: Option<&NodeTables>) -> Value {
    let mut document = json!({ "applied": applied });
    if let (Some(tables), Some(fields)) = (on_nodes, document.as_object_mut()) {
        let value = json!({
            "byStore": tables.by_store,
            "onEveryNode": tables.on_every_node,
        });
        fields.insert("distributed".to_owned(), value);
    }
    document
}

fn on_nodes_text(tables: &NodeTables) -> String {
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
