//! The input of pricing.

use super::tariff::Destination;
use crate::catalog::Offered;
use crate::money::Currency;
use crate::order::{LineItem, OrderKind};
use crate::time::Timestamp;

/// What is priced: an order, and what the catalog offers for its items.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Its kind.
    pub kind: OrderKind,
    /// The currency that it is priced in.
    pub currency: Currency,
    /// Where it goes, where that is known.
    pub destination: Option<&'a Destination>,
    /// The moment whose prices count.
    pub at: Timestamp,
    /// Its items. [`apply_offer`](super::apply_offer) has been called on each.
    pub items: &'a [LineItem],
    /// What the catalog offers for each item, where it knows it.
    pub offers: &'a [Option<&'a Offered>],
}

impl<'a> Input<'a> {
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &'a LineItem, Option<&'a Offered>)> {
        let pairs = self.items.iter().zip(self.offers).enumerate();
        pairs.map(|(place, (item, offered))| (place, item, *offered))
    }
}
