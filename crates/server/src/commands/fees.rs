//! `pressline fees`: imports, exports and removes schedules of fees.

use serde_json::json;

use crate::cli::{FeesCommand, ImportArgs};
use crate::config::Settings;
use crate::failure::Failure;
use crate::files::fees::{self, Schedules};
use crate::files::{Known, Table};
use crate::wiring::Backends;

use super::Output;
use super::exchange;

pub(super) async fn run(settings: &Settings, command: FeesCommand, output: &Output) -> Result<(), Failure> {
    match command {
        FeesCommand::Import(from) => import(settings, &from, output).await,
        FeesCommand::Export(to) => {
            let backends = Backends::open_migrated(settings).await?;
            let known = Known { stores: exchange::stores(&backends).await?, ..Known::default() };
            exchange::export(&fees::sheet(&in_force(settings, &backends).await?, &known), &to, output)
        }
        FeesCommand::Remove { store, service: _ } => remove(settings, store.as_deref(), output).await,
    }
}

/// All schedules, the service's first: the configuration's where none was imported.
pub(super) async fn in_force(settings: &Settings, backends: &Backends) -> Result<Schedules, Failure> {
    let mut schedules = backends.catalog_admin.fees().await?;
    if schedules.iter().all(|(store, _)| store.is_some()) {
        schedules.insert(0, (None, settings.tariff()?.fees));
    }
    Ok(schedules)
}

async fn import(settings: &Settings, from: &ImportArgs, output: &Output) -> Result<(), Failure> {
    let table = Table::load(&from.file, &fees::SHAPE)?;
    let backends = Backends::open_migrated(settings).await?;
    let known = exchange::known(&backends, &settings.tariff()?, &table.texts("skus")).await?;
    let schedules = fees::read(table, &known)?;
    let there = backends.catalog_admin.fees().await?;
    let named = |store| schedules.iter().any(|(other, _)| *other == store);
    let before: Schedules = there.into_iter().filter(|(store, _)| named(*store)).collect();
    let given: Vec<_> = schedules.iter().map(|(store, schedule)| (*store, Some(schedule))).collect();
    let changed = match from.dry_run {
        true => schedules.iter().filter(|schedule| !before.contains(schedule)).count(),
        false => backends.catalog_admin.set_fees(&given).await?,
    };
    let count = schedules.len();
    let rules: usize = schedules.iter().map(|(_, schedule)| schedule.rules.len()).sum();
    let unchanged = count - changed;
    let mut document = exchange::document([
        ("schedules", json!(count)),
        ("rules", json!(rules)),
        ("changed", json!(changed)),
        ("unchanged", json!(unchanged)),
    ]);
    let mut lines = Vec::new();
    if from.dry_run {
        lines = exchange::row_changes(&fees::sheet(&before, &known), &fees::sheet(&schedules, &known))?;
        document.extend(exchange::dry_run(lines.iter().map(|line| json!(line)).collect()));
    }
    output.print(&document, || {
        let end = if from.dry_run { ". Nothing was changed: this was a dry run." } else { "." };
        lines.push(format!(
            "{rules} rules in {count} schedules: {changed} changed, {unchanged} unchanged{end}"
        ));
        lines.join("\n")
    })
}

async fn remove(settings: &Settings, store: Option<&str>, output: &Output) -> Result<(), Failure> {
    let backends = Backends::open_migrated(settings).await?;
    let known = Known { stores: exchange::stores(&backends).await?, ..Known::default() };
    let owner = match store {
        None => None,
        Some(name) => match known.store(name) {
            Some(store) => Some(store.id),
            None => {
                let near = known.near_stores(name);
                return Err(Failure::NotFound(format!(
                    "`{name}` is neither the id nor the prefix of a store{near}"
                )));
            }
        },
    };
    let removed = backends.catalog_admin.set_fees(&[(owner, None)]).await? > 0;
    output.print(&json!({ "removed": removed }), || match (removed, owner) {
        (true, Some(_)) => "Removed: the service's schedule holds for the store.".to_owned(),
        (true, None) => "Removed: the fees of the configuration hold.".to_owned(),
        (false, _) => "There was none.".to_owned(),
    })
}
