//! Counts of waiting items, grouped by product.

use std::collections::BTreeMap;

use super::service::OverviewService;
use crate::limits;
use crate::operator::Operator;
use crate::queue::{CrossStoreQuery, QueueDraft, QueueFilter, QueueService};
use pressline_domain::order::OrderError;
use pressline_domain::value::{OrderId, Timestamp};

/// Orders per query: with three items each, about [`limits::WAITING_ITEMS`] items.
const PORTION: u32 = 350;

/// Counts of a SKU's items in a search result. The result is limited to the oldest items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingProduct {
    /// SKU of the product.
    pub sku: String,
    /// Name of the newest found item that has a name; `None` if no item has a name.
    pub name: Option<String>,
    /// Number of found items, whatever their quantities.
    pub items: u64,
    /// Number of units of all found items.
    pub units: u64,
    /// Creation time of the oldest order with a found item of this SKU.
    pub oldest: Timestamp,
}

impl WaitingProduct {
    fn of_item(sku: &str, name: Option<&String>, quantity: u32, order: OrderId) -> Self {
        Self {
            sku: sku.to_owned(),
            name: name.cloned(),
            items: 1,
            units: u64::from(quantity),
            oldest: order.created_at(),
        }
    }

    /// Adds `item`, which must be newer than all items added before. Its name replaces older names.
    fn add(&mut self, item: Self) {
        self.name = item.name.or(self.name.take());
        self.items += item.items;
        self.units += item.units;
        self.oldest = self.oldest.min(item.oldest);
    }
}

impl OverviewService {
    /// Returns the products of the oldest items that `draft` finds, by units in descending order.
    /// Counts up to [`limits::WAITING_ITEMS`] items of about [`limits::OVERVIEW_ORDERS`] orders.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` is invalid; [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn waiting_products(
        &self,
        operator: &Operator,
        draft: &QueueDraft,
    ) -> Result<Vec<WaitingProduct>, OrderError> {
        let (query, filter) = draft.first_query(operator)?;
        // If SKU and status suffice for the filter, only a part of each order is read.
        let items = if filter.asks_for_states_only() {
            self.waiting(query, &filter).await?
        } else {
            let queue = QueueService::new(self.queue.clone(), self.orders.clone());
            let (queue_items, _) = queue
                .items(query, &filter, None, limits::WAITING_ITEMS)
                .await?;
            let items = queue_items.iter().filter_map(|queue_item| {
                let ((line, _), order) = (queue_item.item()?, queue_item.order.content.id);
                let name = line.name.as_ref();
                Some(WaitingProduct::of_item(
                    &line.sku,
                    name,
                    line.quantity,
                    order,
                ))
            });
            items.collect()
        };
        let mut by_sku: BTreeMap<String, WaitingProduct> = BTreeMap::new();
        for item in items {
            match by_sku.get_mut(&item.sku) {
                Some(product) => product.add(item),
                None => {
                    by_sku.insert(item.sku.clone(), item);
                }
            }
        }
        let mut products: Vec<WaitingProduct> = by_sku.into_values().collect();
        products.sort_by_key(|product| std::cmp::Reverse(product.units));
        Ok(products)
    }

    /// Returns up to [`limits::WAITING_ITEMS`] of the oldest items, each as a product of its own,
    /// from about [`limits::OVERVIEW_ORDERS`] orders. Checks only SKU and statuses of `filter`.
    async fn waiting(
        &self,
        mut query: CrossStoreQuery,
        filter: &QueueFilter,
    ) -> Result<Vec<WaitingProduct>, OrderError> {
        let (mut items, mut looked_at) = (Vec::new(), 0);
        query.count = PORTION;
        while items.len() < limits::WAITING_ITEMS && looked_at < limits::OVERVIEW_ORDERS {
            let (places, has_more) = self.next_places(&mut query).await?;
            let orders = self.overview.orders(&places).await?;
            for order in &orders {
                let waiting_items = order
                    .items
                    .iter()
                    .filter(|item| filter.has_state(&item.sku, &item.state));
                items.extend(waiting_items.map(|item| {
                    let name = item.name.as_ref();
                    WaitingProduct::of_item(&item.sku, name, item.quantity, order.id)
                }));
            }
            if !has_more {
                break;
            }
            looked_at += query.count;
        }
        items.truncate(limits::WAITING_ITEMS);
        Ok(items)
    }
}
