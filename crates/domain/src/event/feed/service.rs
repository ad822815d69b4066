//! Use case: reads the events of a store for the feed and for webhooks.

use std::collections::BTreeMap;
use std::sync::Arc;

use pressline_kit::boxed;

use super::body::{EventBodies, EventBody, EventContent, EventToWrite, Payload, write_bounded};
use super::draft::{FeedDraft, FeedRequest};
use super::unwind::Unwinding;
use crate::check::{Warning, limits};
use crate::error::{RepositoryError, Source};
use crate::event::port::{EventFeed, FeedBatch, FeedFilter, FeedQuery};
use crate::event::{Event, FeedEvent};
use crate::order::search::BATCH_BYTES;
use crate::order::{Order, OrderError, OrderIdentity, OrderRepository, OrderScope};
use crate::store::{Store, StoreDirectory};
use crate::value::{OrderId, StoreId};

/// Reads the events of stores, for the feed and for webhooks.
#[derive(Clone)]
pub struct EventService {
    feed: Arc<dyn EventFeed>,
    orders: Arc<dyn OrderRepository>,
    stores: Arc<dyn StoreDirectory>,
    bodies: Arc<dyn EventBodies>,
}

/// A page of a store's events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedPage {
    /// Matching events, ascending by sequence.
    pub events: Vec<EventBody>,
    /// Value of [`FeedRequest::after`] for the next page.
    pub next_after: u64,
    /// Last used or skipped sequence of the store; 0 if the store has no event. Sequences are
    /// skipped after a restore.
    pub last_sequence: u64,
}

/// Reason why a page of the feed cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FeedError {
    /// The request continues after a sequence that the feed has not reached. The sequence is of
    /// another store, or of events that were lost when the database was restored.
    #[error(
        "the position {after} is above the last sequence of the feed, {last_sequence}: it belongs to another store, or to \
         events that were lost when the database was restored"
    )]
    PositionAhead {
        /// Sequence after which the request continues.
        after: u64,
        /// Last sequence of the store.
        last_sequence: u64,
    },
    /// A query failed, or an order cannot be restored as it was at an event.
    #[error("the events cannot be read")]
    Repository(#[from] RepositoryError),
}

impl FeedPage {
    /// Returns whether the page is empty and the last of the feed, so that a caller can wait.
    pub fn is_at_the_end(&self) -> bool {
        self.events.is_empty() && self.next_after >= self.last_sequence
    }
}

impl EventService {
    /// Creates a service over its ports. `bodies` writes events in the form that receivers get.
    pub fn new(
        feed: Arc<dyn EventFeed>,
        orders: Arc<dyn OrderRepository>,
        stores: Arc<dyn StoreDirectory>,
        bodies: Arc<dyn EventBodies>,
    ) -> Self {
        Self {
            feed,
            orders,
            stores,
            bodies,
        }
    }

    /// Checks the request `draft`, and looks up the order that it names. Also returns warnings
    /// about the name.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if the request breaks rules; [`OrderError::NotFound`] if `store`
    /// does not have the order; [`OrderError::Repository`] if the lookup fails.
    #[boxed]
    pub async fn check(
        &self,
        store: &Store,
        draft: &FeedDraft,
    ) -> Result<(FeedRequest, Vec<Warning>), OrderError> {
        let (mut request, order_name) = draft.check()?;
        let Some(name) = order_name else {
            return Ok((request, Vec::new()));
        };
        let read_order = OrderScope::from(store).read(&*self.orders, &name).await?;
        request.filter.order = Some(read_order.order.content.id);
        Ok((request, read_order.warnings))
    }

    /// Returns a page of the store's events, without waiting for new events.
    ///
    /// Reads the events in batches, so that only the orders of one batch are in memory. Each batch
    /// shows a single state of the database, and starts where the previous batch ended. Sequences
    /// that were skipped after a restore are passed over, so that a page is not empty because of
    /// them.
    ///
    /// # Errors
    /// [`FeedError::PositionAhead`] if `request` continues after a sequence above the last sequence;
    /// [`RepositoryError::Refused`] if an order cannot be restored as it was at an event.
    #[boxed]
    pub async fn read(&self, store: StoreId, request: &FeedRequest) -> Result<FeedPage, FeedError> {
        let page = self.read_from(store, request, request.after).await?;
        if request.after > page.last_sequence {
            return Err(FeedError::PositionAhead {
                after: request.after,
                last_sequence: page.last_sequence,
            });
        }
        if !page.events.is_empty() || page.next_after >= page.last_sequence {
            return Ok(page);
        }
        // Nothing matched, or the examined sequences were skipped after a restore.
        match self.feed.first_after(store, page.next_after).await? {
            None => Ok(FeedPage {
                next_after: page.last_sequence,
                ..page
            }),
            Some(first) if first == page.next_after.saturating_add(1) => Ok(page),
            Some(first) => {
                let before = first.saturating_sub(1);
                Ok(self.read_from(store, request, before).await?)
            }
        }
    }

