//! `pressline fees`: imports, exports and removes schedules of fees.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pressline_domain::id::StoreId;
use pressline_domain::money::Currency;
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{FeeRule, FeeSchedule};
use pressline_domain::store::Store;
use serde_json::json;

use crate::cli::{FeesCommand, ImportArgs};
use crate::config::Settings;
use crate::failure::Failure;
use crate::files::fees::{self, Schedules};
use crate::files::{Former, Known, Location, Table};
use crate::logging;
use crate::terminal::escape;
use crate::wiring::Backends;

use super::Output;
use super::exchange;

pub(super) async fn run(
    settings: &Settings,
    command: FeesCommand,
    output: &Output,
) -> Result<(), Failure> {
    match command {
        FeesCommand::Import(from) => import(settings, &from, output).await,
        FeesCommand::Export(to) => {
            let backends = Backends::open_migrated(settings).await?;
            let known = Known {
                stores: exchange::stores(&backends).await?,
                ..Known::default()
            };
            exchange::export(
                &fees::sheet(&in_force(settings, &backends).await?, &known),
                &to,
                output,
            )
        }
        FeesCommand::Remove { store, service: _ } => {
            remove(settings, store.as_deref(), output).await
        }
    }
}

/// All schedules, the service's first: the configuration's where none was imported.
pub(super) async fn in_force(
    settings: &Settings,
    backends: &Backends,
) -> Result<Schedules, Failure> {
    let imported = backends.catalog_admin.fees().await?;
    Ok(with_service(imported, settings.tariff()?.fees))
}

/// Schedules with the service's own, the configured one where there is no other.
fn with_service(mut schedules: Schedules, configured: FeeSchedule) -> Schedules {
    if schedules.iter().all(|(store, _)| store.is_some()) {
        schedules.insert(0, (None, configured));
    }
    schedules
}

async fn import(settings: &Settings, from: &ImportArgs, output: &Output) -> Result<(), Failure> {
    let table = Table::load(&Location::input(&from.file, from.format)?, &fees::SHAPE)?;
    let backends = Backends::open_migrated(settings).await?;
    let configured = settings.tariff()?;
    let mut known = exchange::known(&backends, &configured, &table.texts("skus")).await?;
    let there = backends.catalog_admin.fees().await?;
    known.former = Former::of_fees(&there);
    let schedules = fees::read(table, &known)?;
    let given: Vec<_> = schedules
        .iter()
        .map(|(store, schedule)| (*store, Some(schedule)))
        .collect();
    let changed = match from.dry_run {
        true => schedules
            .iter()
            .filter(|schedule| !there.contains(schedule))
            .count(),
        false => backends.catalog_admin.set_fees(&given).await?,
    };
    let named = |store| schedules.iter().any(|(other, _)| *other == store);
    let in_force = with_service(there, configured.fees);
    let (before, stay): (Schedules, Schedules) =
        in_force.into_iter().partition(|(store, _)| named(*store));
    let mut warnings = refused_labels(schedules.iter().chain(&stay), &known.stores);
    warnings.extend(missing_zones(&schedules, &known.zones));
    let count = schedules.len();
    let rules: usize = schedules
        .iter()
        .map(|(_, schedule)| schedule.rules.len())
        .sum();
    let unchanged = count - changed;
    let mut document = exchange::document([
        ("schedules", json!(count)),
        ("rules", json!(rules)),
        ("changed", json!(changed)),
        ("unchanged", json!(unchanged)),
    ]);
    let mut lines = Vec::new();
    if from.verbose {
        lines = exchange::row_changes(
            &fees::sheet(&before, &known),
            &fees::sheet(&schedules, &known),
        )?;
    }
    if from.dry_run {
        let listed = from
            .verbose
            .then(|| lines.iter().map(|line| json!(line)).collect());
        document.extend(exchange::dry_run(listed));
    }
    if !warnings.is_empty() {
        warnings
            .iter()
            .for_each(|warning| logging::say(&escape(warning)));
        document.insert("warnings".to_owned(), json!(warnings));
    }
    output.print(&document, || {
        let end = if from.dry_run {
            ". Nothing was changed: this was a dry run."
        } else {
            "."
        };
        lines.push(format!(
            "{rules} rules in {count} schedules: {changed} changed, {unchanged} unchanged{end}"
        ));
        exchange::text(&lines)
    })
}

/// Warnings, one a currency, of the stores whose label orders are refused, as no rule charges each
/// of them for its handling. The service's own schedule counts as a store that is made without
/// naming its currency.
fn refused_labels<'a>(
    schedules: impl Iterator<Item = &'a (Option<StoreId>, FeeSchedule)>,
    stores: &[Store],
) -> Vec<String> {
    let schedules: HashMap<Option<StoreId>, &FeeSchedule> = schedules
        .map(|(store, schedule)| (*store, schedule))
        .collect();
    let service = schedules.get(&None);
    let own = |store: &Store| {
        let schedule = schedules.get(&Some(store.id)).or(service);
        (store.prefix.to_string(), store.currency, schedule)
    };
    let all = std::iter::once(("the service".to_owned(), Currency::USD, service))
        .chain(stores.iter().map(own));
    let mut refused: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, currency, schedule) in all {
        if !schedule.is_some_and(|schedule| {
            schedule
                .rules
                .iter()
                .any(|rule| handles_labels(rule, currency))
        }) {
            refused.entry(currency.code()).or_default().push(name);
        }
    }
    let warning = |(currency, names): (&str, Vec<String>)| {
        let names = names.join(", ");
        format!(
            "label orders without a handling fee are refused, and none in {currency} is for all of them: {names}"
        )
    };
    refused.into_iter().map(warning).collect()
}

/// A warning of the zones that rules name and the shipping rates no longer have.
fn missing_zones(schedules: &Schedules, zones: &[String]) -> Option<String> {
    let named = schedules
        .iter()
        .flat_map(|(_, schedule)| &schedule.rules)
        .flat_map(|rule| &rule.zones);
    let missing: BTreeSet<&str> = named
        .filter(|name| !zones.contains(name))
        .map(String::as_str)
        .collect();
    let names: Vec<&str> = missing.into_iter().collect();
    let names = names.join(", ");
    (!names.is_empty())
        .then(|| format!("fees name zones that the shipping rates do not have: {names}"))
}

/// Whether a rule gives every label order in a currency its handling fee.
fn handles_labels(rule: &FeeRule, currency: Currency) -> bool {
    rule.fee == FeeType::Handling
        && rule.currency == currency
        && rule.orders != Some(OrderKind::Manual)
        && rule.skus.is_empty()
        && rule.zones.is_empty()
}

async fn remove(settings: &Settings, store: Option<&str>, output: &Output) -> Result<(), Failure> {
    let backends = Backends::open_migrated(settings).await?;
    let owner = match store {
        None => None,
        Some(name) => Some(exchange::store(&backends, name).await?.id),
    };
    let removed = backends.catalog_admin.set_fees(&[(owner, None)]).await? > 0;
    output.print(&json!({ "removed": removed }), || match (removed, owner) {
        (true, Some(_)) => "Removed: the service's schedule holds for the store.".to_owned(),
        (true, None) => "Removed: the fees of the configuration hold.".to_owned(),
        (false, _) => "There was none.".to_owned(),
    })
}
