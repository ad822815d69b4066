//! Reasons to stop a scan, with the remedy: pure decisions.

use super::batch::BatchNumber;
use super::code::{InvalidCode, ItemCode, ScannedCode};
use super::service::OrderProduction;
use super::units::OutOfOrder;
use pressline_domain::fulfilment::{ChangeKind, ItemStatus};
use pressline_domain::id::ServiceOrderId;
use pressline_domain::order::Order;

/// Minimum number of characters of a label. Shorter texts are cut scans.
const LABEL_MIN: usize = 5;
/// Maximum number of characters of a label.
const LABEL_MAX: usize = 64;
/// Characters of a scanned text that a message repeats.
const REPEATED: usize = 60;

/// Why an order must not go out now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StopReason {
    /// The store has asked for a change that is not decided.
    #[error("the store asks for a change ({}) that is not decided", .0.as_str())]
    PendingChange(ChangeKind),
    /// An item is in a status in which it is not sent.
    #[error("{item} is {status}")]
    Item {
        /// Code of the item.
        item: String,
        /// Its status.
        status: ItemStatus,
    },
}

/// Why a scan has changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// The text is not a code, and no order waits for a label.
    #[error("\"{}\" is {}. Scan the items of an order before its label", shown(.0), InvalidCode)]
    NotACode(String),
    /// The joined codes cannot be told apart: the parts that are certain.
    #[error(
        "several scans arrived as one, and nothing was recorded. Scan again, one by one: {}",
        .0.join(", ")
    )]
    Joined(Vec<String>),
    /// A batch was scanned.
    #[error("{0} is a batch. Scan its items")]
    Batch(BatchNumber),
    /// The operator reaches no such order.
    #[error("there is no order {0}. Scan the code again")]
    UnknownOrder(ServiceOrderId),
    /// The order has no such item.
    #[error("{order} has no item {code}. Scan the code again", order = .0.order, code = .0)]
    UnknownItem(ItemCode),
    /// The order must not go out.
    #[error("{order} must not go out: {reason}. Put it aside")]
    StopReason {
        /// The order.
        order: ServiceOrderId,
        /// Why.
        reason: StopReason,
    },
    /// Units cannot be recorded at this step.
    #[error("{}", out_of_order(.0, .1))]
    OutOfOrder(ItemCode, OutOfOrder),
    /// The present order is packed in part, and the code is of another order.
    #[error(
        "{code} is of another order, and {} missing in {present}. Put {code} aside and scan the items of {present}",
        are(*.missing)
    )]
    Incomplete {
        /// The scanned code.
        code: ScannedCode,
        /// The present order.
        present: ServiceOrderId,
        /// Its missing units.
        missing: u32,
    },
    /// The present order is complete and not sent, and the code is of another order.
    #[error(
        "{present} is packed and not sent. Put {code} aside, scan an item of {present} again, then its label"
    )]
    Unsent {
        /// The scanned code.
        code: ScannedCode,
        /// The present order.
        present: ServiceOrderId,
    },
    /// A label was scanned after a code of another order.
    #[error(
        "{label} was scanned after {code}, and {present} is not sent. Scan an item of {present} again, then its label"
    )]
    WhoseLabel {
        /// The label.
        label: String,
        /// The code of another order.
        code: ScannedCode,
        /// The present order.
        present: ServiceOrderId,
    },
    /// A label was scanned before all items.
    #[error("{} missing in {order}. Scan the items before the label {label}", are(*.missing))]
    EarlyLabel {
        /// The label.
        label: String,
        /// The order.
        order: ServiceOrderId,
        /// Its missing units.
        missing: u32,
    },
    /// Nothing of the order is packed.
    #[error("nothing of {0} is packed. Scan its items before the label")]
    NothingPacked(ServiceOrderId),
    /// The label is on another parcel.
    #[error("{label} is the label of another parcel, of {of}. Scan the label of {order}")]
    UsedLabel {
        /// The label.
        label: String,
        /// The order that was sent with it.
        of: ServiceOrderId,
        /// The present order.
        order: ServiceOrderId,
    },
    /// The text cannot be a tracking number.
    #[error("\"{}\" cannot be a label. Scan the label of {order}", shown(.label))]
    InvalidLabel {
        /// The text.
        label: String,
        /// The order.
        order: ServiceOrderId,
    },
    /// Another label waits for a confirming scan.
    #[error(
        "{order} has the label {waiting}. Scan an item of {order} to send it, or {order} to choose another label"
    )]
    OtherLabel {
        /// The label that waits.
        waiting: String,
        /// The order.
        order: ServiceOrderId,
    },
    /// The operator's role may record, but not ship.
    #[error("your role may not ship. Ask an admin to send {0}")]
    MayNotShip(ServiceOrderId),
}

