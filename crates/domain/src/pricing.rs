//! Pricing: one pure function from items, products and a tariff to the fees of an order.

use std::collections::BTreeMap;

use crate::catalog::{PrintArea, Product, STANDARD_SHIP_CLASS, assign_files};
use crate::fees::Fees;
use crate::geo::Country;
use crate::money::{Amount, Currency, MoneyError};
use crate::nearest::nearest;
use crate::order::{LineItem, OrderKind};
use crate::report::code;

/// What shipping of a class costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShippingRate {
    /// The ship class, compared without regard to case.
    pub ship_class: String,
    /// The destinations it is for; empty where it is for all that no other rate of the class names.
    pub countries: Vec<Country>,
    /// The currency of both amounts.
    pub currency: Currency,
    /// For the first unit.
    pub first: Amount,
    /// For each further unit.
    pub further: Amount,
}

/// The prices that do not come from the catalog.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tariff {
    /// Shipping rates, one for each ship class, currency and destination.
    pub shipping: Vec<ShippingRate>,
    /// Fees for handling a prepared label, one for each currency.
    pub label_handling: Vec<(Currency, Amount)>,
}

/// Something about an item or about the whole order that pricing could not settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The item's place, and the field it is about; `None` for the whole order.
    pub item: Option<(usize, &'static str)>,
    /// One of [`code`].
    pub code: &'static str,
    /// For people.
    pub message: String,
}

/// What pricing found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The fees.
    pub fees: Fees,
    /// What is worth saying.
    pub findings: Vec<Finding>,
}

impl Tariff {
    fn knows_class(&self, class: &str) -> bool {
        self.shipping.iter().any(|rate| rate.ship_class.eq_ignore_ascii_case(class))
    }

    /// The rate of a class to a destination. One that names the country comes before one for all.
    fn rate(&self, class: &str, currency: Currency, destination: Option<Country>) -> Option<&ShippingRate> {
        let of_class = || {
            let rates = self.shipping.iter().filter(move |rate| rate.currency == currency);
            rates.filter(|rate| rate.ship_class.eq_ignore_ascii_case(class))
        };
        let named = destination.and_then(|to| of_class().find(|rate| rate.countries.contains(&to)));
        named.or_else(|| of_class().find(|rate| rate.countries.is_empty()))
    }

    fn classes(&self) -> impl Iterator<Item = &str> {
        self.shipping.iter().map(|rate| rate.ship_class.as_str())
    }

    /// The label handling fee in a currency.
    #[must_use]
    pub fn label_fee(&self, currency: Currency) -> Option<Amount> {
        self.label_handling.iter().find(|(of, _)| *of == currency).map(|(_, amount)| *amount)
    }
}

/// Takes up what the catalog knows of an item: its areas, its unit cost, and its name where none was given.
///
/// A price in another currency than the order's is no price.
pub fn apply_product(item: &mut LineItem, product: Option<&Product>, currency: Currency) {
    let own_currency = product.filter(|product| product.currency == currency);
    item.unit_cost = own_currency.and_then(|product| product.price);
    item.areas = match product {
        Some(product) if !product.areas.is_empty() => product.areas.clone(),
        _ => vec![PrintArea::main()],
    };
    if let Some(product) = product {
        item.name.get_or_insert_with(|| product.name.clone());
    }
}

/// What is priced.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// Its kind.
    pub kind: &'a OrderKind,
    /// The currency that it is priced in.
    pub currency: Currency,
    /// Where it goes, where that is known.
    pub destination: Option<Country>,
    /// Its items. [`apply_product`] has been called on each.
    pub items: &'a [LineItem],
    /// The product of each item, where the catalog knows it.
    pub products: &'a [Option<&'a Product>],
}

/// Prices an order.
///
/// # Errors
/// [`MoneyError::OutOfRange`] where a sum does not fit.
pub fn price(order: &Order<'_>, tariff: &Tariff) -> Result<Priced, MoneyError> {
    let mut findings: Vec<Finding> = order.items.iter().enumerate().filter_map(surplus_files).collect();
    let classes = ship_classes(order.items, tariff, &mut findings);
    let fees = match order.kind {
        OrderKind::Label { .. } => Fees { handle: tariff.label_fee(order.currency), ..Fees::default() },
        OrderKind::Manual => Fees {
            product: product_cost(order.items)?,
            surcharge: surcharge(order)?,
            shipping: shipping(order, &classes, tariff, &mut findings)?,
            ..Fees::default()
        },
    };
    fees.total()?;
    Ok(Priced { fees, findings })
}

