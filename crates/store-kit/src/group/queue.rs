//! The queue between callers and writers.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{Entry, GroupConfig, GroupWriter, Waiting, Weight};
use crate::fair_queue::FairQueue;

/// Line items after which a store's turn ends. The largest order has as many, so that a turn is one
/// such order or many small ones, and takes about the same time for every store.
const TURN_ITEMS: usize = 100;

/// Why the queue takes nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    /// As much waits as may.
    Queue,
    /// As much of this store waits as may.
    Store,
    /// No writer takes from it any more.
    Closed,
}

/// What waits to be written, by store.
pub(super) struct Queue<W: GroupWriter> {
    state: Mutex<State<W>>,
    /// Notified when something was pushed, and when the queue was closed.
    changed: Condvar,
    config: GroupConfig,
}

struct State<W: GroupWriter> {
    waiting: FairQueue<Numbered<W>>,
    /// Of the next entry.
    number: u64,
    closed: bool,
}

/// An entry with its place in the order of arrival.
struct Numbered<W: GroupWriter> {
    number: u64,
    entry: Entry<W>,
}

impl<W: GroupWriter> Queue<W> {
    pub(super) fn new(config: GroupConfig) -> Self {
        let state = State {
            waiting: FairQueue::new(),
            number: 0,
            closed: false,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            config,
        }
    }

    /// Entries that wait.
    pub(super) fn len(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Puts an entry behind those of its store.
    pub(super) fn push(&self, store: &str, entry: Entry<W>) -> Result<(), Full> {
        let mut state = self.lock();
        if state.closed {
            return Err(Full::Closed);
        }
        if state.waiting.len() >= self.config.queue.max(1) {
            return Err(Full::Queue);
        }
        if state.waiting.len_of(store) >= self.config.queue_of_store.max(1) {
            return Err(Full::Store);
        }
        let number = state.number;
        state.number += 1;
        state.waiting.push(store, Numbered { number, entry });
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// Refuses what comes from now on. What waits can still be taken.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Takes entries for one group, in the order of their arrival, and waits for the first one.
    /// Nothing where the queue is closed and empty.
    pub(super) fn take(&self) -> Vec<Entry<W>> {
        let mut state = self.lock();
        while state.waiting.len() == 0 {
            if state.closed {
                return Vec::new();
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let mut group = self.group(&mut state.waiting);
        let something_is_left = state.waiting.len() > 0;
        drop(state);
        // Another writer may have been notified of what this one has taken, and not of what it has
        // left.
        if something_is_left {
            self.changed.notify_one();
        }
        group.sort_unstable_by_key(|numbered| numbered.number);
        group.into_iter().map(|numbered| numbered.entry).collect()
    }

    /// Takes turns until the group is full or nothing waits.
    fn group(&self, waiting: &mut FairQueue<Numbered<W>>) -> Vec<Numbered<W>> {
        let limit = self.config.group.max(1);
        let mut group = Vec::with_capacity(limit.min(waiting.len()));
        let mut weight = Weight::default();
        while group.len() < limit
            && let Some(mut turn) = waiting.next_turn()
        {
            let mut turn_items = 0;
            let mut is_full = false;
            while group.len() < limit
                && turn_items < TURN_ITEMS
                && let Some(Numbered { entry, .. }) = turn.waiting.front()
            {
                let own = entry.weight();
                let heavier = weight.plus(own);
                // The first entry is taken whatever it weighs, or it would wait forever.
                is_full = !group.is_empty() && !heavier.is_within(self.config.group_weight);
                if is_full {
                    break;
                }
                turn_items += own.items.max(1);
                weight = heavier;
                group.extend(turn.waiting.pop_front());
            }
            waiting.end_turn(turn);
            if is_full {
                break;
            }
        }
        group
    }

    fn lock(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: GroupWriter> Entry<W> {
    fn weight(&self) -> Weight {
        match self {
            Self::Job(Waiting { weight, .. }) => *weight,
            Self::Alone(_) => Weight::default(),
        }
    }
}

impl Weight {
    fn is_within(self, most: Self) -> bool {
        self.items <= most.items && self.bytes <= most.bytes
    }
}
