//! The fees of an order, computed from its items, their offers and a tariff.

use super::finding::{Finding, ItemField};
use super::input::Input;
use super::shipping;
use crate::catalog::{Offered, PrintArea, STANDARD_SHIP_CLASS, UnitPrice, assign_files};
use crate::check::IssueCode;
use crate::order::{LineItem, OrderKind};
use crate::pricing::fees::{Bill, FeeLine, FeeType, rule_text};
use crate::pricing::tariff::{Destination, FeeRule, Per, ShippingRates, Tariff};
use crate::value::{Amount, Currency, MoneyError, Timestamp};
use pressline_kit::nearest::{did_you_mean, nearest};

/// Maximum number of ship classes that a message lists if none resembles the item's ship class.
const LISTED_CLASSES: usize = 10;

/// Result of pricing an order: its bill, and problems of its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Priced {
    /// Fees of the order, each the sum of its fee lines.
    pub bill: Bill,
    /// Problems that pricing found in items; not sorted.
    pub findings: Vec<Finding>,
}

/// Copies data of the catalog into `item`: print areas, the unit cost at the time `at`, and the
/// name if the item has none. Ignores a price in another currency than `currency`.
pub fn apply_offer(
    item: &mut LineItem,
    offered: Option<&Offered>,
    currency: Currency,
    at: Timestamp,
) {
    let price = offered.and_then(|offered| offered.unit_price(currency, at));
    item.unit_cost = price.map(|price| price.amount);
    item.areas = match offered.map(|offered| &offered.variant) {
        Some(variant) if variant.areas.is_empty() => vec![PrintArea::main()],
        Some(variant) if variant.currency == currency => variant.areas.clone(),
        Some(variant) => {
            let areas = variant.areas.iter();
            areas
                .map(|area| area.with_currency(variant.currency))
                .collect()
        }
        None => vec![PrintArea::main()],
    };
    if let Some(offered) = offered {
        item.name
            .get_or_insert_with(|| offered.variant.name.clone());
    }
}

/// Returns the bill of `order` and the problems of its items. `tariff` contains the shipping rates
/// and fee rules; the prices of the items are in the offers of `order`.
///
/// # Errors
/// [`MoneyError::OutOfRange`] if a sum is out of range.
pub fn price(order: &Input<'_>, tariff: &Tariff) -> Result<Priced, MoneyError> {
    let items = order.items.iter().enumerate();
    let mut findings: Vec<Finding> = items.filter_map(surplus_files).collect();
    findings.extend(order.lines().filter_map(retired));
    let unknown = |line| unknown_class(order, line, &tariff.shipping);
    findings.extend(order.lines().filter_map(unknown));
    let mut bill = Bill::default();
    // Cancelled items are left out, so a wholly cancelled order has no items.
    if order.items.is_empty() {
        return Ok(Priced { bill, findings });
    }
    if order.kind == OrderKind::Manual {
        bill.charge(FeeType::Product, product_cost(order)?)?;
        // Only manual orders have shipping fees: the store pays the carrier of a prepared label.
        let classes = ship_classes(order, &tariff.shipping, &mut findings);
        let product_cost = bill.fee(FeeType::Product);
        let shipping = shipping::fees(order, &classes, product_cost, tariff, &mut findings)?;
        bill.charge(FeeType::Shipping, shipping)?;
        bill.charge(FeeType::Surcharge, extra_fees(order, &mut findings)?)?;
    }
    charge_by_rules(order, tariff, &mut bill)?;
    Ok(Priced { bill, findings })
}

fn charge_by_rules(order: &Input<'_>, tariff: &Tariff, bill: &mut Bill) -> Result<(), MoneyError> {
    let area_fees_unknown =
        order.kind == OrderKind::Manual && bill.fee(FeeType::Surcharge).is_none();
    for fee in FeeType::BY_RULE {
        // A surcharge next to unknown area fees would look like the complete surcharge.
        if fee == FeeType::Surcharge && area_fees_unknown {
            continue;
        }
        let rules = tariff.fees.rules().iter();
        for rule in rules.filter(|rule| rule.fee == fee) {
            let lines = charged(rule, order, &tariff.shipping)?;
            // A rule without effect must not turn an unknown fee into a known one.
            bill.charge(fee, Some(lines).filter(|lines| !lines.is_empty()))?;
        }
    }
    Ok(())
}

