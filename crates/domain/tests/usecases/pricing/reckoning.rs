//! A simple calculation of each fee in wide integers, to compare with.

use pressline_domain::catalog::{ListPrice, Offered};
use pressline_domain::order::LineItem;
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{Per, ShippingRate};
use pressline_domain::value::{Amount, Currency, Timestamp};

use super::case::{CLASSES, Case};
use crate::fixture::*;

pub(super) fn unit_price(offered: &Offered) -> Option<i128> {
    let valid = |price: &&ListPrice| {
        price.currency == Currency::USD && price.valid_from <= Timestamp::from_millis(NOW)
    };
    let mut lists: Vec<&ListPrice> = offered.prices.iter().filter(valid).collect();
    lists.sort_by_key(|price| (price.store.is_some(), price.valid_from));
    let of_catalog = || {
        offered
            .variant
            .price
            .filter(|_| offered.variant.currency == Currency::USD)
    };
    lists
        .last()
        .map(|price| price.amount)
        .or_else(of_catalog)
        .map(units)
}

fn units(amount: Amount) -> i128 {
    i128::from(amount.minor_units())
}

fn extra_fees(item: &LineItem, offered: &Offered) -> Option<i128> {
    let areas = &offered.variant.areas;
    let used = |place: usize| match place + 1 == areas.len() {
        true => item.file_urls.iter().skip(place).any(|url| !url.is_empty()),
        false => item.file_urls.get(place).is_some_and(|url| !url.is_empty()),
    };
    let fee: i128 = (0..areas.len())
        .filter(|place| used(*place))
        .map(|place| units(areas[place].extra_fee))
        .sum();
    let known = offered.variant.currency == Currency::USD || fee == 0;
    known.then_some(fee * i128::from(item.quantity))
}

/// Returns the rate of `class` for the nearest zone; the first if several zones are equally near.
fn rate<'a>(case: &'a Case, class: &str) -> Option<&'a ShippingRate> {
    let mut best: Option<(u8, &ShippingRate)> = None;
    for rate in case.tariff.shipping.rates() {
        let zone = case
            .tariff
            .shipping
            .zones()
            .iter()
            .find(|zone| zone.name == rate.zone)
            .unwrap();
        let mut near = zone.places.is_empty().then_some(0);
        for (place, to) in zone.places.iter().zip(std::iter::repeat(&case.destination)) {
            let Some(to) = to else { continue };
            if place.country() == to.country && place.province().is_none() {
                near = near.max(Some(1));
            }
            if place.country() == to.country
                && place.province().is_some()
                && place.province() == to.province.as_deref()
            {
                near = near.max(Some(2));
            }
        }
        let fits = rate.currency == Currency::USD
            && rate.ship_class.to_lowercase() == class.to_lowercase();
        if let Some(near) = near.filter(|_| fits)
            && best.is_none_or(|(other, _)| near > other)
        {
            best = Some((near, rate));
        }
    }
    best.map(|(_, rate)| rate)
}

fn shipping(case: &Case, product: Option<i128>) -> Option<i128> {
    let mut sum = 0;
    for class in CLASSES {
        let named = |item: &LineItem| item.ship_class.clone().unwrap_or_default().to_lowercase();
        // An unknown class is priced as Standard.
        let known = |name: &str| {
            case.tariff
                .shipping
                .rates()
                .iter()
                .any(|rate| rate.ship_class.to_lowercase() == name)
        };
        let takes = |item: &LineItem| match named(item) {
            name if known(&name) => name == class.to_lowercase(),
            _ => class == "Standard",
        };
        let own: Vec<usize> = (0..case.items.len())
            .filter(|i| takes(&case.items[*i]))
            .collect();
        if own.is_empty() {
            continue;
        }
        let rate = rate(case, class)?;
        if rate
            .free_from
            .is_some_and(|from| product.is_some_and(|cost| cost >= units(from)))
        {
            continue;
        }
        let count: i128 = own
            .iter()
            .map(|i| i128::from(case.items[*i].quantity))
            .sum();
        let weight = |i: &usize| {
            let grams = case.offers[*i]
                .as_ref()
                .map_or(0, |offered| offered.variant.weight_grams);
            u64::from(grams) * u64::from(case.items[*i].quantity)
        };
        let grams: u64 = own.iter().map(weight).sum();
        let step = rate
            .steps
            .iter()
            .rev()
            .find(|step| grams > step.above_grams);
        sum += units(rate.first)
            + (count - 1) * units(rate.further)
            + step.map_or(0, |step| units(step.extra));
    }
    Some(sum)
}

fn ruled(case: &Case, fee: FeeType) -> Option<i128> {
    let mut sum = None;
    for rule in case
        .tariff
        .fees
        .rules()
        .iter()
        .filter(|rule| rule.fee == fee)
    {
        let kind = match rule.orders {
            None => true,
            Some(OrderKind::Label) => case.label,
            Some(OrderKind::Manual) => !case.label,
        };
        let zone = rule.zones.is_empty()
            || case.destination.as_ref().is_some_and(|to| {
                rule.zones.iter().any(|zone| match zone.as_str() {
                    "States" => to.country.code() == "US",
                    "California" => match to.country.code() {
                        "US" => to.province.as_deref() == Some("CA"),
                        code => code == "CA",
                    },
                    _ => !["US", "CA"].contains(&to.country.code()),
                })
            });
        if !kind || !zone || rule.currency != Currency::USD {
            continue;
        }
        let takes = |item: &&LineItem| {
            rule.skus.is_empty()
                || rule
                    .skus
                    .iter()
                    .any(|sku| item.sku.starts_with(sku.trim_end_matches('*')))
        };
        let taken: Vec<&LineItem> = case.items.iter().filter(takes).collect();
        let times = match rule.per {
            Per::Order => i128::from(!taken.is_empty()),
            Per::Item => taken.len() as i128,
            Per::Unit => taken.iter().map(|item| i128::from(item.quantity)).sum(),
        };
        if !taken.is_empty() {
            sum = Some(sum.unwrap_or(0) + times * units(rule.amount));
        }
    }
    sum
}

/// Returns each fee, in the order of [`FeeType::ALL`].
pub(super) fn fees(case: &Case) -> [Option<i128>; 6] {
    let lines = || case.items.iter().zip(&case.offers);
    let price = |(item, offered): (&LineItem, &Option<Offered>)| {
        Some(unit_price(offered.as_ref()?)? * i128::from(item.quantity))
    };
    let extra = |(item, offered): (&LineItem, &Option<Offered>)| match offered {
        Some(offered) => extra_fees(item, offered),
        None => Some(0),
    };
    let product: Option<i128> = lines()
        .map(price)
        .sum::<Option<i128>>()
        .filter(|_| !case.label);
    let shipping = if case.label {
        None
    } else {
        shipping(case, product)
    };
    let areas: Option<i128> = lines().map(extra).sum();
    let surcharge = match (case.label, areas) {
        (true, _) => ruled(case, FeeType::Surcharge),
        (false, areas) => areas.map(|areas| areas + ruled(case, FeeType::Surcharge).unwrap_or(0)),
    };
    let [handling, other, other_shipping] =
        [FeeType::Handling, FeeType::Other, FeeType::OtherShipping].map(|fee| ruled(case, fee));
    [
        product,
        shipping,
        surcharge,
        handling,
        other,
        other_shipping,
    ]
}
