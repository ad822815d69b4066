//! Status bitmask of an order: the statuses of its items, its type, and whether items were removed.
//! An index on the bitmask finds orders by status, and counts items of most orders, without reading
//! the orders.

use std::collections::BTreeSet;

use pressline_domain::fulfilment::{ItemStatus, OrderState};
use pressline_domain::order::OrderKind;
use pressline_domain::order::search::SearchFilter;

const STATUSES: usize = ItemStatus::ALL.len();

// The column is a `SMALLINT`; its sign bit is not used.
const _: () = assert!(REMOVED < 15);

/// Number of the bit for orders with removed items: they have fewer items than `item_count`.
const REMOVED: usize = STATUSES + OrderKind::ALL.len();

pub(super) fn status_bitmask(state: &OrderState, kind: OrderKind) -> i16 {
    let statuses = state.items.iter().map(|item| item.status).collect();
    // `item_count` includes removed items.
    let has_all = u32::try_from(state.items.len()).is_ok_and(|items| items == state.item_count);
    status_bits(&statuses) | kind_bits(&BTreeSet::from([kind])) | bits(REMOVED, &[!has_all])
}

/// Returns the status bitmasks of orders without removed items in which all items have the same
/// status. Each bitmask is paired with this status.
pub fn uniform_bitmasks() -> Vec<(i16, ItemStatus)> {
    let of_kind = |kind: OrderKind| {
        let kind = kind_bits(&BTreeSet::from([kind]));
        ItemStatus::ALL.map(|status| (status_bits(&BTreeSet::from([status])) | kind, status))
    };
    OrderKind::ALL.into_iter().flat_map(of_kind).collect()
}

/// Filter for orders with a bit of `statuses` and a bit of `kinds` in their status bitmasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusFilter {
    /// Bits of the item statuses to find; all bits for any status.
    pub statuses: i16,
    /// Bits of the order types to find; all bits for any type.
    pub kinds: i16,
}

impl StatusFilter {
    /// Filter that matches every order, because each order has an item and a type.
    pub const ANY: Self = Self {
        statuses: -1,
        kinds: -1,
    };

    /// Creates the filter for `filter`; `None` if `filter` allows every status and type.
    pub fn new(filter: &SearchFilter) -> Option<Self> {
        let (statuses, kinds) = (&filter.statuses, &filter.kinds);
        if statuses.is_empty() && kinds.is_empty() {
            return None;
        }
        Some(Self::choosing(statuses, kinds))
    }

    /// Creates the filter for `statuses` and `kinds`. An empty set allows all values.
    pub fn choosing(statuses: &BTreeSet<ItemStatus>, kinds: &BTreeSet<OrderKind>) -> Self {
        let or_any = |bits: i16, any: i16| if bits == 0 { any } else { bits };
        Self {
            statuses: or_any(status_bits(statuses), Self::ANY.statuses),
            kinds: or_any(kind_bits(kinds), Self::ANY.kinds),
        }
    }

    /// Returns `true` if an order with the status bitmask `bitmask` matches.
    pub fn finds(&self, bitmask: i16) -> bool {
        bitmask & self.statuses != 0 && bitmask & self.kinds != 0
    }
}

fn status_bits(statuses: &BTreeSet<ItemStatus>) -> i16 {
    bits(0, &ItemStatus::ALL.map(|status| statuses.contains(&status)))
}

fn kind_bits(kinds: &BTreeSet<OrderKind>) -> i16 {
    bits(STATUSES, &OrderKind::ALL.map(|kind| kinds.contains(&kind)))
}

/// Returns the bitmask in which bit number `first + i` is set if `chosen[i]` is `true`.
fn bits(first: usize, chosen: &[bool]) -> i16 {
    let numbered = (first..).zip(chosen).filter(|(_, is_chosen)| **is_chosen);
    numbered.fold(0, |bits, (number, _)| bits | 1 << number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_finds_the_masks_that_have_one_of_its_statuses_and_types() {
        let filter = |statuses: &[ItemStatus], kinds: &[OrderKind]| SearchFilter {
            statuses: statuses.iter().copied().collect(),
            kinds: kinds.iter().copied().collect(),
            ..SearchFilter::default()
        };
        assert_eq!(StatusFilter::new(&filter(&[], &[])), None);
        for status in ItemStatus::ALL {
            for kind in OrderKind::ALL {
                let bitmask = status_bits(&[status].into()) | kind_bits(&[kind].into());
                assert!(StatusFilter::ANY.finds(bitmask));
                for chosen in ItemStatus::ALL {
                    for kinds in [&[][..], &[OrderKind::Manual], &[OrderKind::Label]] {
                        let found = StatusFilter::new(&filter(&[chosen], kinds)).unwrap();
                        let expected =
                            chosen == status && (kinds.is_empty() || kinds.contains(&kind));
                        assert_eq!(found.finds(bitmask), expected);
                    }
                }
                let either = StatusFilter::new(&filter(&[], &[kind])).unwrap();
                assert!(either.finds(bitmask));
            }
        }
    }
}
