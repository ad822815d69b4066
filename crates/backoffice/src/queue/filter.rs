//! Which items of an order a queue shows.

use std::collections::BTreeSet;

use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::OrderKind;

/// Which items of an order are found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueFilter {
    /// In one of these statuses.
    pub statuses: BTreeSet<ItemStatus>,
    /// Of an order of one of these types; empty for any.
    pub kinds: BTreeSet<OrderKind>,
    /// With this SKU.
    pub sku: Option<String>,
    /// With a file for a print area of this name.
    pub area: Option<String>,
    /// In this ship class, whatever the case of its letters.
    pub ship_class: Option<String>,
    /// Sent to one of these countries, by their codes; empty for any.
    pub countries: BTreeSet<String>,
}
