//! Progress of an item's units through the steps of production, and the records that change it.

use std::collections::BTreeMap;

use super::batch::{ItemRef, Stamp};
use super::steps::{StepName, Steps};
use pressline_domain::fulfilment::ItemState;
use pressline_domain::order::LineItem;

/// Stored progress of an item in production. An item without production records has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemProgress {
    /// Store, order and id of the item.
    pub place: ItemRef,
    /// Number of the item's production records: each record adds 1.
    pub revision: u32,
    /// Number of units done at each step. A step that is missing has 0 units.
    pub done: BTreeMap<StepName, u32>,
    /// Total number of misprinted units.
    pub misprints: u32,
}

/// Change of an item's progress: units that were done or misprinted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgressRecord {
    /// Units were done at a step.
    Done {
        /// Name of the step at which the units were done.
        step: StepName,
        /// Number of units that this record adds to the units done at `step`, at least 1.
        units: u32,
    },
    /// Misprinted units went back to the first step.
    Misprint {
        /// Number of misprinted units, at least 1.
        units: u32,
        /// Reason for the misprint, 1 to [`limits::TEXT`](pressline_domain::check::limits::TEXT)
        /// characters.
        reason: String,
    },
}

/// Record that units of an item were done at a step, or were misprinted. Records are never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductionRecord {
    /// Store, order and id of the item.
    pub place: ItemRef,
    /// Revision of the progress after the record, from 1. It identifies the record with `place`.
    pub revision: u32,
    /// Operator who made the record, and the time.
    pub stamp: Stamp,
    /// Recorded change: units done at a step, or misprinted units.
    pub recorded: ProgressRecord,
    /// Idempotency key of the request, up to [`crate::limits::ONCE`]
    /// characters; `None` if the caller sent none.
    pub once: Option<String>,
}

/// Number of an item's units done at each step.
///
/// The numbers do not increase from a step to the next step. No number is above the item's total
/// units or below its shipped units. Units are interchangeable: a misprint affects the units with
/// the fewest completed steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemUnits {
    quantity: u32,
    shipped: u32,
    done: Vec<u32>,
}

/// Error of a request that records more units, or more misprinted units, than is possible now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} for {units} units: {}",
    .step.as_ref().map_or("misprint", StepName::as_str),
    shown(*.available, .first.as_ref())
)]
pub struct OutOfOrder {
    /// Step at which units were to be recorded; `None` for a misprint.
    pub step: Option<StepName>,
    /// Number of units in the request. If the request has no number: all units of the item.
    pub units: u32,
    /// Number of units that could be recorded now, as misprinted if `step` is `None`.
    pub available: u32,
    /// Nearest earlier step at which units wait, if `available` is 0. `None` if no units wait at
    /// earlier steps, or if `available` is above 0.
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
    /// Returns the done units of the item `line`, by its stored `progress` and its `state`.
    ///
    /// Units done at a later step count as done at each step before it, and so do shipped units:
    /// steps can be added to the configuration while items are in production, and shipping does not
    /// require steps.
    pub fn new(progress: &ItemProgress, steps: &Steps, line: &LineItem, state: &ItemState) -> Self {
        Self::counted(&progress.done, steps, line.quantity, state)
    }

    pub(crate) fn counted(
        stored: &BTreeMap<StepName, u32>,
        steps: &Steps,
        quantity: u32,
        state: &ItemState,
    ) -> Self {
        // From the last step backwards, because units of a later step count for each earlier step.
        let mut least = state.shipped_quantity.min(quantity);
        let mut units_per_step: Vec<u32> = Vec::with_capacity(steps.names().len());
        for step in steps.names().iter().rev() {
            let stored = stored.get(step).copied().unwrap_or_default();
            // The quantity may have been reduced since units were recorded.
            least = least.max(stored).min(quantity);
            units_per_step.push(least);
        }
        units_per_step.reverse();
        Self {
            quantity,
            shipped: state.shipped_quantity,
            done: units_per_step,
        }
    }

