//! How far the units of an item have come, and the records that say so.

use std::collections::BTreeMap;

use super::batch::{ItemRef, Stamp};
use super::steps::StepName;

/// The progress of an item as it is stored. An item without a record has none stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemProgress {
    /// The item.
    pub place: ItemRef,
    /// The number of its records: each adds one.
    pub revision: u32,
    /// Units done at each step. A step that is missing has none.
    pub done: BTreeMap<StepName, u32>,
    /// Units that were misprinted, in all.
    pub misprints: u32,
}

impl ItemProgress {
    /// Returns the progress of an item without a record.
    pub fn none(place: ItemRef) -> Self {
        Self {
            place,
            revision: 0,
            done: BTreeMap::new(),
            misprints: 0,
        }
    }
}

/// What a record says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgressRecord {
    /// Units were done at a step.
    Done {
        /// The step.
        step: StepName,
        /// How many, at least 1.
        units: u32,
    },
    /// Units went back to the first step.
    Misprint {
        /// How many, at least 1.
        units: u32,
        /// Why: 1 to [`limits::TEXT`](pressline_domain::limits::TEXT) characters.
        reason: String,
    },
}

/// A record of what was done about an item. Records are never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductionRecord {
    /// The item.
    pub place: ItemRef,
    /// The item's revision that the record made, from 1. It identifies the record.
    pub revision: u32,
    /// Who recorded it, and when.
    pub stamp: Stamp,
    /// What it says.
    pub recorded: ProgressRecord,
    /// The caller's own name of the request, by which a repetition of it is recognised: at most
    /// [`limits::ONCE`](pressline_domain::limits::ONCE) characters.
    pub once: Option<String>,
}