fn surplus_files((i, item): (usize, &LineItem)) -> Option<Finding> {
    let (areas, files) = (item.areas.len(), item.file_urls.iter().filter(|url| !url.is_empty()).count());
    let further = item.file_urls.iter().skip(areas).any(|url| !url.is_empty());
    (areas > 1 && further).then(|| Finding {
        item: Some((i, "fileUrls")),
        code: code::MORE_FILES_THAN_AREAS,
        message: format!("{files} files for {areas} print areas; the last area takes the further ones"),
    })
}

fn product_cost(items: &[LineItem]) -> Result<Option<Amount>, MoneyError> {
    let mut sum = Amount::ZERO;
    for item in items {
        let Some(unit_cost) = item.unit_cost else { return Ok(None) };
        sum = sum.plus(unit_cost.times(item.quantity)?)?;
    }
    Ok(Some(sum))
}

fn surcharge(order: &Order<'_>) -> Result<Option<Amount>, MoneyError> {
    let mut sum = Amount::ZERO;
    for (item, product) in order.items.iter().zip(order.products) {
        let known = product.is_none_or(|product| product.currency == order.currency);
        for file in assign_files(&item.areas, &item.file_urls) {
            if file.file_urls.is_empty() || file.area.extra_fee == Amount::ZERO {
                continue;
            }
            if !known {
                return Ok(None);
            }
            sum = sum.plus(file.area.extra_fee.times(item.quantity)?)?;
        }
    }
    Ok(Some(sum))
}

/// The ship class that each item is priced as: its own, or Standard where nobody knows its own.
fn ship_classes<'a>(items: &'a [LineItem], tariff: &Tariff, findings: &mut Vec<Finding>) -> Vec<&'a str> {
    let class_of = |(i, item): (usize, &'a LineItem)| {
        let class = item.ship_class_or_standard();
        if tariff.knows_class(class) || class.eq_ignore_ascii_case(STANDARD_SHIP_CLASS) {
            return class;
        }
        let near = nearest(class, tariff.classes(), 3);
        let message = did_you_mean("is no ship class we know; priced as Standard", &near);
        findings.push(Finding {
            item: Some((i, "shipClass")),
            code: code::UNKNOWN_SHIP_CLASS,
            message: format!("`{class}` {message}"),
        });
        STANDARD_SHIP_CLASS
    };
    items.iter().enumerate().map(class_of).collect()
}

fn shipping(
    order: &Order<'_>,
    classes: &[&str],
    tariff: &Tariff,
    findings: &mut Vec<Finding>,
) -> Result<Option<Amount>, MoneyError> {
    let mut units: BTreeMap<String, u32> = BTreeMap::new();
    let mut complete = true;
    for (i, (item, class)) in order.items.iter().zip(classes).enumerate() {
        if tariff.rate(class, order.currency, order.destination).is_none() {
            complete = false;
            let to = order.destination.map_or("this destination", Country::name);
            findings.push(Finding {
                item: Some((i, "shipClass")),
                code: code::NO_SHIPPING_RATE,
                message: format!("ship class `{class}` has no rate to {to} in {}", order.currency),
            });
        }
        let count = units.entry(class.to_ascii_lowercase()).or_default();
        *count = count.saturating_add(item.quantity);
    }
    if !complete {
        return Ok(None);
    }
    let mut sum = Amount::ZERO;
    for (class, count) in units {
        if let Some(rate) = tariff.rate(&class, order.currency, order.destination) {
            sum = sum.plus(rate.first)?.plus(rate.further.times(count.saturating_sub(1))?)?;
        }
    }
    Ok(Some(sum))
}

/// Adds the nearest known names to a message.
pub(crate) fn did_you_mean<S: AsRef<str>>(message: &str, names: &[S]) -> String {
    if names.is_empty() {
        return message.to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    format!("{message}; did you mean {}?", names.join(" or "))
}