    /// Returns the total number of units of the item.
    pub fn quantity(&self) -> u32 {
        self.quantity
    }

    /// Returns the number of units done at each step, in the order of the steps.
    pub fn done(&self) -> &[u32] {
        &self.done
    }

    /// Returns the number of units done at the step position `step`; 0 if it does not exist.
    pub fn done_at(&self, step: usize) -> u32 {
        self.done.get(step).copied().unwrap_or_default()
    }

    /// Returns the number of units that wait at the step with position `step`: done at the step
    /// before it, but not at this step. At the first step, all units that are not done there wait.
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

    /// Returns the number of units done at all steps and not shipped.
    pub fn packed(&self) -> u32 {
        let packed_or_sent = self.done.last().copied().unwrap_or_default();
        packed_or_sent.saturating_sub(self.shipped)
    }

    /// Returns the number of units that can be misprinted: done at the first step and not shipped.
    pub fn unshipped(&self) -> u32 {
        self.done_at(0).saturating_sub(self.shipped)
    }

    /// Returns how many units a request records at the step with position `step`: `units`, or all
    /// units that wait there if `units` is `None`. The result is at least 1; `None` if the request
    /// repeats an earlier request.
    ///
    /// A request can be a repetition only if no unit waits at the step. A request without `units`
    /// is a repetition if some unit is done there. A request with `units` is a repetition if all
    /// units of the item are done there and `units` is not above their number.
    ///
    /// # Errors
    /// [`OutOfOrder`] if fewer than `units`, or no units, wait there, except for a repetition.
    pub fn record(
        &self,
        step: usize,
        steps: &Steps,
        units: Option<u32>,
    ) -> Result<Option<u32>, OutOfOrder> {
        let available = self.waiting_at(step);
        let wanted = units.unwrap_or(available);
        let step_units = self.done_at(step);
        let is_repeated = match units {
            None => step_units > 0,
            Some(units) => step_units == self.quantity && units <= step_units,
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

    /// Adds `units` done units at the step position `step`, at most the units that wait there.
    #[must_use]
    pub fn with_done(mut self, step: usize, units: u32) -> Self {
        let units = units.min(self.waiting_at(step));
        if let Some(step_units) = self.done.get_mut(step) {
            *step_units = step_units.saturating_add(units);
        }
        self
    }

    /// Takes back `units` misprinted units: they must be done again at every step.
    ///
    /// # Errors
    /// [`OutOfOrder`] if fewer than `units` are done at the first step and not shipped.
    pub fn with_misprint(mut self, units: u32) -> Result<Self, OutOfOrder> {
        let available = self.unshipped();
        if units > available {
            return Err(OutOfOrder {
                step: None,
                units,
                available,
                first: None,
            });
        }
        let limit = self.done_at(0).saturating_sub(units);
        // No step may have more units than the first step.
        for step_units in &mut self.done {
            *step_units = (*step_units).min(limit);
        }
        Ok(self)
    }
}

impl ItemProgress {
    /// Returns the progress of `place` before its first record: revision 0, and no units done.
    pub fn none(place: ItemRef) -> Self {
        Self {
            place,
            revision: 0,
            done: BTreeMap::new(),
            misprints: 0,
        }
    }

    /// Returns the next revision, with `units` at the configured `steps` and `misprints` more.
    /// Other steps keep their done units, up to the units done at the first step: a misprinted unit
    /// is not done at any step.
    pub(super) fn next(&self, steps: &Steps, units: &ItemUnits, misprints: u32) -> Self {
        let limit = units.done_at(0);
        let mut units_per_step = self.done.clone();
        for stored in units_per_step.values_mut() {
            *stored = (*stored).min(limit);
        }
        let configured = steps.names().iter().cloned();
        units_per_step.extend(configured.zip(units.done().iter().copied()));
        // A step without units is not stored.
        units_per_step.retain(|_, units| *units > 0);
        Self {
            place: self.place,
            revision: self.revision.saturating_add(1),
            done: units_per_step,
            misprints: self.misprints.saturating_add(misprints),
        }
    }
}
