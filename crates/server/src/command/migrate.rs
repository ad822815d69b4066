//! `pressline migrate`.

use pressline_store_postgres::DistributedTables;
use serde_json::{Value, json};

use super::Output;
use crate::config::Settings;
use crate::error::CommandError;
use crate::wiring::{Adapters, create_file};

pub(super) async fn run(
    settings: &Settings,
    distribute: bool,
    output: &Output,
) -> Result<(), CommandError> {
    create_file(settings)?;
    let adapters = Adapters::open(settings)?;
    let applied = adapters.migrate().await?;
    let distributed = match distribute {
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
