//! Prices orders with the current catalog.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::price::{Finding, Input, ItemField, ShippingOption, apply_offer, price};
use crate::catalog::cache::{CachedCatalog, OfferedVariants};
use crate::catalog::{CatalogVersion, Offered};
use crate::check::{IssueCode, Path, Report, Warning};
use crate::error::Result;
use crate::order::{Address, LineItem, Order, OrderKind, OrderParts};
use crate::pricing::fees::{Bill, FeeType};
use crate::pricing::tariff::Tariff;
use crate::store::Store;
use crate::value::StoreId;
use pressline_kit::nearest::did_you_mean;

/// Maximum number of unknown SKUs with suggestions, because each lookup scans all SKUs.
const SUGGESTED_FOR: usize = 10;
const SUGGESTIONS: usize = 3;

pub(crate) struct PriceRequest<'a> {
    pub(crate) store: &'a Store,
    /// The items in the content are ignored: the items to price are passed separately.
    pub(crate) order: &'a OrderParts,
    pub(crate) purpose: Purpose,
    /// `true` for a create request: a label order without a handling fee is then refused.
    pub(crate) is_new: bool,
    /// Position of each item in the request; `None` if the request does not name the item.
    pub(crate) positions: &'a [Option<ItemPosition>],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Cached offers suffice, because the write is refused if the catalog has changed.
    Write,
    /// The cache is not used, because no write would detect a change of the catalog.
    DryRun,
    /// Like [`Purpose::DryRun`], with a list of the ship classes to choose from.
    Estimate,
}

#[derive(Debug, Default)]
pub(crate) struct Price {
    pub(crate) bill: Bill,
    pub(crate) catalog: CatalogVersion,
    /// Ship classes to choose from, only for an estimate of a manual order without ship classes.
    pub(crate) options: Option<Vec<ShippingOption>>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ItemPosition {
    pub(crate) index: usize,
    /// `true` if this request chose SKU or ship class. Only then can findings be errors.
    pub(crate) binding: bool,
}

impl ItemPosition {
    pub(crate) fn of_new(index: usize) -> Option<Self> {
        let binding = true;
        Some(Self { index, binding })
    }
}

/// Prices orders with the current catalog.
#[derive(Clone)]
pub struct OrderPricing {
    pub(super) catalog: Arc<CachedCatalog>,
}

impl OrderPricing {
    /// Returns the SKUs in `skus` that the catalog has.
    pub async fn known_skus(&self, skus: &[&str]) -> Result<HashSet<String>> {
        // The products are the same for all stores; no store has the nil id.
        let no_store = StoreId::new(uuid::Uuid::nil());
        let basis = self.catalog.offer(no_store, skus, true).await?;
        Ok(basis.known.keys().map(|sku| sku.to_string()).collect())
    }

    /// Returns the known weights of the products `skus`, in grams per unit.
    pub async fn weights(&self, store: StoreId, skus: &[&str]) -> Result<Vec<(String, u32)>> {
        let basis = self.catalog.offer(store, skus, true).await?;
        let offered = basis.known.values().map(|offered| &offered.variant);
        let weighed = offered.filter(|variant| variant.weight_grams > 0);
        let weights = weighed.map(|variant| (variant.sku.clone(), variant.weight_grams));
        Ok(weights.collect())
    }

    /// Removes the outdated version `catalog` from the cache.
    pub(super) fn forget(&self, catalog: CatalogVersion) {
        self.catalog.forget(catalog);
    }

    pub(crate) async fn price(
        &self,
        request: &PriceRequest<'_>,
        items: &mut [LineItem],
        report: &mut Report,
    ) -> Result<Price> {
        let mut skus: Vec<&str> = items.iter().map(|item| item.sku.as_str()).collect();
        skus.sort_unstable();
        skus.dedup();
        let fresh = request.purpose != Purpose::Write;
        let basis = self.catalog.offer(request.store.id, &skus, fresh).await?;
        let (known, catalog, content) = (&basis.known, basis.version, request.order);
        let mut findings = self.unknown_skus(items, known).await?;
        for item in items.iter_mut() {
            let offered = known.get(item.sku.as_str()).map(Arc::as_ref);
            apply_offer(item, offered, content.currency, content.priced_at);
        }
        let offers: Vec<Option<&Offered>> = items
            .iter()
            .map(|item| known.get(item.sku.as_str()).map(Arc::as_ref))
            .collect();
        let address = content.shipping_address.as_ref();
        let destination = address.and_then(Address::destination);
        let order = Input {
            kind: content.kind(),
            currency: content.currency,
            destination: destination.as_ref(),
            at: content.priced_at,
            items,
            offers: &offers,
        };
        let priced = match price(&order, &basis.terms.tariff) {
            Ok(priced) => priced,
            Err(error) => {
                let (list, message) = (Path::Root.key("line_items"), format!("the total: {error}"));
                report.violation(&list, IssueCode::OutOfRange, message);
                return Ok(Price {
                    catalog,
                    ..Price::default()
                });
            }
        };
        let options = shipping_options(request, &order, &priced.bill, &basis.terms.tariff);
        findings.extend(priced.findings);
        let can_choose = options.as_ref().is_some_and(|options| !options.is_empty());
        request.report_all(findings, can_choose, report);
        // A wholly cancelled order costs nothing, so no fee is missing.
        if !items.is_empty() {
            report_total(request, &priced.bill, report);
        }
        Ok(Price {
            bill: priced.bill,
            catalog,
            options,
        })
    }

