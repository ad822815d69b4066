//! Ship classes in which all items of an order can be sent together.

use std::collections::BTreeMap;

use super::input::Input;
use super::shipping::{Load, charge};
use crate::catalog::Offered;
use crate::pricing::fees::{Bill, FeeType};
use crate::pricing::tariff::{ShippingRate, Tariff};
use crate::value::{Amount, MoneyError};

/// A ship class in which a whole order can be sent, with its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShippingOption {
    /// Ship class, spelled as in the rate.
    pub ship_class: String,
    /// Shipping fee if all items are sent in this class.
    pub shipping_fee: Amount,
    /// Total of the order with `shipping_fee`.
    pub total: Amount,
    /// `false` if the fee may be wrong, because it depends on a weight that is unknown.
    pub weights_known: bool,
}

/// Returns the ship classes that are possible for all items and have a rate to the destination,
/// cheapest first, then by name. Unknown products can be sent in all classes. Only the shipping fee
/// of `bill` depends on the class.
pub fn shipping_options(order: &Input<'_>, bill: &Bill, tariff: &Tariff) -> Vec<ShippingOption> {
    let offered = || order.offers.iter().copied().flatten();
    let grams_of =
        |offered: Option<&Offered>| offered.map_or(0, |offered| offered.variant.weight_grams);
    let mut load = Load::default();
    for (_, item, offered) in order.lines() {
        load.add(item.quantity, grams_of(offered));
    }
    let all_weights_known = offered().all(|offered| offered.variant.weight_grams > 0);
    // The rates of a class can be spelled in different case, but are one option.
    let rates = &tariff.shipping;
    let classes: BTreeMap<String, &str> = rates
        .classes()
        .map(|class| (class.to_ascii_lowercase(), class))
        .collect();
    let mut options = Vec::new();
    for class in classes.into_values() {
        let Some(rate) = rates.rate(class, order.currency, order.destination) else {
            continue;
        };
        // An option with a total out of range is left out: an order with it would be refused.
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
    // The sort is stable, so classes with the same fee stay sorted by name.
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
