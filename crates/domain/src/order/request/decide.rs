//! Decisions of an operator about a store's pending change.

use crate::check::{
    Field, IssueCode, Path, Report, Warning, flag, limits, lines, order_id, text, version, word,
};
use crate::fulfilment::PendingChange;
use crate::value::ChangeId;

/// A decision about a pending change, as received.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DecideDraft {
    /// Service order id, such as `DEMO-17`.
    pub order_id: Field<String>,
    /// Version that the order must have; absent for any version.
    pub version: Field<i64>,
    /// Word for the decision: one of [`DecideDraft::DECISIONS`].
    pub decision: Field<String>,
    /// Id of the change to decide; absent for whichever change is pending.
    pub change_id: Field<String>,
    /// Reason for the decision, in words; required for `refuse`.
    pub reason: Field<String>,
    /// Question to the store; required for `ask`.
    pub text: Field<String>,
    /// For `approve` of a cancellation: whether fees of the cancelled items are still charged.
    pub keep_fees: Field<bool>,
    /// Whether to return the result without storing it: the caller must then call
    /// [`OrderEditor::dry_run_decide`](crate::order::OrderEditor::dry_run_decide).
    pub dry_run: Field<bool>,
}

pub(crate) struct ValidDecision {
    pub(crate) order_id: String,
    pub(crate) version: Option<u32>,
    pub(crate) change: Option<ChangeId>,
    pub(crate) reason: Option<String>,
    pub(crate) verdict: ValidVerdict,
    warnings: Vec<Warning>,
}

pub(crate) enum ValidVerdict {
    Approve { keep_fees: bool },
    Refuse,
    Ask { text: String },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Approve,
    Refuse,
    Ask,
}

impl DecideDraft {
    /// Words that the field `decision` accepts.
    pub const DECISIONS: [&str; 3] = ["approve", "refuse", "ask"];

    /// Returns whether `dry_run` is true; `false` if it is absent or of the wrong type.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run.value().is_some_and(|asked| *asked)
    }

    pub(crate) fn check(&self) -> Result<ValidDecision, Report> {
        let root = Path::Root;
        let report = &mut Report::default();
        let order_id = order_id(&self.order_id, &root.key("order_id"), report);
        let version = version(&self.version, &root.key("version"), report);
        let reason = text(&self.reason, &root.key("reason"), report);
        let change = self.check_change(report);
        flag(&self.dry_run, &root.key("dryRun"), report);
        let verdict = self.check_verdict(reason.is_some(), report);
        match order_id.zip(verdict) {
            Some((order_id, verdict)) if report.violations.is_empty() => Ok(ValidDecision {
                order_id,
                version,
                change,
                reason,
                verdict,
                warnings: std::mem::take(&mut report.warnings),
            }),
            _ => Err(std::mem::take(report)),
        }
    }

    fn check_change(&self, report: &mut Report) -> Option<ChangeId> {
        let path = Path::Root.key("changeId");
        self.change_id.read(&path, report)?;
        let id = self.change_id.text()?.parse();
        if id.is_err() {
            let message = "not an id; send the `id` of the order's pendingChange";
            report.violation(&path, IssueCode::InvalidFormat, message);
        }
        id.ok()
    }

    fn check_verdict(&self, has_reason: bool, report: &mut Report) -> Option<ValidVerdict> {
        let root = Path::Root;
        let path = root.key("decision");
        let known = [Word::Approve, Word::Refuse, Word::Ask];
        let words = Self::DECISIONS.into_iter().zip(known);
        let decision_field = self.decision.demand(&path, "what is decided", report);
        let decision = word(decision_field, &path, words, report)?;
        let note = limits::PRODUCTION_NOTE;
        let question = lines(&self.text, &root.key("text"), note, report);
        let keep_fees = flag(&self.keep_fees, &root.key("keepFees"), report)?;
        if decision != Word::Ask && question.is_some() {
            let message = "`text` must be absent unless `decision` is `ask`";
            report.violation(&root.key("text"), IssueCode::Conflict, message);
        }
        if decision != Word::Approve && !self.keep_fees.is_absent() {
            let message = "only an approved cancellation can keep fees";
            report.violation(&root.key("keepFees"), IssueCode::Conflict, message);
        }
        match decision {
            Word::Approve => Some(ValidVerdict::Approve { keep_fees }),
            Word::Refuse => {
                if !has_reason {
                    report.required(&root.key("reason"), "why, in words");
                }
                Some(ValidVerdict::Refuse)
            }
            Word::Ask => {
                if question.is_none() {
                    report.required(&root.key("text"), "the question");
                }
                question.map(|text| ValidVerdict::Ask { text })
            }
        }
    }
}

impl ValidDecision {
    pub(crate) fn report(&self) -> Report {
        Report {
            violations: Vec::new(),
            warnings: self.warnings.clone(),
        }
    }

    pub(crate) fn decides(&self, pending: &PendingChange) -> bool {
        self.change.is_none_or(|id| id == pending.id)
    }
}