    async fn unknown_skus(
        &self,
        items: &[LineItem],
        known: &OfferedVariants,
    ) -> Result<Vec<Finding>> {
        let mut findings = Vec::new();
        // Several items can have the same unknown SKU.
        let mut near: HashMap<&str, Vec<String>> = HashMap::new();
        let is_unknown = |item: &LineItem| !known.contains_key(item.sku.as_str());
        for (i, item) in items
            .iter()
            .enumerate()
            .filter(|(_, item)| is_unknown(item))
        {
            if near.len() < SUGGESTED_FOR && !near.contains_key(item.sku.as_str()) {
                let names = self.catalog.suggest(&item.sku, SUGGESTIONS).await?;
                near.insert(&item.sku, names);
            }
            let names = near.get(item.sku.as_str()).map_or(&[][..], Vec::as_slice);
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

fn shipping_options(
    request: &PriceRequest<'_>,
    order: &Input<'_>,
    bill: &Bill,
    tariff: &Tariff,
) -> Option<Vec<ShippingOption>> {
    let is_open = order.items.iter().all(|item| item.ship_class.is_none());
    if request.purpose != Purpose::Estimate || order.kind != OrderKind::Manual || !is_open {
        return None;
    }
    let mut options = super::price::shipping_options(order, bill, tariff);
    // A strict store would refuse an order if its shipping depends on an unknown weight.
    options.retain(|option| option.weights_known || !request.is_strict());
    Some(options)
}

impl PriceRequest<'_> {
    fn is_strict(&self) -> bool {
        self.store.settings.strict_catalog
    }

    fn position(&self, finding: &Finding) -> Option<ItemPosition> {
        self.positions.get(finding.item).copied().flatten()
    }

    /// Items that the request does not name come last.
    fn sort_key(&self, finding: &Finding) -> (usize, usize, ItemField) {
        let position = self.position(finding);
        let index = position.map_or(usize::MAX, |position| position.index);
        (index, finding.item, finding.field)
    }

    /// Reports in the sequence of the items in the request. If `can_choose`, findings about ship
    /// classes are only warnings, because the caller can choose a class.
    fn report_all(&self, mut findings: Vec<Finding>, can_choose: bool, report: &mut Report) {
        findings.sort_by_key(|finding| self.sort_key(finding));
        for finding in findings {
            let settled_by_choice = can_choose && finding.depends_on_ship_class();
            self.report(&finding, settled_by_choice, report);
        }
    }

    fn report(&self, finding: &Finding, settled_by_choice: bool, report: &mut Report) {
        let root = Path::Root;
        let list = root.key("line_items");
        // The path can only name the list: the item has no position in the request.
        let Some(position) = self.position(finding) else {
            let message = format!(
                "an item this request does not name: {}",
                finding.as_warning()
            );
            return report.warning(&list, finding.code, message);
        };
        let item = list.index(position.index);
        let path = item.key(finding.field.as_str());
        // Some codes, such as surplus files, are only used in warnings, even for a strict store.
        if self.is_strict()
            && position.binding
            && !settled_by_choice
            && finding.code.severity().includes_error()
        {
            report.violation(&path, finding.code, finding.as_error());
        } else {
            report.warning(&path, finding.code, finding.as_warning());
        }
    }
}

fn report_total(request: &PriceRequest<'_>, bill: &Bill, report: &mut Report) {
    let currency = request.order.currency;
    match request.order.kind() {
        OrderKind::Label if request.is_new && bill.fee(FeeType::Handling).is_none() => {
            let message = format!(
                "there is no label handling fee in {currency}, the store's currency; one must be set"
            );
            let path = Path::Root.key("shipping_address_label");
            report.violation(&path, IssueCode::NoFee, message);
        }
        kind => report.warnings.extend(total_incomplete(kind, bill)),
    }
}

pub(crate) fn incomplete_total(order: &Order) -> Option<Warning> {
    let content = &order.content;
    // A wholly cancelled order has no fees and counts as priced.
    let is_cancelled = order.state.is_cancelled();
    total_incomplete(content.kind(), &content.bill).filter(|_| !is_cancelled)
}

fn total_incomplete(kind: OrderKind, bill: &Bill) -> Option<Warning> {
    let missing = bill
        .missing(kind.needed_fees())
        .map(FeeType::field)
        .collect::<Vec<&str>>()
        .join(", ");
    (!missing.is_empty()).then(|| Warning {
        field: "totalCost".to_owned(),
        code: IssueCode::TotalIncomplete,
        message: format!("{missing} not known, so totalCost is not the whole price"),
    })
}
