//! Orders that the shop works on, as the overview reads them.

use std::collections::BTreeMap;

use crate::production::{BatchNumber, ItemProgress, ItemRef, ItemUnits, StepName, Steps};
use pressline_domain::fulfilment::{ItemState, Need};
use pressline_domain::id::{OrderId, StoreId};
use pressline_domain::order::Order;

/// What the overview reads of an order: much less than the whole.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenOrder {
    /// Its store.
    pub store: StoreId,
    /// Its id.
    pub id: OrderId,
    /// Whether every cost that belongs into its total is known.
    pub priced: bool,
    /// Whether the store has asked for a change that is not decided.
    pub has_change: bool,
    /// What the shop needs from the store, oldest first.
    pub needs: Vec<Need>,
    /// Its items, in the order of the order.
    pub items: Vec<OpenItem>,
}

/// What the overview reads of an item.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenItem {
    /// The SKU.
    pub sku: String,
    /// The name.
    pub name: Option<String>,
    /// Its units.
    pub quantity: u32,
    /// Its state.
    pub state: ItemState,
    /// Units done at each step, as in [`ItemProgress`].
    pub done: BTreeMap<StepName, u32>,
    /// The open batch that it is in.
    pub batch: Option<BatchNumber>,
}

impl OpenOrder {
    /// Returns whether units of an item at work are done at all steps and not shipped.
    pub fn is_packed(&self, steps: &Steps) -> bool {
        self.items.iter().any(|item| {
            let units = ItemUnits::counted(&item.done, steps, item.quantity, &item.state);
            item.state.status.is_at_work() && units.packed() > 0
        })
    }

    /// Returns what the overview reads of an order with this progress and these batches of its items.
    pub fn new(
        order: &Order,
        progress: &[ItemProgress],
        batch_of: impl Fn(ItemRef) -> Option<BatchNumber>,
    ) -> Self {
        let content = &order.content;
        let (store, id) = (content.store_id, content.id);
        let pairs = content.items.iter().zip(&order.state.items);
        let items = pairs.map(|(line, state)| {
            let item = state.id;
            let place = ItemRef {
                store,
                order: id,
                item,
            };
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
