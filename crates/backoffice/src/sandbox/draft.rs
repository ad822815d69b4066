//! Unchecked requests of test stores.

use crate::fields::{number, valid};
use crate::limits;
use pressline_domain::check::field::Field;
use pressline_domain::check::report::{IssueCode, Path, Report};
use pressline_domain::check::{order_name, word};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::request::DecideDraft;

/// Unchecked request to fast-forward the due times of a test store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClockDraft {
    /// Number of seconds by which to fast-forward, 1 to [`limits::ADVANCE_SECONDS`].
    pub advance_seconds: Field<i64>,
}

impl ClockDraft {
    pub(super) fn check(&self) -> Result<u32, Report> {
        let mut report = Report::default();
        if self.advance_seconds.is_absent() {
            let path = Path::Root.key("advanceSeconds");
            report.required(&path, "a number of seconds");
        }
        let (field, range) = (&self.advance_seconds, (1, limits::ADVANCE_SECONDS));
        let seconds = number(field, "advanceSeconds", range, &mut report);
        seconds.ok_or(report)
    }
}

/// Unchecked request to move an order as the print shop or a carrier would. Exactly one of `to` and
/// `decision` is required.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlayDraft {
    /// Order id assigned by the store, or service order id such as `DEMO-17`.
    pub order_id: Field<String>,
    /// Target status: one of [`PlayDraft::TARGETS`].
    pub to: Field<String>,
    /// Decision about the order's pending change: one of [`PlayDraft::DECISIONS`].
    pub decision: Field<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    MoveTo(ItemStatus),
    /// An entry of [`PlayDraft::DECISIONS`].
    Decide(&'static str),
}

impl PlayDraft {
    /// Statuses that an order can be moved to.
    pub const TARGETS: [ItemStatus; 7] = [
        ItemStatus::Ready,
        ItemStatus::InProduction,
        ItemStatus::Fulfilled,
        ItemStatus::Delivered,
        ItemStatus::Returned,
        ItemStatus::NeedAction,
        ItemStatus::Cancelled,
    ];
    /// Possible decisions about a pending change.
    pub const DECISIONS: [&'static str; 2] = ["approve", "refuse"];

    pub(super) fn check(&self) -> Result<(String, Act), Report> {
        let mut report = Report::default();
        let root = Path::Root;
        let name = order_name(&self.order_id, &mut report);
        let targets = Self::TARGETS.map(|status| (status.as_str(), Act::MoveTo(status)));
        let to = word(&self.to, &root.key("to"), targets, &mut report);
        let decisions = Self::DECISIONS.map(|decision| (decision, Act::Decide(decision)));
        let decision = root.key("decision");
        let decided = word(&self.decision, &decision, decisions, &mut report);
        match (self.to.is_blank(), self.decision.is_blank()) {
            (true, true) => report.required(&root.key("to"), "a status, or `decision` instead"),
            (false, false) => {
                let message = "send either `to` or `decision`";
                report.violation(&decision, IssueCode::Conflict, message);
            }
            _ => {}
        }
        valid(name.zip(to.or(decided)), &mut report)
    }
}

pub(super) fn decide_draft(order_id: &str, decision: &str, reason: &str) -> DecideDraft {
    DecideDraft {
        order_id: Field::Value(order_id.to_owned()),
        decision: Field::Value(decision.to_owned()),
        reason: Field::Value(reason.to_owned()),
        ..DecideDraft::default()
    }
}