    /// Returns the matching events after the sequence `after`.
    async fn read_from(
        &self,
        store: StoreId,
        request: &FeedRequest,
        after: u64,
    ) -> Result<FeedPage, RepositoryError> {
        let mut page = FeedPage {
            next_after: after,
            ..FeedPage::default()
        };
        // A filter can skip any number of events, so the examined events of a page are limited.
        let examined = u64::from(limits::EXAMINED_EVENTS);
        let end = after.saturating_add(examined);
        let mut left = request.limit;
        while left > 0 {
            let examined = end.saturating_sub(page.next_after);
            let query = FeedQuery {
                after: page.next_after,
                filter: request.filter.clone(),
                examined: u32::try_from(examined).unwrap_or(limits::EXAMINED_EVENTS),
                limit: left,
                bytes: BATCH_BYTES,
                whole_orders: request.payload.needs_orders(),
            };
            let batch = self.feed.read(store, &query).await?;
            page.next_after = batch.examined(&query);
            page.last_sequence = batch.last_sequence;
            let count = u32::try_from(batch.events.len()).unwrap_or(u32::MAX);
            left = left.saturating_sub(count);
            let bodies = self.bodies(store, &batch, request.payload).await?;
            page.events.extend(bodies);
            // Everything up to the limit of examined events was read.
            if !batch.is_full {
                break;
            }
        }
        Ok(page)
    }

    /// Returns an event of `store` with the content `payload`; `None` if it does not exist yet.
    #[boxed]
    pub async fn find(
        &self,
        store: StoreId,
        sequence: u64,
        payload: Payload,
    ) -> Result<Option<EventBody>, RepositoryError> {
        let query = FeedQuery {
            after: sequence.saturating_sub(1),
            filter: FeedFilter::default(),
            examined: 1,
            limit: 1,
            bytes: BATCH_BYTES,
            whole_orders: payload.needs_orders(),
        };
        let batch = self.feed.read(store, &query).await?;
        let bodies = self.bodies(store, &batch, payload).await?;
        // Sequence 0 would read the first event, which has the sequence 1.
        Ok(bodies.into_iter().find(|body| body.sequence == sequence))
    }

    async fn bodies(
        &self,
        store: StoreId,
        batch: &FeedBatch,
        payload: Payload,
    ) -> Result<Vec<EventBody>, RepositoryError> {
        let is_test = self.is_test(store, batch).await?;
        // Orders are undone one after the other, so the map sorts the events by sequence again.
        let mut bodies = BTreeMap::new();
        let mut write = |content: EventContent<'_>| -> Result<(), Source> {
            let event = EventToWrite {
                store,
                test: content.identity().map_or(is_test, |order| order.test),
                content,
                payload,
                omitted: &[],
            };
            let body = write_bounded(&*self.bodies, event)?;
            bodies.insert(body.sequence, body);
            Ok(())
        };
        write_without_orders(batch, &mut write).map_err(RepositoryError::Refused)?;
        if payload.needs_orders() {
            let mut visit = |event: &Event, order: &Order, before: Option<&Order>| {
                write(EventContent::Order {
                    event,
                    identity: &OrderIdentity::new(order),
                    order: Some(order),
                    before,
                })
            };
            let source = (&*self.feed, store, BATCH_BYTES);
            Unwinding::new(batch).visit(source, &mut visit).await?;
        }
        // Events without their order in the batch were not written.
        if bodies.len() < batch.events.len() {
            let missing = "the order of an event is missing";
            return Err(RepositoryError::Refused(missing.into()));
        }
        Ok(bodies.into_values().collect())
    }

    /// Reads nothing if all events concern orders: each order tells whether it is a test order.
    async fn is_test(&self, store: StoreId, batch: &FeedBatch) -> Result<bool, RepositoryError> {
        if batch.events.iter().all(|event| event.order().is_some()) {
            return Ok(false);
        }
        let record = self.stores.find(store).await?;
        Ok(record.is_some_and(|record| record.store.test))
    }
}

/// Takes the identities from [`FeedBatch::identities`]. Skips an event without an identity.
fn write_without_orders(
    batch: &FeedBatch,
    write: &mut impl FnMut(EventContent<'_>) -> Result<(), Source>,
) -> Result<(), Source> {
    let identities: BTreeMap<OrderId, &OrderIdentity> = batch
        .identities
        .iter()
        .map(|identity| (identity.id, identity))
        .collect();
    for event in &batch.events {
        match event {
            FeedEvent::EndpointDisabled { sequence, event } => {
                let sequence = *sequence;
                write(EventContent::EndpointDisabled { sequence, event })?;
            }
            FeedEvent::Order(event) => {
                if let Some(identity) = identities.get(&event.event.order) {
                    write(EventContent::Order {
                        event,
                        identity,
                        order: None,
                        before: None,
                    })?;
                }
            }
        }
    }
    Ok(())
}
