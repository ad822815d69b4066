//! Checklist for setting up a store: prices, fees, shipping rates, first call and webhook.

use std::sync::Arc;

use crate::webhook::{EndpointDirectory, EndpointOwner};
use pressline_domain::catalog::{Catalog, ProductQuery};
use pressline_domain::check::limits;
use pressline_domain::error::Result;
use pressline_domain::order::OrderKind;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{FeeRule, Tariff};
use pressline_domain::runtime::Clock;
use pressline_domain::store::StoreRecord;
use pressline_domain::value::page::Start;
use pressline_domain::value::{Currency, Timestamp};

/// Setup status of a store: the steps already done, as numbers, flags and a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checklist {
    /// Number of examined products: the catalog's first [`PAGE_SIZE`](limits::PAGE_SIZE) products.
    pub products: usize,
    /// Number of examined products with at least one variant priced in the store's currency.
    pub priced: usize,
    /// Whether a [`FeeType::Handling`] rule in the store's currency applies to label orders.
    pub has_label_fee: bool,
    /// Whether a shipping rate in the store's currency exists.
    pub has_rates: bool,
    /// Time of the latest call signed with a live key, to the minute; `None` if there is none.
    pub last_call: Option<Timestamp>,
    /// Whether the store has a webhook endpoint that is not `disabled`.
    pub has_webhook: bool,
}

/// Computes checklists of stores.
#[derive(Clone)]
pub struct ChecklistService {
    catalog: Arc<dyn Catalog>,
    endpoints: Arc<dyn EndpointDirectory>,
    clock: Arc<dyn Clock>,
}

impl ChecklistService {
    /// Creates the service over `catalog`, `endpoints` and `clock`.
    pub fn new(
        catalog: Arc<dyn Catalog>,
        endpoints: Arc<dyn EndpointDirectory>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            catalog,
            endpoints,
            clock,
        }
    }

    /// Returns the checklist of the store in `record`.
    #[pressline_kit::boxed]
    pub async fn of(&self, record: &StoreRecord) -> Result<Checklist> {
        let (store, currency) = (record.store.id, record.store.currency);
        let query = ProductQuery {
            key: None,
            start: Start::Offset(0),
            size: limits::PAGE_SIZE,
            counted: None,
        };
        let products = self.catalog.search(store, &query).await?.products;
        let now = self.clock.now();
        let priced = products.iter().filter(|product| {
            let mut variants = product.variants.iter();
            variants.any(|offered| offered.unit_price(currency, now).is_some())
        });
        let tariff = self
            .catalog
            .offer(store, &[], None)
            .await?
            .tariff
            .unwrap_or_default();
        let endpoints = self.endpoints.list(EndpointOwner::Store(store)).await?;
        let mut enabled = endpoints
            .iter()
            .map(|endpoint| endpoint.state.disabled.is_none());
        Ok(Checklist {
            products: products.len(),
            priced: priced.count(),
            has_label_fee: has_label_fee(&tariff, currency),
            has_rates: has_rates(&tariff, currency),
            last_call: record.keys.iter().filter_map(|key| key.last_used_at).max(),
            has_webhook: enabled.any(|is_enabled| is_enabled),
        })
    }
}

fn has_label_fee(tariff: &Tariff, currency: Currency) -> bool {
    let is_fee = |rule: &FeeRule| {
        rule.fee == FeeType::Handling
            && rule.currency == currency
            // A rule without an order kind applies to label orders as well.
            && rule.orders != Some(OrderKind::Manual)
    };
    tariff.fees.rules().iter().any(is_fee)
}

fn has_rates(tariff: &Tariff, currency: Currency) -> bool {
    let mut rates = tariff.shipping.rates().iter();
    rates.any(|rate| rate.currency == currency)
}
