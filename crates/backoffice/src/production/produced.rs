//! Items with their production state, loaded for many orders in one call, and their ship-by times.

use std::collections::{BTreeMap, BTreeSet};

use super::ProductionError;
use super::batch::{BatchNumber, ItemRef};
use super::service::ProductionService;
use super::units::{ItemProgress, ItemUnits, ProductionRecord};
use crate::limits;
use crate::operator::{Operator, OperatorNames};
use crate::queue::QueueItem;
use pressline_domain::check::limits::USUAL_PROMISE;
use pressline_domain::check::{Field, Warning};
use pressline_domain::error::Result;
use pressline_domain::fulfilment::{ItemState, ItemStatus};
use pressline_domain::order::{GetDraft, LineItem, Order, OrderKind, OwnOrderIds, ReadOrder};
use pressline_domain::store::StoreSettings;
use pressline_domain::value::page::Page;
use pressline_domain::value::{OrderId, ServiceOrderId, StoreId, Timestamp};
use pressline_kit::boxed;

/// Production state of an item: units done, misprints, batch and ship-by time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemProduction {
    /// Number of units done at each step.
    pub units: ItemUnits,
    /// Total number of misprinted units.
    pub misprints: u32,
    /// Open batch of the item; `None` if it is in no open batch.
    pub batch: Option<BatchNumber>,
    /// Ship-by time; `None` if the item was never ready, or its store has no ship-by time.
    pub due_at: Option<Timestamp>,
    /// `true` if the item is overdue: it is ready or in production, although `due_at` has come.
    pub is_late: bool,
}

/// An item with the data of its order that production needs.
#[derive(Clone, Debug, PartialEq)]
pub struct ProducedItem {
    /// Store, order and id of the item.
    pub place: ItemRef,
    /// Number of the order, such as `SUN-1042`.
    pub order: ServiceOrderId,
    /// Line item as the store ordered it.
    pub line: LineItem,
    /// State of the item: its number in the order, its status and the number of shipped units.
    pub state: ItemState,
    /// Note of the store to production; `None` if it wrote none.
    pub production_note: Option<String>,
    /// Country code of the shipping address; `None` without an address or a code.
    pub country_code: Option<String>,
    /// Type of the order; `Label` if the store provides the shipping label.
    pub kind: OrderKind,
    /// Production state of the item: units done, misprints, batch and ship-by time.
    pub production: ItemProduction,
}

/// An item of the queue with its production state.
#[derive(Clone, Debug, PartialEq)]
pub struct QueuedItem {
    /// Item of the queue, with its order.
    pub found: QueueItem,
    /// Production state of the item: units done, misprints, batch and ship-by time.
    pub production: ItemProduction,
}

/// An order with the production state of its items.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderProduction {
    /// The order at its current version.
    pub order: Order,
    /// Items with their production state, in the sequence of `order.content.items`.
    pub items: Vec<ProducedItem>,
    /// Latest production records of the order, up to [`limits::RECORDS`], latest first.
    pub records: Vec<ProductionRecord>,
    /// Names of the operators in `records`, keyed by id; empty without `records`.
    pub names: OperatorNames,
    /// Warning that the name in the request also fits another order.
    pub warnings: Vec<Warning>,
}

impl ProducedItem {
    /// Returns the item `line` of `order`, with its `state` and its `production`.
    pub fn new(
        order: &Order,
        line: &LineItem,
        state: &ItemState,
        production: ItemProduction,
    ) -> Self {
        let content = &order.content;
        let address = content.shipping_address.as_ref();
        Self {
            place: ItemRef::new(order, state.id),
            order: order.service_order_id.clone(),
            line: line.clone(),
            state: state.clone(),
            production_note: content.production_note.clone(),
            country_code: address.and_then(|address| address.country_code.clone()),
            kind: content.kind(),
            production,
        }
    }

    /// Returns the item's code, such as `SUN-1042-1`.
    pub fn code(&self) -> String {
        self.state.code(&self.order)
    }
}

/// Returns the time at which `item` first became ready, plus `ship_by_seconds` of its store's
/// `settings`, by default [`USUAL_PROMISE`]. `None` if the item was never ready, or if
/// `ship_by_seconds` is 0.
pub fn due_at(item: &ItemState, settings: &StoreSettings) -> Option<Timestamp> {
    let seconds = settings.ship_by_seconds.unwrap_or(USUAL_PROMISE);
    let ready_at = item.ready_at.filter(|_| seconds > 0)?;
    Some(ready_at.plus_millis(i64::from(seconds) * 1000))
}

/// Returns whether `item` is ready or in production at `now`, although its ship-by time has come.
pub fn is_late(item: &ItemState, settings: &StoreSettings, now: Timestamp) -> bool {
    item.status.is_at_work() && due_at(item, settings).is_some_and(|due| due <= now)
}

/// Returns whether `item` missed its ship-by time: it is overdue at `now`, or all its units were
/// sent and the last units were sent at or after the ship-by time. `sent_at` is the time at which
/// the last units were sent; `None` if no unit was sent.
pub fn missed_ship_by_time(
    item: &ItemState,
    sent_at: Option<Timestamp>,
    settings: &StoreSettings,
    now: Timestamp,
) -> bool {
    let due = due_at(item, settings).filter(|_| was_sent(item.status));
    let sent_late = due.zip(sent_at).is_some_and(|(due, sent)| due <= sent);
    sent_late || is_late(item, settings, now)
}

