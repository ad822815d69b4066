//! Shipping fee of an order: depends on the destination, and is computed once for each ship class
//! of the items.

use std::collections::BTreeMap;

use super::finding::{Finding, ItemField};
use super::input::Input;
use crate::check::IssueCode;
use crate::pricing::fees::{FeeLine, FeeType, rule_text};
use crate::pricing::tariff::{ShippingRate, Tariff};
use crate::value::{Amount, MoneyError};

#[derive(Default)]
pub(super) struct Load {
    units: u32,
    grams: u64,
}

impl Load {
    pub(super) fn add(&mut self, units: u32, grams: u32) {
        self.units = self.units.saturating_add(units);
        let grams = u64::from(grams) * u64::from(units);
        self.grams = self.grams.saturating_add(grams);
    }
}

/// Returns `None` if a class has no rate to the destination. `classes` has the class of each item.
/// A high `product_cost` can make shipping free. Adds missing rates and weights to `findings`.
pub(super) fn fees(
    order: &Input<'_>,
    classes: &[&str],
    product_cost: Option<Amount>,
    tariff: &Tariff,
    findings: &mut Vec<Finding>,
) -> Result<Option<Vec<FeeLine>>, MoneyError> {
    let rates = &tariff.shipping;
    let rate = |class: &str| rates.rate(class, order.currency, order.destination);
    let mut loads: BTreeMap<String, Load> = BTreeMap::new();
    let mut complete = true;
    for ((i, item, offered), class) in order.lines().zip(classes) {
        let grams = offered.map_or(0, |offered| offered.variant.weight_grams);
        let by_weight = rate(class).is_some_and(|rate| !rate.steps.is_empty());
        // For an unknown SKU, the missing offer was already reported.
        if by_weight && grams == 0 && offered.is_some() {
            findings.push(weight_unknown(i, &item.sku, class));
        }
        if rate(class).is_none() {
            complete = false;
            findings.push(no_rate(i, class, order));
        }
        // Ship classes are compared ignoring case.
        let load = loads.entry(class.to_ascii_lowercase()).or_default();
        load.add(item.quantity, grams);
    }
    // The rates of the other classes would look like the complete shipping fee.
    if !complete {
        return Ok(None);
    }
    let mut lines = Vec::new();
    for (class, load) in loads {
        if let Some(rate) = rate(&class) {
            charge(rate, &load, product_cost, &mut lines)?;
        }
    }
    Ok(Some(lines))
}

fn weight_unknown(item: usize, sku: &str, class: &str) -> Finding {
    Finding {
        item,
        field: ItemField::Sku,
        code: IssueCode::WeightUnknown,
        problem: format!(
            "the catalog has no weight of `{sku}`, and shipping as `{class}` depends on it"
        ),
        effect: "it counts as 0 g",
        remedy: String::new(),
    }
}

fn no_rate(item: usize, class: &str, order: &Input<'_>) -> Finding {
    let currency = order.currency;
    let to = order
        .destination
        .map_or("this destination", |to| to.country.name());
    Finding {
        item,
        field: ItemField::ShipClass,
        code: IssueCode::NoShippingRate,
        problem: format!("ship class `{class}` has no rate to {to} in {currency}"),
        effect: "the shipping fee is unknown",
        remedy: String::new(),
    }
}

pub(super) fn charge(
    rate: &ShippingRate,
    load: &Load,
    product_cost: Option<Amount>,
    lines: &mut Vec<FeeLine>,
) -> Result<(), MoneyError> {
    let text = |amount: Amount| amount.display(rate.currency);
    let to = format_args!("{} to {}", rate.ship_class, rate.zone);
    let mut push = |amount, rule| {
        lines.push(FeeLine {
            fee: FeeType::Shipping,
            item: None,
            amount,
            rule,
        })
    };
    // An unknown product cost never reaches the limit for free shipping.
    let is_reached = |from: &Amount| product_cost.is_some_and(|cost| cost >= *from);
    if let Some(from) = rate.free_from.filter(is_reached) {
        // A line of 0 tells the reader why shipping costs nothing.
        let from = text(from);
        let rule = rule_text(format_args!("{to}: free from a product cost of {from} on"));
        push(Amount::ZERO, rule);
        return Ok(());
    }
    let further = load.units.saturating_sub(1);
    let amount = rate.first.plus(rate.further.times(further)?)?;
    let (first, each) = (text(rate.first), text(rate.further));
    let rule = match further {
        0 => rule_text(format_args!("{to}: {first} for the first unit")),
        _ => rule_text(format_args!(
            "{to}: {first} for the first unit and {further} x {each} for further ones"
        )),
    };
    push(amount, rule);
    if let Some(step) = rate.step(load.grams) {
        let (grams, above) = (load.grams, step.above_grams);
        push(
            step.extra,
            rule_text(format_args!("{to}: {grams} g, above {above} g")),
        );
    }
    Ok(())
}
