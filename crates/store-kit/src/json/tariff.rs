//! Shipping rates and fee schedules, each as one JSON document.

use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::money::Amount;
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::tariff::{
    FeeRule, FeeRuleParts, FeeSchedule, Per, Place, ShippingRate, ShippingRateParts, ShippingRates,
    WeightStep, Zone, ZoneParts,
};
use serde::{Deserialize, Serialize};

use super::bill::fee_type;

#[derive(Serialize, Deserialize)]
struct StoredRates {
    zones: Vec<StoredZone>,
    rates: Vec<StoredRate>,
}

/// A zone; its places as `US` or `US-CA`.
#[derive(Serialize, Deserialize)]
struct StoredZone {
    name: String,
    places: Vec<String>,
}

/// A rate; amounts in minor units of its currency.
#[derive(Serialize, Deserialize)]
struct StoredRate {
    zone: String,
    ship_class: String,
    currency: String,
    first: i64,
    further: i64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<StoredStep>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    free_from: Option<i64>,
}

#[derive(Serialize, Deserialize)]
struct StoredStep {
    above_grams: u64,
    extra: i64,
}

#[derive(Serialize, Deserialize)]
struct StoredSchedule {
    rules: Vec<StoredRule>,
}

/// A rule; the amount in minor units of its currency.
#[derive(Serialize, Deserialize)]
struct StoredRule {
    name: String,
    fee: String,
    currency: String,
    amount: i64,
    per: String,
    /// `manual` or `label`; absent for both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    orders: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    skus: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    zones: Vec<String>,
}

pub(crate) fn write_shipping(rates: &ShippingRates) -> Result<String, RepositoryError> {
    super::write(&StoredRates {
        zones: rates.zones().iter().map(StoredZone::from).collect(),
        rates: rates.rates().iter().map(StoredRate::from).collect(),
    })
}

pub(crate) fn read_shipping(text: &str) -> Result<ShippingRates, Source> {
    let stored: StoredRates = serde_json::from_str(text)?;
    let zones = stored.zones.into_iter().map(read_zone);
    let rates = stored.rates.into_iter().map(read_rate);
    Ok(ShippingRates::new(
        zones.collect::<Result<_, Source>>()?,
        rates.collect::<Result<_, Source>>()?,
    )?)
}

pub(crate) fn write_fees(schedule: &FeeSchedule) -> Result<String, RepositoryError> {
    super::write(&StoredSchedule {
        rules: schedule.rules().iter().map(StoredRule::from).collect(),
    })
}

pub(crate) fn read_fees(text: &str) -> Result<FeeSchedule, Source> {
    let stored: StoredSchedule = serde_json::from_str(text)?;
    let rules = stored.rules.into_iter().map(read_rule);
    Ok(FeeSchedule::new(rules.collect::<Result<_, Source>>()?)?)
}

impl From<&Zone> for StoredZone {
    fn from(zone: &Zone) -> Self {
        Self {
            name: zone.name.clone(),
            places: zone.places.iter().map(Place::to_string).collect(),
        }
    }
}

fn read_zone(stored: StoredZone) -> Result<Zone, Source> {
    let places = stored.places.iter().map(|text| text.parse());
    Ok(Zone::new(ZoneParts {
        name: stored.name,
        places: places.collect::<Result<_, _>>()?,
    })?)
}

impl From<&ShippingRate> for StoredRate {
    fn from(rate: &ShippingRate) -> Self {
        let step = |step: &WeightStep| StoredStep {
            above_grams: step.above_grams,
            extra: step.extra.minor_units(),
        };
        Self {
            zone: rate.zone.clone(),
            ship_class: rate.ship_class.clone(),
            currency: rate.currency.code().to_owned(),
            first: rate.first.minor_units(),
            further: rate.further.minor_units(),
            steps: rate.steps.iter().map(step).collect(),
            free_from: rate.free_from.map(Amount::minor_units),
        }
    }
}

fn read_rate(stored: StoredRate) -> Result<ShippingRate, Source> {
    let step = |step: StoredStep| {
        Ok(WeightStep {
            above_grams: step.above_grams,
            extra: Amount::from_minor(step.extra)?,
        })
    };
    let steps = stored.steps.into_iter().map(step);
    Ok(ShippingRate::new(ShippingRateParts {
        zone: stored.zone,
        ship_class: stored.ship_class,
        currency: stored.currency.parse()?,
        first: Amount::from_minor(stored.first)?,
        further: Amount::from_minor(stored.further)?,
        steps: steps.collect::<Result<_, Source>>()?,
        free_from: stored.free_from.map(Amount::from_minor).transpose()?,
    })?)
}

const MANUAL: &str = "manual";
const LABEL: &str = "label";

impl From<&FeeRule> for StoredRule {
    fn from(rule: &FeeRule) -> Self {
        let orders = rule.orders.map(|orders| match orders {
            OrderKind::Manual => MANUAL.to_owned(),
            OrderKind::Label => LABEL.to_owned(),
        });
        Self {
            name: rule.name.clone(),
            fee: rule.fee.as_str().to_owned(),
            currency: rule.currency.code().to_owned(),
            amount: rule.amount.minor_units(),
            per: rule.per.as_str().to_owned(),
            orders,
            skus: rule.skus.clone(),
            zones: rule.zones.clone(),
        }
    }
}

fn read_rule(stored: StoredRule) -> Result<FeeRule, Source> {
    let per = Per::ALL.into_iter().find(|per| per.as_str() == stored.per);
    let orders = match stored.orders.as_deref() {
        None => None,
        Some(MANUAL) => Some(OrderKind::Manual),
        Some(LABEL) => Some(OrderKind::Label),
        Some(other) => return Err(format!("`{other}` is not a type of order").into()),
    };
    Ok(FeeRule::new(FeeRuleParts {
        fee: fee_type(&stored.fee)?,
        currency: stored.currency.parse()?,
        amount: Amount::from_minor(stored.amount)?,
        per: per.ok_or_else(|| format!("nothing is charged per `{}`", stored.per))?,
        orders,
        name: stored.name,
        skus: stored.skus,
        zones: stored.zones,
    })?)
}
