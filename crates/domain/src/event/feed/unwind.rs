//! Restores orders as they were right after each of their events in a batch.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::error::{RepositoryError, Source};
use crate::event::port::{EventChain, EventFeed, FeedBatch};
use crate::event::{Event, FeedEvent, right_after, undo};
use crate::order::Order;
use crate::value::{OrderId, StoreId};

/// Maximum number per order in a call of [`EventFeed::chains`].
const CHAIN_EVENTS: u32 = 100;

/// Undoes the events of each order, from its current version back to its first event in the batch.
pub(super) struct Unwinding<'a> {
    events: BTreeMap<u64, &'a Event>,
    orders: BTreeMap<OrderId, Rewound<'a>>,
}

struct Rewound<'a> {
    order: Order,
    /// Events of `order` in the batch that [`Visit`] must still get, ascending by sequence.
    wanted: Vec<&'a Event>,
}

/// Gets an event, its order right after it, and right before it (`None` for the first event).
pub(super) type Visit<'v> =
    dyn FnMut(&Event, &Order, Option<&Order>) -> Result<(), Source> + Send + 'v;

impl<'a> Unwinding<'a> {
    pub(super) fn new(batch: &'a FeedBatch) -> Self {
        // Fast-forwarding a test store's clock is not an event, so it is undone first.
        let mut orders: BTreeMap<_, _> = batch
            .orders
            .iter()
            .map(|order| {
                let rewound = Rewound {
                    order: order.after_latest_event().into_owned(),
                    wanted: Vec::new(),
                };
                (order.content.id, rewound)
            })
            .collect();
        let mut events = BTreeMap::new();
        for event in batch.events.iter().filter_map(FeedEvent::of_order) {
            // An event without its order is never visited; the caller reports it as missing.
            if let Some(rewound) = orders.get_mut(&event.event.order) {
                rewound.wanted.push(event);
            }
            events.insert(event.sequence, event);
        }
        Self { events, orders }
    }

    /// Calls `visit` for the order events of the batch, newest first for each order. Later events
    /// are read from `feed`, up to `bytes` bytes per call of [`EventFeed::chains`], and undone.
    pub(super) async fn visit(
        mut self,
        (feed, store, bytes): (&dyn EventFeed, StoreId, u64),
        visit: &mut Visit<'_>,
    ) -> Result<(), RepositoryError> {
        loop {
            for rewound in self.orders.values_mut() {
                let advanced = rewound.advance(&self.events, visit);
                advanced.map_err(RepositoryError::Refused)?;
            }
            // A single call reads the missing events of all orders.
            let chains: Vec<EventChain> =
                self.orders.values().filter_map(Rewound::missing).collect();
            if chains.is_empty() {
                return Ok(());
            }
            let later = feed.chains(store, &chains, CHAIN_EVENTS, bytes).await?;
            // Without progress, the loop would never end.
            if later.is_empty() {
                let missing = "an event of an order is missing";
                return Err(RepositoryError::Refused(missing.into()));
            }
            for event in &later {
                if let Some(rewound) = self.orders.get_mut(&event.event.order) {
                    rewound.undo(event).map_err(RepositoryError::Refused)?;
                }
            }
        }
    }
}

impl Rewound<'_> {
    /// Stops if `wanted` is empty, or if `batch` does not contain the next event to undo.
    fn advance(
        &mut self,
        batch: &BTreeMap<u64, &Event>,
        visit: &mut Visit<'_>,
    ) -> Result<(), Source> {
        while let Some(wanted) = self.wanted.last() {
            let latest = self.order.state.last_sequence;
            if wanted.sequence == latest {
                if let Cow::Owned(order) = right_after(&self.order, &wanted.event)? {
                    self.order = order;
                }
                // The first event of an order has no version before it.
                let before = match wanted.event.previous {
                    Some(_) => Some(undo(&self.order, &wanted.event)?),
                    None => None,
                };
                visit(wanted, &self.order, before.as_ref())?;
                self.wanted.pop();
                if let Some(before) = before {
                    self.order = before;
                }
            } else if let Some(event) = batch.get(&latest) {
                self.undo(event)?;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Returns the events to undo before the next event in `wanted`; `None` if it is empty.
    fn missing(&self) -> Option<EventChain> {
        let wanted = self.wanted.last()?;
        Some(EventChain {
            order: self.order.content.id,
            latest: self.order.state.last_sequence,
            until: wanted.sequence,
        })
    }

    fn undo(&mut self, event: &Event) -> Result<(), Source> {
        self.order = undo(&self.order, &event.event)?;
        Ok(())
    }
}
