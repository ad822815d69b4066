//! What the overview counts: pure functions.

use std::collections::{BTreeMap, HashMap};

use super::open::{OpenItem, OpenOrder};
use super::port::HourCounts;
use super::problem::{FoundProblems, ProblemKind};
use crate::fulfilment::ItemStatus;
use crate::id::StoreId;
use crate::production::{ItemUnits, StepName, Steps, due_at, is_late};
use crate::store::StoreSettings;
use crate::time::Timestamp;

/// The overview of the shop's day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Today {
    /// The moment that it is of.
    pub at: Timestamp,
    /// Orders that were counted.
    pub orders: u64,
    /// What is ready, by SKU: first what has waited longest.
    pub products: Vec<ReadyProduct>,
    /// Units that wait at each step, of items that are ready or in production.
    pub steps: Vec<StepUnits>,
    /// Units that are ready or in production and due before the day ends, without the late ones.
    pub due_units: u64,
    /// Units of late items.
    pub late_units: u64,
    /// What needs a decision.
    pub problems: Problems,
    /// What happened in each of the last hours, the earliest first.
    pub hours: Vec<HourCounts>,
    /// Whether all orders that the shop works on were counted. If not, only the oldest were.
    pub is_complete: bool,
}

/// The ready items of a SKU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyProduct {
    /// The SKU.
    pub sku: String,
    /// The name that the newest of the items has.
    pub name: Option<String>,
    /// Units that are not shipped.
    pub units: u64,
    /// Items.
    pub items: u64,
    /// Items that are in no open batch.
    pub unbatched_items: u64,
    /// Late items.
    pub late_items: u64,
    /// When the first of them was ready.
    pub oldest: Timestamp,
}

/// The units that wait at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepUnits {
    /// The step.
    pub step: StepName,
    /// Units that the step before has done, and this one not.
    pub units: u64,
}

/// How many orders and items need a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Problems {
    /// Orders for which the store has asked for a change.
    pub changes: u64,
    /// Orders with a question that the store has not answered.
    pub unanswered: u64,
    /// Orders with a question that the store has answered.
    pub answered: u64,
    /// Orders with a cost that is not known.
    pub unpriced: u64,
    /// Late items.
    pub late: u64,
    /// Orders that need a decision of the shop: all but those of which only an answer is awaited.
    pub orders: u64,
}

/// What the counts depend on besides the orders.
pub(super) struct Terms<'a> {
    pub(super) steps: &'a Steps,
    pub(super) settings: &'a HashMap<StoreId, StoreSettings>,
    pub(super) now: Timestamp,
    pub(super) day_ends: Timestamp,
}

impl Terms<'_> {
    /// Counts orders, in ascending order of their ids.
    pub(super) fn count(&self, orders: &[OpenOrder]) -> Today {
        let mut today = self.nothing();
        today.orders = orders.len() as u64;
        let mut products: BTreeMap<&str, ReadyProduct> = BTreeMap::new();
        let usual = StoreSettings::default();
        for order in orders {
            let settings = self.settings.get(&order.store).unwrap_or(&usual);
            let problems = FoundProblems::of(order, settings, self.now);
            today.problems.add(order, &problems);
            for item in &order.items {
                let counted = self.counted(item, settings);
                today.add(&counted);
                if item.state.status == ItemStatus::Ready {
                    let product = products.entry(&item.sku);
                    let ready_at = item.state.ready_at.unwrap_or_else(|| order.id.created_at());
                    product
                        .or_insert_with(|| ReadyProduct::empty(&item.sku, ready_at))
                        .add(item, &counted, ready_at);
                }
            }
        }
        today.products = products.into_values().collect();
        today.products.sort_by_key(|product| product.oldest);
        today
    }

    fn nothing(&self) -> Today {
        let steps = self.steps.names().iter().cloned();
        Today {
            at: self.now,
            orders: 0,
            products: Vec::new(),
            steps: steps.map(|step| StepUnits { step, units: 0 }).collect(),
            due_units: 0,
            late_units: 0,
            problems: Problems::default(),
            hours: Vec::new(),
            is_complete: true,
        }
    }

    fn counted(&self, item: &OpenItem, settings: &StoreSettings) -> Counted {
        let state = &item.state;
        let is_at_work = matches!(state.status, ItemStatus::Ready | ItemStatus::InProduction);
        if !is_at_work {
            return Counted::default();
        }
        let units = ItemUnits::counted(&item.done, self.steps, item.quantity, state);
        let steps = 0..self.steps.names().len();
        let is_due = due_at(state, settings).is_some_and(|due| due < self.day_ends);
        Counted {
            open: u64::from(item.quantity.saturating_sub(state.shipped_quantity)),
            waiting: steps
                .map(|step| u64::from(units.waiting_at(step)))
                .collect(),
            is_due,
            is_late: is_late(state, settings, self.now),
        }
    }
}

/// What is counted of an item.
#[derive(Default)]
struct Counted {
    /// Units that are not shipped.
    open: u64,
    /// Units that wait at each step.
    waiting: Vec<u64>,
    is_due: bool,
    is_late: bool,
}

impl Today {
    fn add(&mut self, counted: &Counted) {
        for (step, waiting) in self.steps.iter_mut().zip(&counted.waiting) {
            step.units += waiting;
        }
        if counted.is_late {
            self.late_units += counted.open;
        } else if counted.is_due {
            self.due_units += counted.open;
        }
    }
}

impl ReadyProduct {
    fn empty(sku: &str, oldest: Timestamp) -> Self {
        Self {
            sku: sku.to_owned(),
            name: None,
            units: 0,
            items: 0,
            unbatched_items: 0,
            late_items: 0,
            oldest,
        }
    }

    fn add(&mut self, item: &OpenItem, counted: &Counted, ready_at: Timestamp) {
        if item.name.is_some() {
            self.name.clone_from(&item.name);
        }
        self.units += counted.open;
        self.items += 1;
        self.unbatched_items += u64::from(item.batch.is_none());
        self.late_items += u64::from(counted.is_late);
        self.oldest = self.oldest.min(ready_at);
    }
}

impl Problems {
    fn add(&mut self, order: &OpenOrder, problems: &FoundProblems) {
        let unanswered = order.needs.iter().any(|need| need.answer.is_none());
        let has = |kind| u64::from(problems.kinds.contains(&kind));
        self.changes += has(ProblemKind::Change);
        self.answered += has(ProblemKind::Answer);
        self.unanswered += u64::from(unanswered);
        self.unpriced += has(ProblemKind::Unpriced);
        self.late += problems.late.len() as u64;
        self.orders += u64::from(!problems.kinds.is_empty());
    }
}
