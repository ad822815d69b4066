//! Pricing an order with what the catalog knows now.

use std::collections::HashMap;
use std::sync::Arc;

use crate::catalog::{CatalogVersion, Offered};
use crate::error::RepositoryError;
use crate::id::StoreId;
use crate::money::Currency;
use crate::order::{Address, LineItem, OrderKind};
use crate::pricing::fees::{FeeLine, Fees};
use crate::pricing::tariff::{Destination, Tariff};
use crate::pricing::{self, Finding, ItemField, ShippingOption, apply_offer, did_you_mean};
use crate::report::{IssueCode, Path, Report, Warning};
use crate::time::Timestamp;

use super::OrderService;
use crate::pricing::offers::Known;

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

/// What prices are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    /// To write an order. Remembered offers do, because the write is refused if the catalog has
    /// changed since.
    Write,
    /// To say what writing an order would cost. The catalog is asked, because nothing is written.
    Quote,
    /// As [`Intent::Quote`], and to list the ship classes to choose from.
    Estimate,
}

/// What is priced, before the catalog was asked.
pub(super) struct Subject<'a> {
    pub(super) store: StoreId,
    pub(super) kind: &'a OrderKind,
    pub(super) currency: Currency,
    pub(super) destination: Option<&'a Address>,
    pub(super) at: Timestamp,
    pub(super) intent: Intent,
}

/// What an order costs, and by which state of the catalog.
#[derive(Debug, Default)]
pub(super) struct Price {
    pub(super) fees: Fees,
    pub(super) lines: Vec<FeeLine>,
    pub(super) catalog: CatalogVersion,
    /// The ship classes to choose from; `None` in all but estimates, and where there is no choice.
    pub(super) options: Option<Vec<ShippingOption>>,
}

/// An item's place in the request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) index: usize,
    /// Findings about the item can be errors, because the request itself chose the product or its
    /// ship class.
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
        let fresh = subject.intent != Intent::Write;
        let basis = self
            .offers
            .of(subject.store, &skus, self.catalog.as_ref(), fresh)
            .await?;
        let (known, catalog) = (&basis.known, basis.version);
        let mut findings = self.unknown_skus(items, known).await?;
        for item in items.iter_mut() {
            let offered = known.get(item.sku.as_str()).map(Arc::as_ref);
            apply_offer(item, offered, subject.currency, subject.at);
        }
        let offers: Vec<Option<&Offered>> = items
            .iter()
            .map(|item| known.get(item.sku.as_str()).map(Arc::as_ref))
            .collect();
        let destination = subject.destination.and_then(Destination::of);
        let order = pricing::Order {
            kind: subject.kind,
            currency: subject.currency,
            destination: destination.as_ref(),
            at: subject.at,
            items,
            offers: &offers,
        };
        let priced = match pricing::price(&order, &basis.tariff) {
            Ok(priced) => priced,
            Err(error) => {
                report.violation(
                    &Path::Root.key("line_items"),
                    IssueCode::OutOfRange,
                    format!("the total: {error}"),
                );
                return Ok(Price {
                    catalog,
                    ..Price::default()
                });
            }
        };
        let options = shipping_options(
            subject.intent,
            &order,
            &priced.fees,
            &basis.tariff,
            purpose.strict,
        );
        findings.extend(priced.findings);
        let can_choose = options.as_ref().is_some_and(|options| !options.is_empty());
        purpose.report_all(findings, can_choose, report);
        total(subject, purpose.creating, &priced.fees, report);
        Ok(Price {
            fees: priced.fees,
            lines: priced.lines,
            catalog,
            options,
        })
    }

    async fn unknown_skus(
        &self,
        items: &[LineItem],
        known: &Known,
    ) -> Result<Vec<Finding>, RepositoryError> {
        let mut findings = Vec::new();
        let mut near: HashMap<&str, Vec<String>> = HashMap::new();
        for (i, item) in items
            .iter()
            .enumerate()
            .filter(|(_, item)| !known.contains_key(item.sku.as_str()))
        {
            if near.len() < SUGGESTED_FOR && !near.contains_key(item.sku.as_str()) {
                near.insert(
                    &item.sku,
                    self.catalog.suggest(&item.sku, SUGGESTIONS).await?,
                );
            }
            let names = near
                .get(item.sku.as_str())
                .map(Vec::as_slice)
                .unwrap_or_default();
            findings.push(Finding {
                item: i,
                field: ItemField::Sku,
                code: IssueCode::UnknownSku,
                problem: format!("`{}` is not in the catalog", item.sku),
                effect: "its cost is unknown",
                remedy: did_you_mean(names),
            });
        }
        Ok(findings)
    }
}

