//! `pressline shipping`: imports and exports zones and shipping rates.

use std::collections::BTreeSet;

use pressline_domain::pricing::tariff::ShippingRates;
use serde_json::json;

use crate::cli::{ImportArgs, ShippingCommand};
use crate::config::Settings;
use crate::failure::Failure;
use crate::files::{Location, Table, shipping};
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
            let rates = in_force(settings, backends.catalog_admin.shipping().await?)?;
            exchange::export(&shipping::sheet(&rates), &to, output)
        }
    }
}

/// The imported rates, or those of the configuration where there are none.
fn in_force(
    settings: &Settings,
    imported: Option<ShippingRates>,
) -> Result<ShippingRates, Failure> {
    Ok(imported.map_or_else(|| settings.tariff().map(|tariff| tariff.shipping), Ok)?)
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
    let there = backends.catalog_admin.shipping().await?;
    let lost = lost_zones(settings, &backends, &rates).await?;
    let changed = match from.dry_run {
        true => there.as_ref() != Some(&rates),
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
        let before = in_force(settings, there)?;
        lines = exchange::row_changes(&shipping::sheet(&before), &shipping::sheet(&rates))?;
    }
    if from.dry_run {
        let listed = from
            .verbose
            .then(|| lines.iter().map(|line| json!(line)).collect());
        document.extend(exchange::dry_run(listed));
    }
    if !lost.is_empty() {
        let zones: Vec<&str> = lost.iter().map(String::as_str).collect();
        document.insert("zonesOnlyInFees".to_owned(), json!(zones));
        let zones = zones.join(", ");
        logging::say(&format!(
            "fees are charged by zones that no longer exist: {}",
            escape(&zones)
        ));
    }
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

/// The zones that rules of fees name and that the new rates don't have: such a rule charges nobody
/// any more.
async fn lost_zones(
    settings: &Settings,
    backends: &Backends,
    rates: &ShippingRates,
) -> Result<BTreeSet<String>, Failure> {
    let schedules = super::fees::in_force(settings, backends).await?;
    let rules = schedules
        .into_iter()
        .flat_map(|(_, schedule)| schedule.rules);
    let named = rules.flat_map(|rule| rule.zones);
    Ok(named
        .filter(|name| rates.zones.iter().all(|zone| zone.name != *name))
        .collect())
}
