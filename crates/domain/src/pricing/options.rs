//! The ship classes that a whole order can be sent in.

use std::collections::BTreeMap;

use super::fees::{Bill, FeeType};
use super::shipping::{Load, charge};
use super::tariff::{ShippingRate, Tariff};
use super::{Input, Offered};
use crate::money::{Amount, MoneyError};

/// A ship class that a whole order can be sent in, and what the order then costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShippingOption {
    /// The class, spelled as in the rate.
    pub ship_class: String,
    /// The shipping fee if every item is sent in this class.
    pub shipping_fee: Amount,
    /// The sum of the order's fees with that shipping fee.
    pub total: Amount,
    /// False if the fee depends on the weight and the catalog lacks the weight of a product.
    pub weights_known: bool,
}

/// Returns the classes that all items can be sent in and that have a rate to the destination,
/// cheapest first, equal ones by name. Products that the catalog does not know can be sent in any
/// class.
///
/// `bill` is the order's. Of its fees, only the shipping fee depends on the class.
pub fn shipping_options(order: &Input<'_>, bill: &Bill, tariff: &Tariff) -> Vec<ShippingOption> {
    let offered = || order.offers.iter().copied().flatten();
    let grams_of =
        |offered: Option<&Offered>| offered.map_or(0, |offered| offered.variant.weight_grams);
    let mut load = Load::default();
    for (_, item, offered) in order.lines() {
        load.add(item.quantity, grams_of(offered));
    }
    let all_weights_known = offered().all(|offered| offered.variant.weight_grams > 0);
    // A class has a rate for each zone and can be spelled in several ways; it is one option.
    let rates = &tariff.shipping;
    let classes = rates
        .classes()
        .map(|class| (class.to_ascii_lowercase(), class));
    let classes: BTreeMap<String, &str> = classes.collect();
    let mut options = Vec::new();
    for class in classes.into_values() {
        let Some(rate) = rates.rate(class, order.currency, order.destination) else {
            continue;
        };
        // An option whose total does not fit is left out, because creating the order with it would
        // be refused.
        if offered().all(|offered| offered.variant.ships_as(class))
            && let Ok((shipping_fee, total)) = cost(rate, &load, bill)
        {
            let weights_known = rate.steps.is_empty() || all_weights_known;
            options.push(ShippingOption {
                ship_class: rate.ship_class.clone(),
                shipping_fee,
                total,
                weights_known,
            });
        }
    }
    // The sort is stable, so that classes with the same fee stay sorted by name.
    options.sort_by_key(|option| option.shipping_fee);
    options
}

fn cost(rate: &ShippingRate, load: &Load, bill: &Bill) -> Result<(Amount, Amount), MoneyError> {
    let mut lines = Vec::new();
    charge(rate, load, bill.fee(FeeType::Product), &mut lines)?;
    let mut amounts = lines.iter().map(|line| line.amount);
    let shipping = amounts.try_fold(Amount::ZERO, Amount::plus)?;
    let total = bill.total_with(FeeType::Shipping, shipping)?;
    Ok((shipping, total))
}
