//! Input of pricing: an order and the offers for its items.

use crate::catalog::Offered;
use crate::order::{LineItem, OrderKind};
use crate::pricing::tariff::Destination;
use crate::value::{Currency, Timestamp};

/// An order to price, with the offers for its items.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Whether the print shop ships the order (`Manual`) or the store prepared a label (`Label`).
    pub kind: OrderKind,
    /// Currency of the order, in which all amounts are computed.
    pub currency: Currency,
    /// Destination of the order; `None` if it is unknown.
    pub destination: Option<&'a Destination>,
    /// Time at which the prices must be valid.
    pub at: Timestamp,
    /// Items of the order, after [`apply_offer`](super::apply_offer).
    pub items: &'a [LineItem],
    /// Offer for each of `items`; `None` for an SKU that the catalog does not contain.
    pub offers: &'a [Option<&'a Offered>],
}

impl<'a> Input<'a> {
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &'a LineItem, Option<&'a Offered>)> {
        let pairs = self.items.iter().zip(self.offers).enumerate();
        pairs.map(|(place, (item, offered))| (place, item, *offered))
    }
}
