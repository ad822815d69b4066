//! Production state of items, loaded for many orders in one call.

use std::collections::{BTreeMap, BTreeSet};

use super::batch::{BatchNumber, ItemRef};
use super::late::{due_at, is_late};
use super::produced_item::{ItemProduction, ProducedItem, QueuedItem};
use super::progress::ItemProgress;
use super::service::ProductionService;
use super::units::ItemUnits;
use crate::queue::QueueItem;
use pressline_domain::error::Result;
use pressline_domain::fulfilment::ItemState;
use pressline_domain::order::{LineItem, Order};
use pressline_domain::store::StoreSettings;
use pressline_domain::value::id::{OrderId, ServiceOrderId, StoreId};
use pressline_domain::value::page::Page;
use pressline_domain::value::time::Timestamp;

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
            now: Some(self.ports.clock.now()),
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
            let progress = self.ports.progress.progress(store, &ids).await?;
            let placed = progress.into_iter().map(|stored| (stored.place, stored));
            known.progress.extend(placed);
            let taken = self.ports.batches.in_open_batches(store, &ids).await?;
            let taken = taken.iter().map(|taken| (taken.place, taken.batch));
            known.batches.extend(taken);
            if let Some(found) = self.ports.stores.by_prefix().get(&number.prefix).await? {
                known.settings.insert(store, found.settings);
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
            units: ItemUnits::new(&progress, &self.ports.steps, line, state),
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
        let content = &order.content;
        let address = content.shipping_address.as_ref();
        ProducedItem {
            place: ItemRef::new(order, state.id),
            order: order.service_order_id.clone(),
            line: line.clone(),
            state: state.clone(),
            production_note: content.production_note.clone(),
            country_code: address.and_then(|address| address.country_code.clone()),
            kind: content.kind(),
            production: self.production_of(known, order, line, state),
        }
    }

    pub(super) async fn items_of(&self, order: &Order) -> Result<Vec<ProducedItem>> {
        let known = self.known(&[order]).await?;
        let pairs = order.content.items.iter().zip(&order.state.items);
        let items = pairs.map(|(line, state)| self.produced(&known, order, line, state));
        Ok(items.collect())
    }

    /// Returns `page` with the production state of each item.
    #[pressline_kit::boxed]
    pub async fn of_queue(&self, page: Page<QueueItem>) -> Result<Page<QueuedItem>> {
        let orders: Vec<&Order> = page.entries.iter().map(|found| &found.order).collect();
        let known = self.known(&orders).await?;
        let mut entries = Vec::with_capacity(page.entries.len());
        for found in page.entries {
            let pair = found.item();
            let production =
                pair.map(|(line, state)| self.production_of(&known, &found.order, line, state));
            entries.extend(production.map(|production| QueuedItem { found, production }));
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