fn surplus_files((i, item): (usize, &LineItem)) -> Option<Finding> {
    let areas = item.areas.len();
    let files = item.file_urls.iter().filter(|url| !url.is_empty()).count();
    let further = item.file_urls.iter().skip(areas).any(|url| !url.is_empty());
    // A single area takes all files.
    (areas > 1 && further).then(|| Finding {
        item: i,
        field: ItemField::FileUrls,
        code: IssueCode::MoreFilesThanAreas,
        problem: format!("{files} files for {areas} print areas"),
        effect: "the last area takes the further ones",
        remedy: String::new(),
    })
}

fn retired((i, item, offered): (usize, &LineItem, Option<&Offered>)) -> Option<Finding> {
    offered?.variant.retired.then(|| Finding {
        item: i,
        field: ItemField::Sku,
        code: IssueCode::RetiredSku,
        problem: format!("`{}` is retired", item.sku),
        effect: "it may not be made any more",
        remedy: String::new(),
    })
}

fn product_cost(order: &Input<'_>) -> Result<Option<Vec<FeeLine>>, MoneyError> {
    let price = |offered: Option<&Offered>| offered?.unit_price(order.currency, order.at);
    let prices = order
        .lines()
        .map(|(_, item, offered)| Some((item, price(offered)?)));
    // The sum of the known prices would look like the whole product cost.
    let Some(prices) = prices.collect::<Option<Vec<(&LineItem, UnitPrice)>>>() else {
        return Ok(None);
    };
    let line = |(item, price): (&LineItem, UnitPrice)| {
        let each = price.amount.display(order.currency);
        Ok(FeeLine {
            fee: FeeType::Product,
            item: Some(item.id),
            amount: price.amount.times(item.quantity)?,
            rule: rule_text(format_args!(
                "{}: {} x {each} by {}",
                item.sku, item.quantity, price.source
            )),
        })
    };
    let lines = prices.into_iter().map(line);
    lines.collect::<Result<_, _>>().map(Some)
}

/// Returns `None` and adds to `findings` if an extra fee is in another currency than the order.
fn extra_fees(
    order: &Input<'_>,
    findings: &mut Vec<Finding>,
) -> Result<Option<Vec<FeeLine>>, MoneyError> {
    let mut charged = Vec::new();
    let mut complete = true;
    for (i, item, offered) in order.lines() {
        let own_currency = offered.map(|offered| offered.variant.currency);
        // Extra fees are in the variant's currency.
        let other = own_currency.filter(|own| *own != order.currency);
        let files = assign_files(&item.areas, &item.file_urls);
        let in_use = files.into_iter().filter(|file| !file.file_urls.is_empty());
        for file in in_use.filter(|file| file.area.extra_fee != Amount::ZERO) {
            let Some(other) = other else {
                charged.push((item, file.area));
                continue;
            };
            complete = false;
            let (name, currency) = (&file.area.name, order.currency);
            findings.push(Finding {
                item: i,
                field: ItemField::Sku,
                code: IssueCode::NoAreaPrice,
                problem: format!(
                    "printing `{name}` of `{}` has a fee in {other} and none in {currency}",
                    item.sku
                ),
                effect: "the surcharge is unknown",
                remedy: String::new(),
            });
        }
    }
    // A part of the extra fees would look like all of them.
    if !complete {
        return Ok(None);
    }
    let line = |(item, area): (&LineItem, &PrintArea)| {
        let (name, each) = (&area.name, area.extra_fee.display(order.currency));
        Ok(FeeLine {
            fee: FeeType::Surcharge,
            item: Some(item.id),
            amount: area.extra_fee.times(item.quantity)?,
            rule: rule_text(format_args!(
                "{}: {} x {each} for print area {name}",
                item.sku, item.quantity
            )),
        })
    };
    let lines = charged.into_iter().map(line);
    lines.collect::<Result<_, _>>().map(Some)
}

