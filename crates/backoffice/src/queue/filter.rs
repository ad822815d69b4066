//! Filter for items in the order queue.

use std::collections::BTreeSet;

use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::OrderKind;

/// Filter for items of the queue. An item passes if it and its order meet all conditions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueFilter {
    /// Allowed statuses of the item. Empty allows none.
    pub statuses: BTreeSet<ItemStatus>,
    /// Allowed types of the order; empty allows any.
    pub kinds: BTreeSet<OrderKind>,
    /// SKU of the item; `None` allows any.
    pub sku: Option<String>,
    /// Name of a print area for which the item must have a file; if `None`, the item needs no file.
    pub area: Option<String>,
    /// Ship class of the item, compared without regard to case; `None` allows any.
    pub ship_class: Option<String>,
    /// Allowed country codes of the shipping address; empty allows any.
    pub countries: BTreeSet<String>,
}
