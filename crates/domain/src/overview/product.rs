//! The items that wait, by product.

use std::collections::BTreeMap;

use super::open::OpenOrder;
use super::service::OverviewService;
use crate::limits;
use crate::operator::Operator;
use crate::order::OrderError;
use crate::order::queue::{QueueDraft, QueueFilter, QueueItem, QueueService, Walk};
use crate::time::Timestamp;

/// Orders that are read at once: with three items each, as many as have the items that are counted.
const PORTION: u32 = 350;

/// The items of a product that wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingProduct {
    /// The SKU.
    pub sku: String,
    /// The name that the newest of the items has.
    pub name: Option<String>,
    /// Items.
    pub items: u64,
    /// Their units.
    pub units: u64,
    /// When the oldest of their orders was placed.
    pub oldest: Timestamp,
}

/// An item that waits.
struct WaitingItem {
    sku: String,
    name: Option<String>,
    quantity: u32,
    placed: Timestamp,
}

impl WaitingItem {
    /// Returns the items of an order that a filter finds by what the overview reads.
    fn of_order(order: OpenOrder, filter: &QueueFilter) -> impl Iterator<Item = Self> {
        let placed = order.id.created_at();
        let items = order.items.into_iter();
        let found = items.filter(|item| filter.has_state(&item.sku, &item.state));
        found.map(move |item| Self {
            sku: item.sku,
            name: item.name,
            quantity: item.quantity,
            placed,
        })
    }

    fn of(found: &QueueItem) -> Option<Self> {
        let (line, _) = found.item()?;
        Some(Self {
            sku: line.sku.clone(),
            name: line.name.clone(),
            quantity: line.quantity,
            placed: found.order.content.created_at(),
        })
    }
}

impl WaitingProduct {
    fn empty(item: &WaitingItem) -> Self {
        Self {
            sku: item.sku.clone(),
            name: None,
            items: 0,
            units: 0,
            oldest: item.placed,
        }
    }

    fn add(&mut self, item: WaitingItem) {
        self.name = item.name.or(self.name.take());
        self.items += 1;
        self.units += u64::from(item.quantity);
        self.oldest = self.oldest.min(item.placed);
    }
}

impl OverviewService {
    /// Returns the products of the oldest items that a search of the queue finds, the one with the most units first. At
    /// most [`limits::WAITING_ITEMS`] items are counted.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] and [`OrderError::Repository`].
    pub async fn waiting_products(
        &self,
        operator: &Operator,
        draft: &QueueDraft,
    ) -> Result<Vec<WaitingProduct>, OrderError> {
        let (walk, filter) = draft.first_walk(operator)?;
        let items = if filter.asks_for_states_only() {
            self.waiting(walk, &filter).await?
        } else {
            let (queue, orders) = (self.ports.queue.clone(), self.ports.orders.clone());
            let queue = QueueService::new(queue, orders);
            let found = queue.first_items(walk, &filter, limits::WAITING_ITEMS);
            let found = found.await?;
            found.iter().filter_map(WaitingItem::of).collect()
        };
        let mut products: BTreeMap<String, WaitingProduct> = BTreeMap::new();
        for item in items {
            let product = products.entry(item.sku.clone());
            product
                .or_insert_with(|| WaitingProduct::empty(&item))
                .add(item);
        }
        let mut products: Vec<WaitingProduct> = products.into_values().collect();
        products.sort_by_key(|product| std::cmp::Reverse(product.units));
        Ok(products)
    }

    /// Returns the first items of a walk, of orders of which only a part is read.
    async fn waiting(
        &self,
        mut walk: Walk,
        filter: &QueueFilter,
    ) -> Result<Vec<WaitingItem>, OrderError> {
        let (mut items, mut looked_at) = (Vec::new(), 0);
        walk.count = PORTION;
        while items.len() < limits::WAITING_ITEMS && looked_at < limits::OVERVIEW_ORDERS {
            let places = self.ports.queue.walk(&walk).await?;
            let orders = self.ports.overview.orders(&places).await?;
            let found = orders.into_iter();
            items.extend(found.flat_map(|order| WaitingItem::of_order(order, filter)));
            let is_last = places.len() < usize::try_from(walk.count).unwrap_or(usize::MAX);
            let next = places.last().and_then(|last| last.order.id.next());
            let Some(next) = next.filter(|_| !is_last) else {
                break;
            };
            looked_at += walk.count;
            walk.from = next;
        }
        items.truncate(limits::WAITING_ITEMS);
        Ok(items)
    }
}