fn charged(
    rule: &FeeRule,
    order: &Input<'_>,
    zones: &ShippingRates,
) -> Result<Vec<FeeLine>, MoneyError> {
    let in_zone = |to: &Destination| rule.zones.iter().any(|zone| zones.lies_in(to, zone));
    let applies = rule.currency == order.currency
        && rule.orders.is_none_or(|orders| orders == order.kind)
        && (rule.zones.is_empty() || order.destination.is_some_and(in_zone));
    let items: Vec<&LineItem> = order
        .items
        .iter()
        .filter(|item| applies && rule.takes(&item.sku))
        .collect();
    let each = rule.amount.display(order.currency);
    // Charged once if at least one item matches.
    if rule.per == Per::Order {
        let once = items.first().map(|_| FeeLine {
            fee: rule.fee,
            item: None,
            amount: rule.amount,
            rule: rule_text(format_args!("{}: {each} an order", rule.name)),
        });
        return Ok(once.into_iter().collect());
    }
    let of_item = |item: &LineItem| {
        let count = if rule.per == Per::Unit {
            item.quantity
        } else {
            1
        };
        Ok(FeeLine {
            fee: rule.fee,
            item: Some(item.id),
            amount: rule.amount.times(count)?,
            rule: rule_text(format_args!(
                "{}: {count} x {each} for {}",
                rule.name, item.sku
            )),
        })
    };
    items.into_iter().map(of_item).collect()
}

/// Can return a class several times.
fn known_classes<'a>(
    rates: &'a ShippingRates,
    offered: Option<&'a Offered>,
) -> impl Iterator<Item = &'a str> + Clone {
    let of_variant = offered
        .map_or(&[][..], |offered| &offered.variant.ship_classes)
        .iter()
        .map(String::as_str);
    rates
        .classes()
        .chain(of_variant)
        .chain([STANDARD_SHIP_CLASS])
}

fn is_known_class(class: &str, rates: &ShippingRates, offered: Option<&Offered>) -> bool {
    known_classes(rates, offered).any(|known| known.eq_ignore_ascii_case(class))
}

fn unknown_class(
    order: &Input<'_>,
    (i, item, offered): (usize, &LineItem, Option<&Offered>),
    rates: &ShippingRates,
) -> Option<Finding> {
    let class = item.ship_class_or_standard();
    if is_known_class(class, rates, offered) {
        return None;
    }
    let near = nearest(class, known_classes(rates, offered), 3);
    let remedy = if near.is_empty() {
        listed_classes(rates, offered)
    } else {
        did_you_mean(&near)
    };
    Some(Finding {
        item: i,
        field: ItemField::ShipClass,
        code: IssueCode::UnknownShipClass,
        problem: format!("`{class}` is not a known ship class"),
        // The ship class does not influence the fees of a label order.
        effect: match order.kind {
            OrderKind::Manual => "priced as `Standard`",
            OrderKind::Label => "",
        },
        remedy,
    })
}

/// Lists up to [`LISTED_CLASSES`] classes. Classes that differ only in case are listed once.
fn listed_classes(rates: &ShippingRates, offered: Option<&Offered>) -> String {
    let mut listed: Vec<&str> = Vec::new();
    for class in known_classes(rates, offered) {
        if listed.len() < LISTED_CLASSES
            && !listed.iter().any(|other| other.eq_ignore_ascii_case(class))
        {
            listed.push(class);
        }
    }
    format!("known are {}", listed.join(", "))
}

/// Returns the class that each item is priced with: `Standard` if the item's class is unknown.
fn ship_classes<'a>(
    order: &Input<'a>,
    rates: &ShippingRates,
    findings: &mut Vec<Finding>,
) -> Vec<&'a str> {
    let class_of = |(i, item, offered): (usize, &'a LineItem, Option<&'a Offered>)| {
        let class = item.ship_class_or_standard();
        if !is_known_class(class, rates, offered) {
            // `unknown_class` has already reported it.
            return STANDARD_SHIP_CLASS;
        }
        let variant = offered.map(|offered| &offered.variant);
        if let Some(variant) = variant.filter(|own| !own.ships_as(class)) {
            findings.push(Finding {
                item: i,
                field: ItemField::ShipClass,
                code: IssueCode::ShipClassNotOffered,
                problem: format!("`{}` is not sent as `{class}`", item.sku),
                effect: "",
                remedy: format!("it is sent as {}", variant.ship_classes.join(", ")),
            });
        }
        class
    };
    order.lines().map(class_of).collect()
}
