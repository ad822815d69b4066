//! Results of requests that write an order, and of their dry runs.

use super::price::ShippingOption;
use super::{Order, OrderParts};
use crate::check::Warning;
use crate::fulfilment::SnapshotParts;
use crate::value::ItemId;

/// Result of a request that writes an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The order as it is now.
    pub order: Order,
    /// Problems of the request that did not prevent the result.
    pub warnings: Vec<Warning>,
    /// `true` if the request had been carried out before; always `false` for an update.
    pub replayed: bool,
}

/// Result of a dry run or an estimate: the result that the request would have now.
#[derive(Debug, Clone, PartialEq)]
pub struct DryRun {
    /// Order that the request would return.
    pub order: DryRunOrder,
    /// Ids of the unstored items in `order`. The ids are valid in this result only.
    pub unstored: Vec<ItemId>,
    /// Ship classes to choose from, only for an estimate of a manual order without ship classes.
    pub shipping_options: Option<Vec<ShippingOption>>,
    /// Problems of the request that did not prevent the result.
    pub warnings: Vec<Warning>,
}

/// Order in the result of a dry run or an estimate.
#[derive(Debug, Clone, PartialEq)]
pub enum DryRunOrder {
    /// An order that would be created, with the number 0. In an estimate it can be incomplete: an
    /// empty order id, a customer without a name, an address with only a country.
    New(Box<SnapshotParts>),
    /// A stored order: as an update or decision would leave it, or already created by the request.
    Existing(Box<Order>),
}

impl Placed {
    /// Puts the `warnings` of the request before the warnings of the command.
    pub(super) fn with_warnings(mut self, warnings: &[Warning]) -> Self {
        self.warnings.splice(0..0, warnings.iter().cloned());
        self
    }
}

impl DryRun {
    pub(super) fn of_stored(stored: &Order, after: Order, warnings: Vec<Warning>) -> Self {
        let items = after.content.items.iter().map(|item| item.id);
        let unstored = items.filter(|id| stored.line(*id).is_none()).collect();
        Self {
            order: DryRunOrder::Existing(Box::new(after)),
            unstored,
            shipping_options: None,
            warnings,
        }
    }
}

impl DryRunOrder {
    /// Returns the order, whether new or stored.
    pub fn snapshot(&self) -> &SnapshotParts {
        match self {
            Self::New(order) => order,
            Self::Existing(order) => order,
        }
    }

    /// Returns the content of the order.
    pub fn parts(&self) -> &OrderParts {
        &self.snapshot().content
    }
}
