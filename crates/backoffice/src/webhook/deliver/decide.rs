//! The decision about what is sent now.

use super::batch::Batch;
use super::mode::LaneMode;
use super::plan::{LaneView, Plan};
use super::probe;

/// Decides what is sent now.
///
/// At most as many events as [`LaneMode`] says, of different orders. Messages that are due come first. Events of
/// types that the endpoint leaves out are passed over. An event whose order has an open message leaves the lane as a
/// waiting message. An event whose order is in this batch already ends the reading, until the batch is settled.
pub fn plan(view: &LaneView<'_>) -> Plan {
    match LaneMode::of(view.record, view.lane.key.store, view.now) {
        LaneMode::Nothing => Plan::of(view.lane),
        LaneMode::Probe => probe::probe(view),
        LaneMode::Send(limit) => Batch::of(view, limit).fill(view),
    }
}
