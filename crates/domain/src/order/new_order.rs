//! Orders before and after they are stored.

use std::sync::Arc;

use super::parts::{InvalidOrder, OrderParts, check};
use crate::error::{RepositoryError, Result};
use crate::fulfilment::{Placement, Snapshot};
use crate::id::ServiceOrderId;

/// A stored order: its number, its content, and what moves of it.
pub type Order = Snapshot;

/// A valid order that is not stored yet, without a number and without the sequence of its first
/// event.
#[derive(Clone, Debug, PartialEq)]
pub struct NewOrder {
    content: Arc<OrderParts>,
    placement: Placement,
}

impl NewOrder {
    /// Checks the content of an order that was [placed](crate::fulfilment::place).
    pub fn new(content: OrderParts, placement: Placement) -> Result<Self, InvalidOrder> {
        check(&content)?;
        Ok(Self {
            content: Arc::new(content),
            placement,
        })
    }

    /// Returns the content.
    pub fn parts(&self) -> &OrderParts {
        &self.content
    }

    /// Returns its first state and event.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Returns the stored order, with the number that its store's counter gave it and the sequence of
    /// its event.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] where the placement is of another order.
    pub fn stored(self, number: ServiceOrderId, sequence: u64) -> Result<Order> {
        let Self { content, placement } = self;
        let placed = placement.placed(content, number, sequence);
        placed.map_err(|refusal| RepositoryError::Refused(refusal.into()))
    }
}