/// Lists the ship classes to choose from, in an estimate whose items name none. A label order has
/// none.
fn shipping_options(
    intent: Intent,
    order: &pricing::Order<'_>,
    fees: &Fees,
    tariff: &Tariff,
    strict: bool,
) -> Option<Vec<ShippingOption>> {
    let is_open = order.items.iter().all(|item| item.ship_class.is_none());
    if intent != Intent::Estimate || *order.kind != OrderKind::Manual || !is_open {
        return None;
    }
    let mut options = pricing::shipping_options(order, fees, tariff);
    // A strict store refuses an order whose shipping depends on a weight that is not known.
    options.retain(|option| option.weights_known || !strict);
    Some(options)
}

impl Purpose<'_> {
    fn place(&self, finding: &Finding) -> Option<Place> {
        self.places.get(finding.item).copied().flatten()
    }

    /// The key by which findings are sorted: as the request lists the items, then those that it
    /// does not name.
    fn position(&self, finding: &Finding) -> (usize, usize, ItemField) {
        let index = self.place(finding).map_or(usize::MAX, |place| place.index);
        (index, finding.item, finding.field)
    }

    /// Adds findings to the report. `can_choose` is true if the items name no ship class and at
    /// least one is possible.
    fn report_all(&self, mut findings: Vec<Finding>, can_choose: bool, report: &mut Report) {
        findings.sort_by_key(|finding| self.position(finding));
        for finding in findings {
            // Such a cart has not chosen Standard, so problems with that class are no errors.
            let settled_by_choice = can_choose && finding.depends_on_ship_class();
            self.report(&finding, settled_by_choice, report);
        }
    }

    /// Adds a finding to the report: as a violation in a strict store, else as a warning.
    fn report(&self, finding: &Finding, settled_by_choice: bool, report: &mut Report) {
        let root = Path::Root;
        let list = root.key("line_items");
        let Some(place) = self.place(finding) else {
            let message = format!(
                "an item this request does not name: {}",
                finding.as_warning()
            );
            return report.warning(&list, finding.code, message);
        };
        let item = list.index(place.index);
        let path = item.key(finding.field.as_str());
        // A surplus file has an area to go to, so its code is only used in warnings.
        if self.strict
            && place.binding
            && !settled_by_choice
            && finding.code.severity().includes_error()
        {
            report.violation(&path, finding.code, finding.as_error());
        } else {
            report.warning(&path, finding.code, finding.as_warning());
        }
    }
}

fn total(subject: &Subject<'_>, creating: bool, fees: &Fees, report: &mut Report) {
    let currency = subject.currency;
    match subject.kind {
        OrderKind::Label { .. } if creating && fees.handle.is_none() => {
            let message = format!(
                "there is no label handling fee in {currency}, the store's currency; one must be set"
            );
            report.violation(
                &Path::Root.key("shipping_address_label"),
                IssueCode::NoFee,
                message,
            );
        }
        kind => report.warnings.extend(total_incomplete(kind, fees)),
    }
}

/// The warning that a total is not the whole price, where a cost that belongs into it is not known.
pub(super) fn total_incomplete(kind: &OrderKind, fees: &Fees) -> Option<Warning> {
    let missing: Vec<&str> = fees.missing(kind).collect();
    (!missing.is_empty()).then(|| Warning {
        field: "totalCost".to_owned(),
        code: IssueCode::TotalIncomplete,
        message: format!(
            "{} not known, so totalCost is not the whole price",
            missing.join(", ")
        ),
    })
}
