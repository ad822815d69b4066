//! Products that the stores of the model sell, their prices and required files.
//!
//! Prices and rules are written down a second time, independent of the domain, so that the model
//! can compare.

use pressline_domain::catalog::{
    CatalogAdmin, ImportOptions, PrintArea, PrintAreaParts, VariantParts,
};
use pressline_domain::order::{LineItem, OrderKind};
use pressline_domain::pricing::fees::{Bill, FeeLine, FeeType};
use pressline_domain::pricing::tariff::{
    FeeRule, FeeSchedule, ShippingRateParts, ShippingRates, ZoneParts,
};
use pressline_domain::value::{Amount, Currency, ItemId};

use crate::CaseError;
use crate::samples::valid;

/// A mug: one area that needs a file.
const MUG: &str = "MUG-11";
/// A shirt. The front requires a file; a file on the back requires a file on the sleeve.
const SHIRT: &str = "SHIRT-M";
/// A card, possibly blank.
const CARD: &str = "CARD-A6";
/// A SKU that the catalog does not have.
const UNKNOWN: &str = "NOVELTY";

pub(super) const SKUS: [&str; 4] = [MUG, SHIRT, CARD, UNKNOWN];

const FILE: &str = "https://example.com/front.png";

/// File URLs by area; an empty URL leaves its area without a file.
pub(super) const FILES: [&[&str]; 5] = [
    &[],
    &[FILE],
    &["", FILE],
    &[FILE, FILE],
    &[FILE, FILE, FILE],
];

/// Fees in minor units: for a label order, the first shipped unit, and each further unit.
const HANDLING: i64 = 250;
const FIRST_UNIT: i64 = 400;
const FURTHER_UNIT: i64 = 100;
/// Fee for printing the back of a shirt, in minor units.
const BACK: i64 = 125;

/// Returns the price per unit in minor units; `None` for an unknown SKU.
fn unit_price(sku: &str) -> Option<i64> {
    match sku {
        MUG => Some(500),
        SHIRT => Some(750),
        CARD => Some(200),
        _ => None,
    }
}

/// Returns whether `item` has all files that its production needs.
pub(super) fn is_complete(item: &LineItem) -> bool {
    let has = |place: usize| item.file_urls.get(place).is_some_and(|url| !url.is_empty());
    match item.sku.as_str() {
        CARD => true,
        SHIRT => has(0) && (!has(1) || has(2)),
        _ => item.file_urls.iter().any(|url| !url.is_empty()),
    }
}

pub(super) fn areas(sku: &str) -> Vec<PrintArea> {
    let area = |id: &str, requirement: &str| PrintAreaParts {
        requirement: requirement.to_owned(),
        ..PrintAreaParts::named(id, id)
    };
    match sku {
        SHIRT => vec![
            valid(area("front", PrintAreaParts::REQUIRED)),
            valid(PrintAreaParts {
                require_for: vec!["sleeve".to_owned()],
                extra_fee: amount(BACK),
                ..area("back", PrintAreaParts::OPTIONAL)
            }),
            valid(area("sleeve", PrintAreaParts::OPTIONAL)),
        ],
        CARD => vec![valid(area("main", PrintAreaParts::OPTIONAL))],
        _ => vec![PrintArea::main()],
    }
}

/// Returns the product's name; `None` for an unknown SKU.
pub(super) fn name(sku: &str) -> Option<String> {
    unit_price(sku).map(|_| sku.to_owned())
}

/// Returns the store's cost per unit; `None` for an unknown SKU.
pub(super) fn unit_cost(sku: &str) -> Option<Amount> {
    unit_price(sku).map(amount)
}

fn amount(minor: i64) -> Amount {
    Amount::from_minor(minor).unwrap_or_default()
}

/// Returns the expected bill of `items` at the current prices.
pub(super) fn bill<'a>(
    kind: OrderKind,
    items: impl Iterator<Item = &'a LineItem>,
) -> Result<Bill, CaseError> {
    let items: Vec<&LineItem> = items.collect();
    // A completely cancelled order has no fees.
    if items.is_empty() {
        return Ok(Bill::default());
    }
    let line = |fee, item: Option<ItemId>, minor| FeeLine {
        fee,
        item,
        amount: amount(minor),
        rule: "the model's".to_owned(),
    };
    // Handling is the only fee of a label order.
    if kind == OrderKind::Label {
        let handling = line(FeeType::Handling, None, HANDLING);
        return Ok(Bill::new(vec![handling], [])?);
    }
    let units = |item: &LineItem| i64::from(item.quantity);
    let has_back = |item: &LineItem| {
        let back = item.file_urls.get(1);
        item.sku == SHIRT && back.is_some_and(|url| !url.is_empty())
    };
    let mut lines = Vec::new();
    let mut known = vec![FeeType::Shipping, FeeType::Surcharge];
    let prices = items.iter().map(|item| unit_price(&item.sku));
    // The product fee is known only if all prices are known.
    if let Some(prices) = prices.collect::<Option<Vec<i64>>>() {
        known.push(FeeType::Product);
        let pairs = items.iter().zip(prices);
        lines.extend(
            pairs.map(|(item, price)| line(FeeType::Product, Some(item.id), price * units(item))),
        );
    }
    let further = items.iter().map(|item| units(item)).sum::<i64>() - 1;
    let shipping = FIRST_UNIT + further * FURTHER_UNIT;
    lines.push(line(FeeType::Shipping, None, shipping));
    let with_back = items.iter().filter(|item| has_back(item));
    lines.extend(with_back.map(|item| line(FeeType::Surcharge, Some(item.id), BACK * units(item))));
    Ok(Bill::new(lines, known)?)
}

/// Imports the model's products into the catalog.
pub(super) async fn stock(catalog: &dyn CatalogAdmin) -> Result<(), CaseError> {
    let variants: Vec<_> = SKUS
        .into_iter()
        .filter_map(|sku| {
            let price = unit_cost(sku)?;
            Some(valid(VariantParts {
                price: Some(price),
                currency: Currency::USD,
                areas: areas(sku),
                ..VariantParts::single(sku, sku)
            }))
        })
        .collect();
    catalog.import(&variants, &ImportOptions::default()).await?;
    let everywhere = valid(ZoneParts {
        name: "Everywhere".to_owned(),
        places: Vec::new(),
    });
    let (first, further) = (amount(FIRST_UNIT), amount(FURTHER_UNIT));
    let rate = ShippingRateParts::new("Everywhere", "Standard", Currency::USD, first, further);
    let rate = valid(rate);
    let rates = ShippingRates::new(vec![everywhere], vec![rate])?;
    catalog.set_shipping(&rates).await?;
    let handling = FeeRule::label_handling(Currency::USD, amount(HANDLING));
    let fees = FeeSchedule::new(vec![handling])?;
    catalog.set_fees(&[(None, Some(&fees))]).await?;
    Ok(())
}
