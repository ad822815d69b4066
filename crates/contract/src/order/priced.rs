//! Cases about writes that require the catalog version used for pricing.

use std::sync::Arc;

use pressline_domain::catalog::{CatalogVersion, ImportOptions};
use pressline_domain::order::{NewOrder, OrderWrite};
use pressline_domain::value::Timestamp;

use super::Shop;
use crate::at_once::at_once;
use crate::check::{is_of_another_catalog, same};
use crate::random::Random;
use crate::samples::{after, changed, placed};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    prices_of_another_catalog_are_refused,
    of_writes_at_once_each_is_held_to_its_catalog
];

impl Shop {
    /// Imports the variant `sku`; returns the catalog version before and after.
    async fn import(&mut self, sku: &str) -> Result<(CatalogVersion, CatalogVersion), CaseError> {
        let catalog = Arc::clone(&self.adapters.catalog);
        let before = catalog.offer(self.store, &[], None).await?.version;
        let variant = Random::new().variant(sku);
        self.adapters
            .catalog_admin
            .import(&[variant], &ImportOptions::default())
            .await?;
        Ok((before, catalog.offer(self.store, &[], None).await?.version))
    }

    /// Returns a random new order of the first store, with the id `order_id`.
    fn order(&mut self, order_id: &str) -> Result<NewOrder, CaseError> {
        placed(self.parts(order_id)?)
    }
}

async fn prices_of_another_catalog_are_refused(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (before, now) = shop.import("MUG").await?;
    let order = shop.order("T-1")?;
    let early = OrderWrite::create(order.clone()).priced_with(before);
    is_of_another_catalog("a create", shop.orders.write(early).await)?;
    same("the order", &shop.find(shop.store, "T-1").await?, &None)?;
    let created = shop
        .orders
        .write(OrderWrite::create(order).priced_with(now))
        .await?;
    let rewritten = shop.rewritten(&created)?;
    let change = changed(&created, rewritten, Timestamp::from_millis(9))?;
    let early = OrderWrite::change(change.clone()).priced_with(before);
    is_of_another_catalog("an update", shop.orders.write(early).await)?;
    same(
        "the order",
        &shop.find(shop.store, "T-1").await?,
        &Some(created),
    )?;
    let updated = shop
        .orders
        .write(OrderWrite::change(change.clone()).priced_with(now))
        .await?;
    same("the updated order", &updated, &after(&change, &updated))
}

async fn of_writes_at_once_each_is_held_to_its_catalog(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (before, now) = shop.import("MUG").await?;
    let mut calls = Vec::new();
    for number in 0..32 {
        let version = match number % 3 {
            0 => Some(now),
            1 => Some(before),
            _ => None,
        };
        let order = shop.order(&format!("T-{number}"))?;
        let write = OrderWrite::create(order);
        let write = match version {
            Some(version) => write.priced_with(version),
            None => write,
        };
        let orders = Arc::clone(&shop.orders);
        calls.push(async move { (number, orders.write(write).await) });
    }
    for (number, outcome) in at_once(calls).await? {
        let what = format!("order {number}");
        let found = shop.find(shop.store, &format!("T-{number}")).await?;
        if number % 3 == 1 {
            is_of_another_catalog(&what, outcome)?;
            same(&what, &found, &None)?;
        } else {
            same(&what, &found, &Some(outcome?))?;
        }
    }
    Ok(())
}
