//! A queue that serves stores round-robin: the backlog of one store delays other stores only by
//! that store's slots.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Waiting entries, grouped by store. Only stores with waiting entries take up memory.
#[derive(Debug)]
pub(crate) struct FairQueue<S, T> {
    entries: HashMap<S, VecDeque<T>>,
    /// Stores with waiting entries. The store in front has the next turn.
    slots: VecDeque<S>,
    len: usize,
}

/// Turn of a store. Its entries are in the slot until [`FairQueue::end_slot`] returns the slot.
#[derive(Debug)]
pub(crate) struct Slot<S, T> {
    store: S,
    /// Oldest entry first.
    pub(crate) waiting: VecDeque<T>,
    /// Length of `waiting` when the slot began.
    began_with: usize,
}

impl<S: Clone + Eq + Hash, T> FairQueue<S, T> {
    pub(crate) fn new() -> Self {
        Self {
            entries: HashMap::new(),
            slots: VecDeque::new(),
            len: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn len_of(&self, store: &S) -> usize {
        self.entries.get(store).map_or(0, VecDeque::len)
    }

    /// A store without waiting entries gets a slot after the slots of all other stores.
    pub(crate) fn push(&mut self, store: S, entry: T) {
        self.len += 1;
        if let Some(waiting) = self.entries.get_mut(&store) {
            waiting.push_back(entry);
            return;
        }
        self.slots.push_back(store.clone());
        self.entries.insert(store, VecDeque::from([entry]));
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        let mut slot = self.next_slot()?;
        let entry = slot.waiting.pop_front();
        self.end_slot(slot);
        entry
    }

    pub(crate) fn next_slot(&mut self) -> Option<Slot<S, T>> {
        let store = self.slots.pop_front()?;
        let waiting = self.entries.remove(&store).unwrap_or_default();
        let began_with = waiting.len();
        Some(Slot {
            store,
            waiting,
            began_with,
        })
    }

    /// If nothing was taken, for example because a write group had no room, the store keeps the
    /// next slot. Otherwise, its next slot comes after the slots of all other stores.
    pub(crate) fn end_slot(&mut self, slot: Slot<S, T>) {
        let taken = slot.began_with.saturating_sub(slot.waiting.len());
        self.len = self.len.saturating_sub(taken);
        if slot.waiting.is_empty() {
            return;
        }
        if taken == 0 {
            self.slots.push_front(slot.store.clone());
        } else {
            self.slots.push_back(slot.store.clone());
        }
        self.entries.insert(slot.store, slot.waiting);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(entries: &[(&'static str, u32)]) -> FairQueue<&'static str, u32> {
        let mut queue = FairQueue::new();
        for (store, entry) in entries {
            queue.push(*store, *entry);
        }
        queue
    }

    fn all(mut queue: FairQueue<&'static str, u32>) -> Vec<u32> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn stores_take_slots_and_each_stores_entries_keep_their_order() {
        assert_eq!(
            all(queue(&[("a", 1), ("a", 2), ("a", 3), ("b", 10), ("c", 20)])),
            [1, 10, 20, 2, 3]
        );
    }

    #[test]
    fn a_store_that_comes_back_waits_for_the_others() {
        let mut queue = queue(&[("a", 1), ("b", 10), ("b", 11)]);
        assert_eq!(queue.pop(), Some(1));
        queue.push("a", 2);
        assert_eq!(all(queue), [10, 2, 11]);
    }

    #[test]
    fn a_slot_in_which_nothing_was_taken_is_not_lost() {
        let mut queue = queue(&[("a", 1), ("b", 10)]);
        let slot = queue.next_slot().unwrap();
        queue.end_slot(slot);
        assert_eq!(all(queue), [1, 10]);
    }

    #[test]
    fn what_waits_is_counted_and_stores_without_anything_are_forgotten() {
        let mut queue = queue(&[("a", 1), ("a", 2), ("b", 10)]);
        assert_eq!(
            (queue.len(), queue.len_of(&"a"), queue.len_of(&"c")),
            (3, 2, 0)
        );
        while queue.pop().is_some() {}
        assert_eq!(
            (queue.len(), queue.entries.len(), queue.slots.len()),
            (0, 0, 0)
        );
    }
}
