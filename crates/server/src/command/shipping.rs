//! `pressline shipping`: imports, exports and restores zones and shipping rates.

use std::collections::BTreeSet;

use pressline_domain::pricing::tariff::ShippingRates;
use serde_json::{Map, Value, json};

use crate::cli::{ImportArgs, ShippingCommand};
use crate::config::Settings;
use crate::failure::Failure;
use crate::files::{Location, Table, shipping};
use crate::first_prices;
use crate::logging;
use crate::terminal::escape;
use crate::wiring::Backends;

use super::Output;
use super::exchange;

pub(super) async fn run(
    settings: &Settings,
    command: ShippingCommand,
    output: &Output,
) -> Result<(), Failure> {
    match command {
        ShippingCommand::Import(from) => import(settings, &from, output).await,
        ShippingCommand::Export(to) => {
            let backends = Backends::open_migrated(settings).await?;
            exchange::export(&shipping::sheet(&stored(&backends).await?), &to, output)
        }
        ShippingCommand::Remove => remove(settings, output).await,
    }
}

/// The stored rates.
async fn stored(backends: &Backends) -> Result<ShippingRates, Failure> {
    Ok(backends.catalog_admin.shipping().await?.unwrap_or_default())
}

/// Restores the rates of a new database.
async fn remove(settings: &Settings, output: &Output) -> Result<(), Failure> {
    let backends = Backends::open_migrated(settings).await?;
    let first = first_prices::rates()?;
    let lost = lost_zones(&backends, &first).await?;
    let removed = backends.catalog_admin.set_shipping(&first).await?;
    let mut document = exchange::document([("removed", json!(removed))]);
    report_lost(&lost, &mut document);
    output.print(&document, || match removed {
        true => "Removed: the rates of a new database hold.".to_owned(),
        false => "There was none.".to_owned(),
    })
}

async fn import(settings: &Settings, from: &ImportArgs, output: &Output) -> Result<(), Failure> {
    let file = Location::input(&from.file, from.format)?;
    let rates = shipping::read(Table::load(&file, &shipping::SHAPE)?)?;
    if rates.rates.is_empty() {
        let name = file.name();
        return Err(Failure::Usage(format!(
            "{name} has no rates, and would remove all there are"
        )));
    }
    let backends = Backends::open_migrated(settings).await?;
    let there = stored(&backends).await?;
    let lost = lost_zones(&backends, &rates).await?;
    let changed = match from.dry_run {
        true => there != rates,
        false => backends.catalog_admin.set_shipping(&rates).await?,
    };
    let (zones, count) = (rates.zones.len(), rates.rates.len());
    let mut document = exchange::document([
        ("zones", json!(zones)),
        ("rates", json!(count)),
        ("changed", json!(changed)),
    ]);
    let mut lines = Vec::new();
    if from.verbose {
        lines = exchange::row_changes(&shipping::sheet(&there), &shipping::sheet(&rates))?;
    }
    if from.dry_run {
        let listed = from
            .verbose
            .then(|| lines.iter().map(|line| json!(line)).collect());
        document.extend(exchange::dry_run(listed));
    }
    report_lost(&lost, &mut document);
    output.print(&document, || {
        let done = match (from.dry_run, changed) {
            (true, true) => "would change; this was a dry run",
            (true, false) => "would change nothing; this was a dry run",
            (false, true) => "changed",
            (false, false) => "unchanged",
        };
        lines.push(format!("{zones} zones, {count} rates: {done}."));
        exchange::text(&lines)
    })
}

/// Names the zones that only fees still have.
fn report_lost(lost: &BTreeSet<String>, document: &mut Map<String, Value>) {
    if lost.is_empty() {
        return;
    }
    let zones: Vec<&str> = lost.iter().map(String::as_str).collect();
    document.insert("zonesOnlyInFees".to_owned(), json!(zones));
    let zones = zones.join(", ");
    logging::say(&format!(
        "fees are charged by zones that no longer exist: {}",
        escape(&zones)
    ));
}

/// The zones that rules of fees name and that the new rates don't have: such a rule charges nobody
/// any more.
async fn lost_zones(
    backends: &Backends,
    rates: &ShippingRates,
) -> Result<BTreeSet<String>, Failure> {
    let schedules = backends.catalog_admin.fees().await?;
    let rules = schedules
        .into_iter()
        .flat_map(|(_, schedule)| schedule.rules);
    let named = rules.flat_map(|rule| rule.zones);
    Ok(named
        .filter(|name| rates.zones.iter().all(|zone| zone.name != *name))
        .collect())
}
