//! Random numbers that depend on a seed alone, and random values made of them.

use super::super::fixture::*;
use pressline_domain::fulfilment::Snapshot;
use pressline_domain::id::ItemId;
use pressline_domain::order::LineItem;

/// SplitMix64, which needs no more state than a number.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn index(&mut self, end: usize) -> usize {
        usize::try_from(self.below(end as u64)).unwrap()
    }

    /// True once in so many times.
    pub(crate) fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn quantity(&mut self) -> u32 {
        u32::try_from(1 + self.below(3)).unwrap()
    }

    pub(crate) fn line(&mut self) -> LineItem {
        let quantity = self.quantity();
        if self.once_in(5) {
            incomplete(quantity)
        } else {
            line(quantity)
        }
    }

    /// Some of the order's items, or no choice.
    pub(crate) fn items(&mut self, order: &Snapshot) -> Option<Vec<ItemId>> {
        if self.once_in(2) {
            return None;
        }
        let items = order.state.items.iter().map(|item| item.id);
        let some: Vec<ItemId> = items.filter(|_| self.once_in(2)).collect();
        Some(some).filter(|some| !some.is_empty())
    }
}
