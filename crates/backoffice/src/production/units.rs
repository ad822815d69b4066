//! How far the units of an item have come at the steps of the shop: pure decisions.

use std::collections::BTreeMap;

use super::progress::ItemProgress;
use super::steps::{StepName, Steps};
use pressline_domain::fulfilment::ItemState;
use pressline_domain::order::LineItem;

/// The units of an item at the steps of the shop.
///
/// No step has more units than the one before it, the first not more than the item, and each at least the shipped
/// ones. Units are interchangeable: those that are done at fewer steps are the first to be recorded, and the first to be
/// misprinted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemUnits {
    quantity: u32,
    shipped: u32,
    done: Vec<u32>,
}

/// More units are recorded than the step before has done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} for {units} units: {}",
    .step.as_ref().map_or("misprint", StepName::as_str),
    shown(*.available, .first.as_ref())
)]
pub struct OutOfOrder {
    /// The step; `None` of a misprint.
    pub step: Option<StepName>,
    /// How many units the request names.
    pub units: u32,
    /// How many can be recorded.
    pub available: u32,
    /// The skipped step: the nearest step before `step` where units wait. `None` if units can be recorded.
    pub first: Option<StepName>,
}

fn shown(available: u32, first: Option<&StepName>) -> String {
    match (available, first) {
        (0, None) => "none can be recorded now".to_owned(),
        (0, Some(first)) => format!("none can be recorded now; {first} first"),
        (some, _) => format!("at most {some} can be recorded now"),
    }
}

impl ItemUnits {
    /// Returns the units of an item from its stored progress.
    ///
    /// What a later step has done counts as done at each step before it, and so do shipped units: steps can be added to
    /// the configuration while items are in production, and shipping needs no steps.
    pub fn new(progress: &ItemProgress, steps: &Steps, line: &LineItem, state: &ItemState) -> Self {
        Self::counted(&progress.done, steps, line.quantity, state)
    }

    pub(crate) fn counted(
        stored: &BTreeMap<StepName, u32>,
        steps: &Steps,
        quantity: u32,
        state: &ItemState,
    ) -> Self {
        let mut least = state.shipped_quantity.min(quantity);
        let mut done: Vec<u32> = Vec::with_capacity(steps.names().len());
        for step in steps.names().iter().rev() {
            let stored = stored.get(step).copied().unwrap_or_default();
            least = least.max(stored).min(quantity);
            done.push(least);
        }
        done.reverse();
        Self {
            quantity,
            shipped: state.shipped_quantity,
            done,
        }
    }

    /// Returns the units of the item.
    pub fn quantity(&self) -> u32 {
        self.quantity
    }

    /// Returns the units done at each step, in the order of the steps.
    pub fn done(&self) -> &[u32] {
        &self.done
    }

    /// Returns the units done at a step, given by its position.
    pub fn done_at(&self, step: usize) -> u32 {
        self.done.get(step).copied().unwrap_or_default()
    }

    /// Returns the units that can be recorded at a step now: those that the step before has done, and this one not.
    pub fn waiting_at(&self, step: usize) -> u32 {
        let before = match step.checked_sub(1) {
            None => self.quantity,
            Some(before) => self.done_at(before),
        };
        before.saturating_sub(self.done_at(step))
    }

    /// Returns whether all units are done at all steps.
    pub fn is_complete(&self) -> bool {
        self.done.last() == Some(&self.quantity)
    }

    /// Returns the units that are done at all steps and not shipped.
    pub fn packed(&self) -> u32 {
        let done = self.done.last().copied().unwrap_or_default();
        done.saturating_sub(self.shipped)
    }

    /// Returns the units that can be misprinted: those done at the first step that are not shipped.
    pub fn unshipped(&self) -> u32 {
        self.done_at(0).saturating_sub(self.shipped)
    }

    /// Decides about a record of units at a step; all that wait there if no number is given. Returns how many are
    /// recorded, at least 1; `None` if all are recorded already.
    ///
    /// If nothing waits, the record was made before: one without a number if something is done, one with a number if all
    /// units are.
    ///
    /// # Errors
    /// [`OutOfOrder`] if fewer units wait at the step, or none of those that are to be recorded has come there.
    pub fn record(
        &self,
        step: usize,
        steps: &Steps,
        units: Option<u32>,
    ) -> Result<Option<u32>, OutOfOrder> {
        let available = self.waiting_at(step);
        let wanted = units.unwrap_or(available);
        let done = self.done_at(step);
        let is_repeated = match units {
            None => done > 0,
            Some(units) => done == self.quantity && units <= done,
        };
        if available == 0 && is_repeated {
            return Ok(None);
        }
        if wanted == 0 || wanted > available {
            let name = |position: usize| steps.names().get(position).cloned();
            let mut before = (0..step).rev();
            let skipped = before.find(|before| self.waiting_at(*before) > 0);
            return Err(OutOfOrder {
                step: name(step),
                units: units.unwrap_or(self.quantity),
                available,
                first: skipped.filter(|_| available == 0).and_then(name),
            });
        }
        Ok(Some(wanted))
    }

    /// Returns the units after a record at a step.
    #[must_use]
    pub fn with_done(mut self, step: usize, units: u32) -> Self {
        let units = units.min(self.waiting_at(step));
        if let Some(done) = self.done.get_mut(step) {
            *done = done.saturating_add(units);
        }
        self
    }

    /// Checks that so many units can be misprinted.
    ///
    /// # Errors
    /// [`OutOfOrder`] if fewer units are done at the first step and not shipped.
    pub fn check_misprint(&self, units: u32) -> Result<(), OutOfOrder> {
        let available = self.unshipped();
        if units > available {
            return Err(OutOfOrder {
                step: None,
                units,
                available,
                first: None,
            });
        }
        Ok(())
    }

    /// Returns the units after a misprint: so many must be done again at every step.
    #[must_use]
    pub fn with_misprint(mut self, units: u32) -> Self {
        let limit = self.done_at(0).saturating_sub(units.min(self.unshipped()));
        for done in &mut self.done {
            *done = (*done).min(limit);
        }
        self
    }
}

impl ItemProgress {
    /// Returns the next revision of the progress, with these units. Steps that are not configured now keep what they
    /// have, but no more than the first step: units that were misprinted are not done anywhere.
    pub(super) fn next(&self, steps: &Steps, units: &ItemUnits, misprints: u32) -> Self {
        let limit = units.done_at(0);
        let mut done = self.done.clone();
        for stored in done.values_mut() {
            *stored = (*stored).min(limit);
        }
        let configured = steps.names().iter().cloned();
        done.extend(configured.zip(units.done().iter().copied()));
        done.retain(|_, units| *units > 0);
        Self {
            place: self.place,
            revision: self.revision.saturating_add(1),
            done,
            misprints: self.misprints.saturating_add(misprints),
        }
    }
}
