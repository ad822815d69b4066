//! Orders before and after they are stored.

use std::sync::Arc;

use super::parts::{InvalidOrder, OrderParts, check};
use crate::error::{RepositoryError, Result};
use crate::fulfilment::{Placement, Snapshot};
use crate::value::ServiceOrderId;

/// A stored order: its number, content, state, shipments and operators' fee lines.
pub type Order = Snapshot;

/// A valid order that is not stored yet: it has no number, and its first event has no sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct NewOrder {
    content: Arc<OrderParts>,
    placement: Placement,
}

impl NewOrder {
    /// Creates a new order from `content` and its [`placement`](crate::fulfilment::place).
    pub fn new(content: OrderParts, placement: Placement) -> Result<Self, InvalidOrder> {
        check(&content)?;
        Ok(Self {
            content: Arc::new(content),
            placement,
        })
    }

    /// Returns the checked content.
    pub fn parts(&self) -> &OrderParts {
        &self.content
    }

    /// Returns the first state and event of the order.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Returns the stored order. `number` and `sequence` come from counters of the store.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] if content and placement have different items, or if `number`
    /// is not positive.
    pub fn stored(self, number: ServiceOrderId, sequence: u64) -> Result<Order> {
        let Self { content, placement } = self;
        let placed = placement.placed(content, number, sequence);
        placed.map_err(|refusal| RepositoryError::Refused(refusal.into()))
    }
}
