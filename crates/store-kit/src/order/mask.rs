//! Which statuses the items of an order have, its type, and whether items were removed, as the bits of one
//! number. An index of it finds orders by status, and counts most items, without reading the orders.

use std::collections::BTreeSet;

use pressline_domain::fulfilment::{ItemStatus, OrderState};
use pressline_domain::order::OrderKind;
use pressline_domain::order::search::SearchFilter;

const STATUSES: usize = ItemStatus::ALL.len();

// The column is a `SMALLINT`, whose sign is not used.
const _: () = assert!(REMOVED < 15);

/// The bit of orders from which items were removed: they have fewer items than they ever had.
const REMOVED: usize = STATUSES + OrderKind::ALL.len();

pub(super) fn status_mask(state: &OrderState, kind: OrderKind) -> i16 {
    let statuses = state.items.iter().map(|item| item.status).collect();
    let has_all = u32::try_from(state.items.len()).is_ok_and(|items| items == state.item_count);
    status_bits(&statuses) | kind_bits(&BTreeSet::from([kind])) | bits(REMOVED, &[!has_all])
}

/// Returns the masks of orders whose items all have one status and of which none was removed, each with
/// that status.
pub fn uniform_masks() -> Vec<(i16, ItemStatus)> {
    let of_kind = |kind: OrderKind| {
        let kind = kind_bits(&BTreeSet::from([kind]));
        ItemStatus::ALL.map(|status| (status_bits(&BTreeSet::from([status])) | kind, status))
    };
    OrderKind::ALL.into_iter().flat_map(of_kind).collect()
}

/// Bits of statuses, of which an order that is found has at least one, and bits of types, likewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusFilter {
    /// The statuses; all bits where any will do.
    pub statuses: i16,
    /// The types; likewise.
    pub kinds: i16,
}

impl StatusFilter {
    /// Finds every order: each has at least one item, and a type.
    pub const ANY: Self = Self {
        statuses: -1,
        kinds: -1,
    };

    /// Returns the bits of a search; `None` if it finds orders in any status and of any type.
    pub fn new(filter: &SearchFilter) -> Option<Self> {
        let (statuses, kinds) = (&filter.statuses, &filter.kinds);
        if statuses.is_empty() && kinds.is_empty() {
            return None;
        }
        Some(Self::choosing(statuses, kinds))
    }

    /// Returns the bits of these statuses and types; an empty set is all of them.
    pub fn choosing(statuses: &BTreeSet<ItemStatus>, kinds: &BTreeSet<OrderKind>) -> Self {
        let or_any = |bits: i16, any: i16| if bits == 0 { any } else { bits };
        Self {
            statuses: or_any(status_bits(statuses), Self::ANY.statuses),
            kinds: or_any(kind_bits(kinds), Self::ANY.kinds),
        }
    }

    /// Returns whether the filter finds the orders with this mask.
    pub fn finds(&self, mask: i16) -> bool {
        mask & self.statuses != 0 && mask & self.kinds != 0
    }
}

fn status_bits(statuses: &BTreeSet<ItemStatus>) -> i16 {
    bits(0, &ItemStatus::ALL.map(|status| statuses.contains(&status)))
}

fn kind_bits(kinds: &BTreeSet<OrderKind>) -> i16 {
    bits(STATUSES, &OrderKind::ALL.map(|kind| kinds.contains(&kind)))
}

/// Returns the bits of the values that are chosen, from this bit on.
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
                let mask = status_bits(&[status].into()) | kind_bits(&[kind].into());
                assert!(StatusFilter::ANY.finds(mask));
                for chosen in ItemStatus::ALL {
                    for kinds in [&[][..], &[OrderKind::Manual], &[OrderKind::Label]] {
                        let found = StatusFilter::new(&filter(&[chosen], kinds)).unwrap();
                        let expected =
                            chosen == status && (kinds.is_empty() || kinds.contains(&kind));
                        assert_eq!(found.finds(mask), expected);
                    }
                }
                let either = StatusFilter::new(&filter(&[], &[kind])).unwrap();
                assert!(either.finds(mask));
            }
        }
    }
}
