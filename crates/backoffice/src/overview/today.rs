//! Counting for the overview: pure functions.

use std::collections::{BTreeMap, HashMap};

use super::open::{OpenItem, OpenOrder};
use super::port::HourCounts;
use super::problem_kind::{OrderProblems, ProblemKind};
use crate::production::{ItemUnits, StepName, Steps, due_at, is_late};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::store::StoreSettings;
use pressline_domain::value::{StoreId, Timestamp};

/// Overview of the print shop's day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Today {
    /// Time at which the overview was computed.
    pub at: Timestamp,
    /// Number of open orders that the overview counts: all if `is_complete`, else the oldest.
    pub orders: u64,
    /// Products with ready items, one per SKU; the product that has waited longest comes first.
    pub products: Vec<ReadyProduct>,
    /// Number of units that wait at each step, of items that are ready or in production.
    pub steps: Vec<StepUnits>,
    /// Number of unshipped units of items that are ready or in production and due before
    /// [`TodayDraft::day_ends`](super::TodayDraft::day_ends). Overdue items are excluded.
    pub due_units: u64,
    /// Number of unshipped units of overdue items.
    pub late_units: u64,
    /// Number of open orders with each kind of problem. An order with several problems counts for
    /// each of them; kinds without orders are missing.
    pub problems: BTreeMap<ProblemKind, u64>,
    /// Number of open orders with a problem of [`ProblemKind::DECISIONS`], each counted once.
    pub problem_orders: u64,
    /// Number of created orders and of shipped units in each of the last
    /// [`Hours::COUNT`](super::Hours::COUNT) hours, earliest first.
    pub hours: Vec<HourCounts>,
    /// `true` if all open orders were counted; `false` if only the oldest were.
    pub is_complete: bool,
}

/// Counts of the ready items of a SKU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyProduct {
    /// SKU of the product.
    pub sku: String,
    /// Name of the newest ready item that has a name; `None` if no item has a name.
    pub name: Option<String>,
    /// Number of unshipped units of the ready items.
    pub units: u64,
    /// Number of ready items, whatever their quantities.
    pub items: u64,
    /// Number of ready items that are in no open batch.
    pub unbatched_items: u64,
    /// Number of ready items that are overdue.
    pub late_items: u64,
    /// Earliest time at which a ready item of this SKU became ready.
    pub oldest: Timestamp,
}

/// Number of units that wait at a production step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepUnits {
    /// Step that the units wait for.
    pub step: StepName,
    /// Number of units done at the previous step, if any, and not done at this step.
    pub units: u64,
}

pub(super) struct Terms<'a> {
    pub(super) steps: &'a Steps,
    pub(super) settings: &'a HashMap<StoreId, StoreSettings>,
    pub(super) now: Timestamp,
    pub(super) day_ends: Timestamp,
}

impl Terms<'_> {
    /// Leaves `hours` empty, and `is_complete` `true`. The ids of `orders` must ascend.
    pub(super) fn count(&self, orders: &[OpenOrder]) -> Today {
        let steps = self.steps.names().iter().cloned();
        let mut today = Today {
            at: self.now,
            orders: orders.len() as u64,
            products: Vec::new(),
            steps: steps.map(|step| StepUnits { step, units: 0 }).collect(),
            due_units: 0,
            late_units: 0,
            problems: BTreeMap::new(),
            problem_orders: 0,
            hours: Vec::new(),
            is_complete: true,
        };
        let mut products: BTreeMap<&str, ReadyProduct> = BTreeMap::new();
        let usual = StoreSettings::default();
        for order in orders {
            let settings = self.settings.get(&order.store).unwrap_or(&usual);
            let problems = OrderProblems::new(order, settings, self.steps, self.now);
            for kind in &problems.kinds {
                *today.problems.entry(*kind).or_default() += 1;
            }
            let mut decisions = ProblemKind::DECISIONS.iter();
            let needs_decision = decisions.any(|kind| problems.kinds.contains(kind));
            today.problem_orders += u64::from(needs_decision);
            for item in &order.items {
                let status = item.state.status;
                if !status.is_at_work() {
                    continue;
                }
                let is_late = is_late(&item.state, settings, self.now);
                self.count_units(&mut today, item, is_late, settings);
                if status == ItemStatus::Ready {
                    let ready_at = item.state.ready_at.unwrap_or_else(|| order.id.created_at());
                    let product = products
                        .entry(&item.sku)
                        .or_insert_with(|| ReadyProduct::empty(item, ready_at));
                    product.add(item, is_late, ready_at);
                }
            }
        }
        today.products = products.into_values().collect();
        today.products.sort_by_key(|product| product.oldest);
        today
    }

    fn count_units(
        &self,
        today: &mut Today,
        item: &OpenItem,
        is_late: bool,
        settings: &StoreSettings,
    ) {
        let units = ItemUnits::counted(&item.done, self.steps, item.quantity, &item.state);
        for (step, number) in today.steps.iter_mut().zip(0..) {
            step.units += u64::from(units.waiting_at(number));
        }
        if is_late {
            today.late_units += open_units(item);
        } else if due_at(&item.state, settings).is_some_and(|due| due < self.day_ends) {
            today.due_units += open_units(item);
        }
    }
}

fn open_units(item: &OpenItem) -> u64 {
    u64::from(item.quantity.saturating_sub(item.state.shipped_quantity))
}

impl ReadyProduct {
    fn empty(item: &OpenItem, oldest: Timestamp) -> Self {
        Self {
            sku: item.sku.clone(),
            name: None,
            units: 0,
            items: 0,
            unbatched_items: 0,
            late_items: 0,
            oldest,
        }
    }

    fn add(&mut self, item: &OpenItem, is_late: bool, ready_at: Timestamp) {
        // Orders come oldest first, so the newest name wins.
        if item.name.is_some() {
            self.name.clone_from(&item.name);
        }
        self.units += open_units(item);
        self.items += 1;
        self.unbatched_items += u64::from(item.batch.is_none());
        self.late_items += u64::from(is_late);
        self.oldest = self.oldest.min(ready_at);
    }
}
