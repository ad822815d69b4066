//! The queue of a write shard.

use pressline_kit::lock;

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::background::Share;
use super::job::{Entry, GroupConfig, GroupJob as _, GroupWriter, StoreOf, Waiting, Weight};
use crate::fair_queue::FairQueue;

/// Number of line items that end a store's slot, that is, its turn. A slot has room for one of the
/// largest orders or many small orders, and thus takes about the same time for every store.
const SLOT_ITEMS: usize = 100;

/// Maximum number of waiting entries in an overloaded shard, as a number of full groups. The first
/// group keeps the writer busy; the second group is ready while stores wait for their slots.
const BACKLOG_GROUPS: usize = 2;

pub(super) type Refusal = &'static str;

pub(super) const CLOSED: Refusal = "no thread writes any more";

/// Jobs and functions that wait for a write shard's thread. Only this thread takes entries.
pub(super) struct Queue<W: GroupWriter> {
    state: Mutex<State<W>>,
    /// Notified after a push, and after the queue was closed.
    changed: Condvar,
    config: GroupConfig,
}

/// Store of a job. `None` stands for all functions, which share the turns of one more store.
type Owner<W> = Option<StoreOf<W>>;

struct State<W: GroupWriter> {
    waiting: FairQueue<Owner<W>, QueuedEntry<W>>,
    background: FairQueue<Owner<W>, QueuedEntry<W>>,
    share: Share,
    /// Number that the next entry gets; entries are numbered in order of arrival.
    number: u64,
    taken: usize,
    taken_is_large: bool,
    // The last time at which no request's write waited.
    empty: Instant,
    closed: bool,
}

impl<W: GroupWriter> State<W> {
    fn check_open(&self) -> Result<(), Refusal> {
        if self.closed {
            return Err(CLOSED);
        }
        Ok(())
    }

    fn numbered(&mut self, entry: Entry<W>) -> QueuedEntry<W> {
        let number = self.number;
        self.number += 1;
        QueuedEntry { number, entry }
    }

    fn check_room(&self, store: &Owner<W>, config: &GroupConfig) -> Result<(), Refusal> {
        self.check_open()?;
        // A limit of 0 would refuse every write.
        if self.waiting.len() >= config.limits.queue.max(1) {
            return Err("too many writes are waiting");
        }
        if self.waiting.len() >= BACKLOG_GROUPS * config.limits.group && self.is_overloaded(config)
        {
            return Err("writes arrive faster than they are written");
        }
        if self.waiting.len_of(store) >= config.limits.queue_of_store.max(1) {
            return Err("too many writes of this store are waiting");
        }
        Ok(())
    }

    /// A long queue alone is not a sign of overload: it also grows while the disk stalls for a moment.
    fn is_overloaded(&self, config: &GroupConfig) -> bool {
        self.empty.elapsed() > config.limits.backlog
    }
}

struct QueuedEntry<W: GroupWriter> {
    number: u64,
    entry: Entry<W>,
}

impl<W: GroupWriter> Queue<W> {
    pub(super) fn new(config: GroupConfig) -> Self {
        let state = State {
            waiting: FairQueue::new(),
            background: FairQueue::new(),
            share: Share::new(config.limits.group),
            number: 0,
            taken: 0,
            taken_is_large: false,
            empty: Instant::now(),
            closed: false,
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            config,
        }
    }

    pub(super) fn len(&self) -> usize {
        let state = lock(&self.state);
        state.waiting.len() + state.background.len()
    }

    /// Does not count waiting background entries.
    pub(super) fn load(&self) -> usize {
        let state = lock(&self.state);
        state.waiting.len() + state.taken
    }

    pub(super) fn check_room(&self, store: &Owner<W>) -> Result<(), Refusal> {
        lock(&self.state).check_room(store, &self.config)
    }

    pub(super) fn push(&self, store: Owner<W>, entry: Entry<W>) -> Result<(), Refusal> {
        let mut state = lock(&self.state);
        if entry.is_background() {
            // No limit here: the background task limits how many entries it pushes.
            state.check_open()?;
            let entry = state.numbered(entry);
            state.background.push(store, entry);
        } else {
            state.check_room(&store, &self.config)?;
            if matches!(entry, Entry::Job(_)) {
                state.share.arrived();
            }
            if state.waiting.len() == 0 && state.taken == 0 {
                state.empty = Instant::now();
            }
            let entry = state.numbered(entry);
            state.waiting.push(store, entry);
        }
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// New entries are then refused, but waiting entries can still be taken.
    pub(super) fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }

