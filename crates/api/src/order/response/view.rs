//! The kinds of responses that show an order.

use pressline_domain::event::Role;
use pressline_domain::fulfilment::SnapshotParts;
use pressline_domain::value::ItemId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// Response to a create call: no thumbnails; a label order's address has the keys of requests.
    Created,
    /// Response to an estimate: no thumbnails; all addresses have the keys of responses.
    Estimated,
    /// Response to a change: without thumbnails.
    Updated,
    /// Response to a query: the original images serve as thumbnails.
    Found,
}

#[derive(Clone, Copy)]
pub(super) struct OrderView<'a> {
    pub(super) order: &'a SnapshotParts,
    /// Only a stored order has an id and an order number.
    pub(super) is_stored: bool,
    /// Ids of the items that are not stored. Responses leave them out.
    pub(super) unstored: &'a [ItemId],
    pub(super) view: View,
    pub(super) reader: Role,
}

impl OrderView<'_> {
    pub(super) fn shows_statuses(&self) -> bool {
        // A repeated create call shows statuses as soon as the order has changed.
        !matches!(self.view, View::Created | View::Estimated) || self.order.state.version > 1
    }
}