pub(super) fn was_sent(status: ItemStatus) -> bool {
    matches!(
        status,
        ItemStatus::Fulfilled | ItemStatus::Delivered | ItemStatus::Returned
    )
}

#[derive(Default)]
pub(super) struct ProductionState {
    progress: BTreeMap<ItemRef, ItemProgress>,
    batches: BTreeMap<ItemRef, BatchNumber>,
    settings: BTreeMap<StoreId, StoreSettings>,
    now: Option<Timestamp>,
}

impl ProductionState {
    pub(super) fn progress(&self, place: ItemRef) -> ItemProgress {
        let stored = self.progress.get(&place).cloned();
        stored.unwrap_or_else(|| ItemProgress::none(place))
    }
}

impl ProductionService {
    pub(super) async fn known(&self, orders: &[&Order]) -> Result<ProductionState> {
        let mut known = ProductionState {
            now: Some(self.clock.now()),
            ..ProductionState::default()
        };
        // A store's settings are found by its prefix, which is part of any of its order numbers.
        let mut by_store: BTreeMap<StoreId, (&ServiceOrderId, BTreeSet<OrderId>)> = BTreeMap::new();
        for order in orders {
            let of_store = by_store.entry(order.content.store_id);
            let (_, ids) = of_store.or_insert((&order.service_order_id, BTreeSet::new()));
            ids.insert(order.content.id);
        }
        for (store, (number, ids)) in by_store {
            let ids: Vec<OrderId> = ids.into_iter().collect();
            let progress = self.progress.progress(store, &ids).await?;
            let placed = progress.into_iter().map(|stored| (stored.place, stored));
            known.progress.extend(placed);
            let batches = &self.batches;
            known
                .batches
                .extend(batches.in_open_batches(store, &ids).await?);
            if let Some(owner) = self.stores.by_prefix().get(&number.prefix).await? {
                known.settings.insert(store, owner.settings);
            }
        }
        Ok(known)
    }

    pub(super) fn production_of(
        &self,
        known: &ProductionState,
        order: &Order,
        line: &LineItem,
        state: &ItemState,
    ) -> ItemProduction {
        let place = ItemRef::new(order, state.id);
        let usual = StoreSettings::default();
        let settings = known.settings.get(&place.store).unwrap_or(&usual);
        let progress = known.progress(place);
        ItemProduction {
            units: ItemUnits::new(&progress, &self.steps, line, state),
            misprints: progress.misprints,
            batch: known.batches.get(&place).copied(),
            due_at: due_at(state, settings),
            is_late: known.now.is_some_and(|now| is_late(state, settings, now)),
        }
    }

    pub(super) fn produced(
        &self,
        known: &ProductionState,
        order: &Order,
        line: &LineItem,
        state: &ItemState,
    ) -> ProducedItem {
        ProducedItem::new(
            order,
            line,
            state,
            self.production_of(known, order, line, state),
        )
    }

    pub(super) async fn items_of(&self, order: &Order) -> Result<Vec<ProducedItem>> {
        let known = self.known(&[order]).await?;
        let pairs = order.content.items.iter().zip(&order.state.items);
        let items = pairs.map(|(line, state)| self.produced(&known, order, line, state));
        Ok(items.collect())
    }

    /// Returns the order `order_id` with the state of its items and its latest records.
    #[boxed]
    pub async fn of_order(
        &self,
        operator: &Operator,
        order_id: &Field<String>,
    ) -> Result<OrderProduction, ProductionError> {
        let draft = GetDraft {
            order_id: order_id.clone(),
            ..GetDraft::default()
        };
        let scope = self.scope_with(operator, OwnOrderIds::Ambiguous);
        let ReadOrder { order, warnings } = self.orders.get(scope, &draft).await?;
        let items = self.items_of(&order).await?;
        let (store, id) = (order.content.store_id, order.content.id);
        let records = self
            .progress
            .records(store, id, None, limits::RECORDS)
            .await?;
        let names = self.operators.names_if(!records.is_empty()).await?;
        Ok(OrderProduction {
            order,
            items,
            records,
            names,
            warnings,
        })
    }

    /// Returns `page` with the production state of each item.
    #[boxed]
    pub async fn of_queue(&self, page: Page<QueueItem>) -> Result<Page<QueuedItem>> {
        let orders: Vec<&Order> = page.entries.iter().map(|entry| &entry.order).collect();
        let known = self.known(&orders).await?;
        let mut entries = Vec::with_capacity(page.entries.len());
        for item in page.entries {
            let pair = item.item();
            let production =
                pair.map(|(line, state)| self.production_of(&known, &item.order, line, state));
            entries.extend(production.map(|production| QueuedItem {
                found: item,
                production,
            }));
        }
        Ok(Page {
            entries,
            number: page.number,
            size: page.size,
            has_previous: page.has_previous,
            next_cursor: page.next_cursor,
        })
    }
}
