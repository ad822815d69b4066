//! What a store needs before its orders can be made and paid, and what of it is missing.

use std::sync::Arc;

use crate::webhook::{EndpointDirectory, EndpointOwner};
use pressline_domain::catalog::{Catalog, ProductQuery};
use pressline_domain::error::Result;
use pressline_domain::limits;
use pressline_domain::money::Currency;
use pressline_domain::order::OrderKind;
use pressline_domain::page::Start;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{FeeRule, Tariff};
use pressline_domain::runtime::Clock;
use pressline_domain::store::StoreRecord;
use pressline_domain::time::Timestamp;

/// What a store has of what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checklist {
    /// How many products were looked at: the first ones of the catalog, at most
    /// [`PAGE_SIZE`](limits::PAGE_SIZE).
    pub products: usize,
    /// How many of them have a variant with a price in the currency of the store.
    pub priced: usize,
    /// Whether an order with a prepared label has a fee in this currency.
    pub has_label_fee: bool,
    /// Whether there are shipping rates in this currency.
    pub has_rates: bool,
    /// The minute of the latest signed call that was noted; `None` before the first one.
    pub last_call: Option<Timestamp>,
    /// Whether the store has a webhook endpoint that is enabled.
    pub has_webhook: bool,
}

/// Finds out what stores need.
#[derive(Clone)]
pub struct ChecklistService {
    catalog: Arc<dyn Catalog>,
    endpoints: Arc<dyn EndpointDirectory>,
    clock: Arc<dyn Clock>,
}

impl ChecklistService {
    /// Returns the use case over these ports.
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

    /// Returns what a store has.
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
        let tariff = self.catalog.offer(store, &[], None).await?.tariff;
        let tariff = tariff.unwrap_or_default();
        let endpoints = self.endpoints.list(EndpointOwner::Store(store)).await?;
        let mut enabled = endpoints.iter().map(|found| found.state.disabled.is_none());
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
            && rule.orders != Some(OrderKind::Manual)
    };
    tariff.fees.rules().iter().any(is_fee)
}

fn has_rates(tariff: &Tariff, currency: Currency) -> bool {
    let mut rates = tariff.shipping.rates().iter();
    rates.any(|rate| rate.currency == currency)
}
