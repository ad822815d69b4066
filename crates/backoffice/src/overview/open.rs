//! Open orders in the form that the overview needs.

use std::collections::{BTreeMap, BTreeSet};

use crate::limits;
use crate::production::{BatchNumber, ItemProgress, ItemRef, ItemUnits, StepName, Steps};
use crate::queue::{CrossStoreQuery, Direction, StoreFilter};
use pressline_domain::fulfilment::{ItemState, ItemStatus, Need};
use pressline_domain::order::Order;
use pressline_domain::value::{OrderId, StoreId};

/// Part of an [`Order`] that the overview needs. It is much smaller than the order.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenOrder {
    /// Store that placed the order.
    pub store: StoreId,
    /// Internal id of the order, which contains its creation time.
    pub id: OrderId,
    /// Whether all costs of the order are known. The print shop must decide on an unknown cost.
    pub priced: bool,
    /// Whether the store has requested a change that is not decided yet.
    pub has_change: bool,
    /// Unresolved questions to the store, answered or not, oldest first.
    pub needs: Vec<Need>,
    /// Items, in the sequence in which the order lists them.
    pub items: Vec<OpenItem>,
}

/// Data of an order's item for the overview.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenItem {
    /// SKU of the ordered variant.
    pub sku: String,
    /// Name of the item; `None` if it has none.
    pub name: Option<String>,
    /// Number of ordered units.
    pub quantity: u32,
    /// Status and counters of the item, such as `shipped_quantity`.
    pub state: ItemState,
    /// Number of units done at each step, as in [`ItemProgress`].
    pub done: BTreeMap<StepName, u32>,
    /// Open batch of the item; `None` if it is in no open batch.
    pub batch: Option<BatchNumber>,
}

impl OpenOrder {
    /// Returns whether the order has packed units: done at all `steps` and not shipped. Only items
    /// that are ready or in production count.
    pub fn is_packed(&self, steps: &Steps) -> bool {
        self.items.iter().any(|item| {
            let units = ItemUnits::counted(&item.done, steps, item.quantity, &item.state);
            item.state.status.is_at_work() && units.packed() > 0
        })
    }

    /// Returns the data of `order` for the overview. The `progress` of other items is ignored.
    /// `batch_of` returns the open batch of an item.
    pub fn new(
        order: &Order,
        progress: &[ItemProgress],
        batch_of: impl Fn(ItemRef) -> Option<BatchNumber>,
    ) -> Self {
        let content = &order.content;
        let (store, id) = (content.store_id, content.id);
        let pairs = content.items.iter().zip(&order.state.items);
        let items = pairs.map(|(line, state)| {
            let place = ItemRef::new(order, state.id);
            let progress = progress.iter().find(|progress| progress.place == place);
            OpenItem {
                sku: line.sku.clone(),
                name: line.name.clone(),
                quantity: line.quantity,
                state: state.clone(),
                done: progress.map_or_else(BTreeMap::new, |progress| progress.done.clone()),
                batch: batch_of(place),
            }
        });
        Self {
            store,
            id,
            priced: content.is_priced(),
            has_change: order.state.pending.is_some(),
            needs: order.state.needs.clone(),
            items: items.collect(),
        }
    }
}

pub(super) const OPEN: [ItemStatus; 5] = [
    ItemStatus::Ready,
    ItemStatus::InProduction,
    ItemStatus::RequestChange,
    ItemStatus::NeedAction,
    ItemStatus::OnHold,
];

/// Queries [`limits::OVERVIEW_ORDERS`] plus 1, to detect that orders are left out.
pub(super) fn open_orders(stores: StoreFilter) -> CrossStoreQuery {
    CrossStoreQuery {
        stores,
        from: OrderId::LOWEST,
        before: OrderId::HIGHEST,
        key: None,
        statuses: OPEN.into_iter().collect(),
        kinds: BTreeSet::new(),
        direction: Direction::OldestFirst,
        count: limits::OVERVIEW_ORDERS.saturating_add(1),
    }
}