/// Returns whether a text can be the tracking number on a label: 5 to 64 printable characters, the first a letter
/// or digit.
pub fn is_label(text: &str) -> bool {
    let fits = (LABEL_MIN..=LABEL_MAX).contains(&text.chars().count());
    let begins_right = text.starts_with(|first: char| first.is_ascii_alphanumeric());
    fits && begins_right && !text.chars().any(char::is_control)
}

impl OrderProduction {
    /// Returns why the order must not go out: a change is pending, or an item waits, is on hold or is cancelled with
    /// all others. `None` if it may go out, or has gone.
    pub fn held_back(&self) -> Option<StopReason> {
        held_back(&self.order)
    }

    /// Returns the units of items at work that are not done at the step of this position.
    pub fn missing(&self, step: usize) -> u32 {
        let units = self.at_work().map(|item| &item.production.units);
        let missing = units.map(|units| units.quantity().saturating_sub(units.done_at(step)));
        missing.sum()
    }

    /// Returns the items at work with units that are done at all steps and not shipped.
    pub fn packed(&self) -> Vec<(&super::ProducedItem, u32)> {
        let packed = self
            .at_work()
            .map(|item| (item, item.production.units.packed()));
        packed.filter(|(_, units)| *units > 0).collect()
    }

    /// Returns the items that are ready or in production.
    pub fn at_work(&self) -> impl Iterator<Item = &super::ProducedItem> {
        let items = self.items.iter();
        items.filter(|item| item.state.status.is_at_work())
    }
}

pub(super) fn held_back(order: &Order) -> Option<StopReason> {
    if let Some(pending) = &order.state.pending {
        return Some(StopReason::PendingChange(pending.request.kind()));
    }
    let waits = |status: ItemStatus| !status.is_done() && !status.is_at_work();
    let mut items = order.state.items.iter();
    let is_cancelled = items.all(|item| item.status == ItemStatus::Cancelled);
    let mut items = order.state.items.iter();
    let found = items.find(|item| is_cancelled || waits(item.status));
    found.map(|item| StopReason::Item {
        item: item.code(&order.service_order_id),
        status: item.status,
    })
}

fn shown(text: &str) -> String {
    text.chars().take(REPEATED).collect()
}

fn are(units: u32) -> String {
    match units {
        1 => "1 unit is".to_owned(),
        units => format!("{units} units are"),
    }
}

fn out_of_order(code: &ItemCode, error: &OutOfOrder) -> String {
    let step = error.step.as_ref().map_or("misprint", |step| step.as_str());
    match (error.available, &error.first) {
        (0, Some(first)) => format!("no unit of {code} waits at {step}: {first} first"),
        (0, None) => format!("no unit of {code} waits at {step}"),
        (1, _) => format!("only 1 unit of {code} waits at {step}"),
        (units, _) => format!("only {units} units of {code} wait at {step}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_code_and_a_short_text_are_not_labels() {
        for label in ["1Z999", "00340434161094042557", "1Z-FIRST", "RR 123 456 DE"] {
            assert!(is_label(label), "{label}");
        }
        for wrong in ["", "1Z99", "-1042-1", "1Z\u{1d}999", &"9".repeat(65)] {
            assert!(!is_label(wrong), "{wrong}");
        }
    }
}
