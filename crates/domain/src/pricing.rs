//! Pricing: one pure function from items, products and a tariff to the fees of an order.

use std::collections::BTreeMap;

use crate::catalog::{PrintArea, Product, STANDARD_SHIP_CLASS, assign_files};
use crate::fees::Fees;
use crate::money::{Amount, Currency, MoneyError};
use crate::nearest::nearest;
use crate::order::{LineItem, OrderKind};
use crate::report::code;

/// What shipping of a class costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShippingRate {
    /// The ship class, compared without regard to case.
    pub ship_class: String,
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
    /// Shipping rates, one for each ship class and currency.
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

    fn rate(&self, class: &str, currency: Currency) -> Option<&ShippingRate> {
        self.shipping
            .iter()
            .find(|rate| rate.currency == currency && rate.ship_class.eq_ignore_ascii_case(class))
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

/// Prices the items of an order. [`apply_product`] has been called on each of them with the product that stands at its
/// place in `products`.
///
/// # Errors
/// [`MoneyError::OutOfRange`] where a sum does not fit.
pub fn price(
    kind: &OrderKind,
    currency: Currency,
    items: &[LineItem],
    products: &[Option<&Product>],
    tariff: &Tariff,
) -> Result<Priced, MoneyError> {
    let mut findings = Vec::new();
    for (i, item) in items.iter().enumerate() {
        if item.areas.len() > 1 && item.file_urls.len() > item.areas.len() {
            let message = format!(
                "{} files for {} print areas; the last area takes the further ones",
                item.file_urls.len(),
                item.areas.len()
            );
            let item = Some((i, "fileUrls"));
            findings.push(Finding { item, code: code::MORE_FILES_THAN_AREAS, message });
        }
    }
    let fees = match kind {
        OrderKind::Label { .. } => Fees { handle: tariff.label_fee(currency), ..Fees::default() },
        OrderKind::Manual => Fees {
            product: product_cost(items)?,
            surcharge: surcharge(items, products, currency)?,
            shipping: shipping(items, currency, tariff, &mut findings)?,
            ..Fees::default()
        },
    };
    fees.total()?;
    Ok(Priced { fees, findings })
}

fn product_cost(items: &[LineItem]) -> Result<Option<Amount>, MoneyError> {
    let mut sum = Amount::ZERO;
    for item in items {
        let Some(unit_cost) = item.unit_cost else { return Ok(None) };
        sum = sum.plus(unit_cost.times(item.quantity)?)?;
    }
    Ok(Some(sum))
}

fn surcharge(
    items: &[LineItem],
    products: &[Option<&Product>],
    currency: Currency,
) -> Result<Option<Amount>, MoneyError> {
    let mut sum = Amount::ZERO;
    for (item, product) in items.iter().zip(products) {
        let known = product.is_none_or(|product| product.currency == currency);
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

fn shipping(
    items: &[LineItem],
    currency: Currency,
    tariff: &Tariff,
    findings: &mut Vec<Finding>,
) -> Result<Option<Amount>, MoneyError> {
    let mut units: BTreeMap<String, u32> = BTreeMap::new();
    let mut complete = true;
    for (i, item) in items.iter().enumerate() {
        let mut class = item.ship_class_or_standard();
        if !tariff.knows_class(class) && !class.eq_ignore_ascii_case(STANDARD_SHIP_CLASS) {
            let message = did_you_mean(
                "is no ship class we know; priced as Standard",
                &nearest(class, tariff.classes(), 3),
            );
            findings.push(Finding {
                item: Some((i, "shipClass")),
                code: code::UNKNOWN_SHIP_CLASS,
                message: format!("`{class}` {message}"),
            });
            class = STANDARD_SHIP_CLASS;
        }
        if tariff.rate(class, currency).is_none() {
            complete = false;
            findings.push(Finding {
                item: Some((i, "shipClass")),
                code: code::NO_SHIPPING_RATE,
                message: format!("ship class `{class}` has no rate in {currency} for this destination"),
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
        if let Some(rate) = tariff.rate(&class, currency) {
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
