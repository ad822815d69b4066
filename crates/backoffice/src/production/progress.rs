//! Progress of an item's units, and the records that change it.

use std::collections::BTreeMap;

use super::batch::{ItemRef, Stamp};
use super::steps::StepName;

/// Stored progress of an item through production. An item without production records has no stored
/// progress.
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

impl ItemProgress {
    /// Returns the progress of the item `place` before its first record: revision 0, and no units
    /// done.
    pub fn none(place: ItemRef) -> Self {
        Self {
            place,
            revision: 0,
            done: BTreeMap::new(),
            misprints: 0,
        }
    }
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
    /// Revision of the item's progress after the record, from 1. With `place`, it identifies the
    /// record.
    pub revision: u32,
    /// Operator who made the record, and the time.
    pub stamp: Stamp,
    /// Recorded change: units done at a step, or misprinted units.
    pub recorded: ProgressRecord,
    /// Idempotency key of the request, up to [`crate::limits::ONCE`]
    /// characters; `None` if the caller sent none.
    pub once: Option<String>,
}
