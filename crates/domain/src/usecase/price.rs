//! Pricing an order with what the catalog knows now.

use std::collections::HashMap;
use std::sync::Arc;

use crate::catalog::{CatalogVersion, Offered};
use crate::fees::{FeeLine, Fees};
use crate::id::StoreId;
use crate::money::Currency;
use crate::order::{Address, LineItem, OrderKind};
use crate::ports::RepositoryError;
use crate::pricing::{self, Finding, apply_offer, did_you_mean};
use crate::report::{Path, Report, Warning, code};
use crate::tariff::Destination;
use crate::time::Timestamp;

use super::OrderService;
use super::offers::Known;

/// For how many unknown SKUs of a request near ones are looked up: each lookup goes over all SKUs.
const SUGGESTED_FOR: usize = 10;
/// How many near SKUs an unknown one is answered with.
const SUGGESTIONS: usize = 3;

/// What pricing is for: where findings about items belong in the request, and how bad they are.
pub(super) struct Purpose<'a> {
    /// The order is new: a label order then needs a handling fee.
    pub(super) creating: bool,
    /// The store takes findings as errors.
    pub(super) strict: bool,
    /// For each item its place in the request; `None` where the request did not name the item.
    pub(super) places: &'a [Option<Place>],
}

/// What is priced, before the catalog was asked.
pub(super) struct Subject<'a> {
    pub(super) store: StoreId,
    pub(super) kind: &'a OrderKind,
    pub(super) currency: Currency,
    pub(super) destination: Option<&'a Address>,
    pub(super) at: Timestamp,
    /// Nothing is written that would be refused where the catalog has changed, so the catalog is asked.
    pub(super) fresh: bool,
}

/// What an order costs, and by which state of the catalog.
#[derive(Debug, Default)]
pub(super) struct Price {
    pub(super) fees: Fees,
    pub(super) lines: Vec<FeeLine>,
    pub(super) catalog: CatalogVersion,
}

/// An item's place in the request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) index: usize,
    /// Findings about the item can be errors, as the request itself named the product.
    pub(super) binding: bool,
}

impl OrderService {
    /// Takes up what the catalog offers for the items and prices them. Findings join the report.
    pub(super) async fn price(
        &self,
        subject: &Subject<'_>,
        items: &mut [LineItem],
        purpose: &Purpose<'_>,
        report: &mut Report,
    ) -> Result<Price, RepositoryError> {
        let mut skus: Vec<&str> = items.iter().map(|item| item.sku.as_str()).collect();
        skus.sort_unstable();
        skus.dedup();
        let basis = self.offers.of(subject.store, &skus, self.catalog.as_ref(), subject.fresh).await?;
        let (known, catalog) = (&basis.known, basis.version);
        let mut findings = self.unknown_skus(items, known).await?;
        for item in items.iter_mut() {
            let offered = known.get(item.sku.as_str()).map(Arc::as_ref);
            apply_offer(item, offered, subject.currency, subject.at);
        }
        let offers: Vec<Option<&Offered>> =
            items.iter().map(|item| known.get(item.sku.as_str()).map(Arc::as_ref)).collect();
        let destination = subject.destination.and_then(Destination::of);
        let order = pricing::Order {
            kind: subject.kind,
            currency: subject.currency,
            destination: destination.as_ref(),
            at: subject.at,
            items,
            offers: &offers,
        };
        let price = match pricing::price(&order, &basis.tariff) {
            Ok(priced) => {
                findings.extend(priced.findings);
                Price { fees: priced.fees, lines: priced.lines, catalog }
            }
            Err(error) => {
                report.violation(
                    &Path::Root.key("line_items"),
                    code::OUT_OF_RANGE,
                    format!("the total: {error}"),
                );
                return Ok(Price { catalog, ..Price::default() });
            }
        };
        for finding in findings {
            place(finding, purpose, report);
        }
        total(subject, purpose.creating, &price.fees, report);
        Ok(price)
    }

    async fn unknown_skus(&self, items: &[LineItem], known: &Known) -> Result<Vec<Finding>, RepositoryError> {
        let mut findings = Vec::new();
        let mut near: HashMap<&str, Vec<String>> = HashMap::new();
        for (i, item) in items.iter().enumerate().filter(|(_, item)| !known.contains_key(item.sku.as_str())) {
            if near.len() < SUGGESTED_FOR && !near.contains_key(item.sku.as_str()) {
                near.insert(&item.sku, self.catalog.suggest(&item.sku, SUGGESTIONS).await?);
            }
            let names = near.get(item.sku.as_str()).map(Vec::as_slice).unwrap_or_default();
            let message = format!("`{}` is not in the catalog, so its cost is unknown", item.sku);
            let message = did_you_mean(&message, names);
            findings.push(Finding { item: Some((i, "sku")), code: code::UNKNOWN_SKU, message });
        }
        Ok(findings)
    }
}

/// Puts a finding where it belongs: a violation in a strict store, else a warning.
fn place(finding: Finding, purpose: &Purpose<'_>, report: &mut Report) {
    let root = Path::Root;
    let list = root.key("line_items");
    let Some((item, field)) = finding.item else {
        report.warning(&list, finding.code, finding.message);
        return;
    };
    let place = purpose.places.get(item).copied().flatten();
    let strict = purpose.strict && finding.code != code::MORE_FILES_THAN_AREAS;
    match place {
        Some(place) if strict && place.binding => {
            report.violation(&list.index(place.index).key(field), finding.code, finding.message);
        }
        Some(place) => report.warning(&list.index(place.index).key(field), finding.code, finding.message),
        None => report.warning(
            &list,
            finding.code,
            format!("an item this request does not name: {}", finding.message),
        ),
    }
}

fn total(subject: &Subject<'_>, creating: bool, fees: &Fees, report: &mut Report) {
    let currency = subject.currency;
    match subject.kind {
        OrderKind::Label { .. } if creating && fees.handle.is_none() => {
            let message = format!(
                "there is no label handling fee in {currency}, the store's currency; one must be set"
            );
            report.violation(&Path::Root.key("shipping_address_label"), code::NO_FEE, message);
        }
        kind => report.warnings.extend(total_incomplete(kind, fees)),
    }
}

/// The warning that a total is not the whole price, where a cost that belongs into it is not known.
pub(super) fn total_incomplete(kind: &OrderKind, fees: &Fees) -> Option<Warning> {
    let missing: Vec<&str> = fees.missing(kind).collect();
    (!missing.is_empty()).then(|| Warning {
        field: "totalCost".to_owned(),
        code: code::TOTAL_INCOMPLETE,
        message: format!("{} not known, so totalCost is not the whole price", missing.join(", ")),
    })
}
