//! Warnings about results of an import of rates or fees that are probably not intended.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Schedules;
use crate::rows::References;
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{FeeRule, FeeSchedule, ShippingRates};
use pressline_domain::store::Store;
use pressline_domain::value::{Currency, StoreId};

/// Hint about a probably unintended result of an import of shipping rates or fees.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// Label orders of the stores `owners` are refused, because no rule charges every label order a
    /// handling fee.
    #[error(
        "label orders without a handling fee are refused, and none in {} is for all of them: {}",
        .currency.code(),
        .owners.join(", ")
    )]
    LabelsRefused {
        /// Currency of the stores in `owners`.
        currency: Currency,
        /// Prefixes of the stores. The entry `the service` stands for future stores with the
        /// default currency.
        owners: Vec<String>,
    },
    /// Zones that the imported fees name and the shipping rates lack.
    #[error("fees name zones that the shipping rates do not have: {}", .0.join(", "))]
    ZonesMissing(Vec<String>),
    /// Zones that stored fees name and the imported shipping rates lack.
    #[error("fees are charged by zones that no longer exist: {}", .0.join(", "))]
    ZonesOnlyInFees(Vec<String>),
}

/// Warns about zones that only `schedules` name: their fee rules would no longer be charged.
pub(crate) fn zones_only_in_fees(schedules: &Schedules, rates: &ShippingRates) -> Option<Warning> {
    let has = |name: &str| rates.zones().iter().any(|zone| zone.name == name);
    let missing = missing_zones(schedules, has);
    (!missing.is_empty()).then_some(Warning::ZonesOnlyInFees(missing))
}

/// Returns warnings about `imported`. `staying` has the stored schedules of other owners.
pub(crate) fn fee_warnings(
    imported: &Schedules,
    staying: &Schedules,
    references: &References,
) -> Vec<Warning> {
    let mut warnings = refused_labels(imported.iter().chain(staying), &references.stores);
    let has = |name: &str| references.zones.iter().any(|zone| zone == name);
    let missing = missing_zones(imported, has);
    if !missing.is_empty() {
        warnings.push(Warning::ZonesMissing(missing));
    }
    warnings
}

fn missing_zones(schedules: &Schedules, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let rules = schedules.iter().flat_map(|(_, schedule)| schedule.rules());
    let zones: BTreeSet<&String> = rules.flat_map(|rule| &rule.zones).collect();
    let missing = zones.into_iter().filter(|name| !exists(name));
    missing.cloned().collect()
}

/// Warns for each currency in which stores lack a handling fee for all label orders. Also examines
/// the service's own schedule, for future stores with the default currency.
fn refused_labels<'a>(
    schedules: impl Iterator<Item = &'a (Option<StoreId>, FeeSchedule)>,
    stores: &[Store],
) -> Vec<Warning> {
    let schedules: HashMap<Option<StoreId>, &FeeSchedule> = schedules
        .map(|(owner, schedule)| (*owner, schedule))
        .collect();
    let of_service = schedules.get(&None);
    let of_store = |store: &Store| {
        // A store without a schedule of its own uses the service's schedule.
        let schedule = schedules.get(&Some(store.id)).or(of_service);
        (store.prefix.to_string(), store.currency, schedule)
    };
    let service = ("the service".to_owned(), Currency::USD, of_service);
    let mut by_currency: BTreeMap<&str, (Currency, Vec<String>)> = BTreeMap::new();
    for (name, currency, schedule) in std::iter::once(service).chain(stores.iter().map(of_store)) {
        if schedule.is_some_and(|schedule| handles_labels(schedule, currency)) {
            continue;
        }
        let of_currency = by_currency.entry(currency.code());
        let (_, owners) = of_currency.or_insert_with(|| (currency, Vec::new()));
        owners.push(name);
    }
    let refused = by_currency.into_values();
    let warnings = refused.map(|(currency, owners)| Warning::LabelsRefused { currency, owners });
    warnings.collect()
}

fn handles_labels(schedule: &FeeSchedule, currency: Currency) -> bool {
    let every_label_order = |rule: &FeeRule| {
        // A rule for some SKUs or zones leaves other label orders without a fee.
        rule.fee == FeeType::Handling
            && rule.currency == currency
            && rule.orders != Some(OrderKind::Manual)
            && rule.skus.is_empty()
            && rule.zones.is_empty()
    };
    schedule.rules().iter().any(every_label_order)
}