    /// Waits for entries and takes the next group, in order of arrival. Empty if the queue is
    /// closed and empty. The previous group must have been written.
    pub(super) fn take(&self) -> Vec<Entry<W>> {
        let mut state = lock(&self.state);
        state.taken = 0;
        state.share.written();
        // Background entries alone start a group only after their pause.
        while state.waiting.len() == 0 {
            let pause = state.share.pause();
            let has_background = state.background.len() > 0;
            if has_background && (state.closed || pause.is_zero()) {
                break;
            }
            if state.closed {
                return Vec::new();
            }
            let limit = if has_background { pause } else { Duration::MAX };
            let woken = self.changed.wait_timeout(state, limit);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        let after_large = state.taken_is_large;
        let has_background = state.background.len() > 0;
        let group = if has_background && (state.waiting.len() == 0 || state.share.has_slot()) {
            let most = state.share.most();
            background_group(&mut state.background, &self.config, most)
        } else {
            next_group(&mut state.waiting, &self.config, after_large)
        };
        state.share.took(group.entries.len(), group.is_background());
        state.taken = group.entries.len();
        if state.waiting.len() == 0 {
            state.empty = Instant::now();
        }
        state.taken_is_large = state.taken == 1 && group.is_large(group.weight);
        drop(state);
        // Slots mix the stores; sorting restores the order of arrival.
        let mut entries = group.entries;
        entries.sort_unstable_by_key(|numbered| numbered.number);
        entries.into_iter().map(|numbered| numbered.entry).collect()
    }
}

/// Gives slots to stores until the group is full or no entries wait. A large entry, heavier than
/// `config.shared_weight`, forms a group alone. Large entries alternate with groups of small
/// entries, so that a small entry waits for one large entry at most; `after_large` says that the
/// previous group was a large entry.
fn next_group<W: GroupWriter>(
    waiting: &mut FairQueue<Owner<W>, QueuedEntry<W>>,
    config: &GroupConfig,
    after_large: bool,
) -> Group<W> {
    let mut group = Group::new(*config, config.limits.group.min(waiting.len()));
    let mut put_off = Vec::new();
    while !group.is_full
        && let Some(mut slot) = waiting.next_slot()
    {
        if (after_large || !group.entries.is_empty()) && group.is_next_large(&slot.waiting) {
            put_off.push(slot);
            continue;
        }
        group.take_slot(&mut slot.waiting);
        waiting.end_slot(slot);
    }
    // Only large entries wait: take one in spite of `after_large`.
    if group.entries.is_empty()
        && let Some(slot) = put_off.first_mut()
    {
        group.take_slot(&mut slot.waiting);
    }
    // A slot in which nothing was taken returns to the front. Ending the last slot first keeps the
    // order.
    for slot in put_off.into_iter().rev() {
        waiting.end_slot(slot);
    }
    group
}

/// Takes a group of up to `most` entries from `background`, round-robin by store. Entries of
/// requests never join the group: they run another statement, and each statement has a fixed cost.
fn background_group<W: GroupWriter>(
    background: &mut FairQueue<Owner<W>, QueuedEntry<W>>,
    config: &GroupConfig,
    most: usize,
) -> Group<W> {
    let mut group = Group::new(*config, most);
    while group.entries.len() < most
        // Checks the weight so far: the last entry may exceed the limit.
        && group.has_room_for(Weight::default())
        && let Some(next) = background.pop()
    {
        group.weight = group.weight.plus(next.entry.weight());
        group.entries.push(next);
    }
    group
}

struct Group<W: GroupWriter> {
    entries: Vec<QueuedEntry<W>>,
    weight: Weight,
    is_full: bool,
    config: GroupConfig,
}

impl<W: GroupWriter> Group<W> {
    fn new(config: GroupConfig, room: usize) -> Self {
        Self {
            entries: Vec::with_capacity(room),
            weight: Weight::default(),
            is_full: false,
            config,
        }
    }

    /// Takes entries of one store until the store's slot ends or the group is full.
    fn take_slot(&mut self, waiting: &mut VecDeque<QueuedEntry<W>>) {
        let mut slot_items = 0;
        while !self.is_full
            && slot_items < SLOT_ITEMS
            && let Some(next) = waiting.front()
        {
            let weight = next.entry.weight();
            let is_large = self.is_large(weight);
            // The first entry is always taken; otherwise an entry above the group's limit would
            // wait forever.
            let is_first = self.entries.is_empty();
            if is_large && !is_first {
                return;
            }
            if !is_first && !self.has_room_for(weight) {
                self.is_full = true;
                return;
            }
            slot_items += weight.items.max(1);
            self.weight = self.weight.plus(weight);
            self.entries.extend(waiting.pop_front());
            self.is_full = is_large;
        }
    }

    fn is_background(&self) -> bool {
        let mut entries = self.entries.iter();
        entries.any(|numbered| numbered.entry.is_background())
    }

    fn has_room_for(&self, weight: Weight) -> bool {
        self.entries.len() < self.config.limits.group
            && self
                .weight
                .plus(weight)
                .is_within(self.config.limits.group_weight)
    }

    fn is_large(&self, weight: Weight) -> bool {
        !weight.is_within(self.config.shared_weight)
    }

    fn is_next_large(&self, waiting: &VecDeque<QueuedEntry<W>>) -> bool {
        let next = waiting.front();
        next.is_some_and(|next| self.is_large(next.entry.weight()))
    }
}

impl<W: GroupWriter> Entry<W> {
    fn is_background(&self) -> bool {
        match self {
            Self::Job(Waiting { job, .. }) => job.is_background(),
            Self::Alone(_) => false,
        }
    }

    fn weight(&self) -> Weight {
        match self {
            Self::Job(Waiting { weight, .. }) => *weight,
            Self::Alone(_) => Weight::default(),
        }
    }
}
