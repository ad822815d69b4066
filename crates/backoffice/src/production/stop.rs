//! Reasons to refuse a scan, with the remedy: pure decisions.

use super::batch::BatchNumber;
use super::code::{InvalidCode, ItemCode, ScannedCode};
use super::produced::OrderProduction;
use super::units::OutOfOrder;
use pressline_domain::fulfilment::{ChangeKind, ItemStatus};
use pressline_domain::order::Order;
use pressline_domain::value::ServiceOrderId;

/// Shorter strings are assumed to be truncated scans.
const LABEL_MIN: usize = 5;
const LABEL_MAX: usize = 64;
/// Maximum number of characters that a message quotes from a scanned string.
const QUOTE_LENGTH: usize = 60;

/// Reason why an order must not go out now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StopReason {
    /// The store has requested a change that is not decided.
    #[error("the store asks for a change ({}) that is not decided", .0.as_str())]
    PendingChange(ChangeKind),
    /// An item has a status in which it cannot be sent.
    #[error("{item} is {status}")]
    Item {
        /// Code of the item, such as `SUN-1042-1`.
        item: String,
        /// Status in which `item` cannot be sent, so that the order must wait.
        status: ItemStatus,
    },
}

/// Reason why a scan was refused and changed nothing. Its message tells the operator what to scan
/// next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// The scanned string is too long, or it is not a code and no order waits for a label.
    #[error("\"{}\" is {}. Scan the items of an order before its label", shown(.0), InvalidCode)]
    NotACode(String),
    /// Several scans arrived as one string, which cannot be separated. Contains its pieces.
    #[error(
        "several scans arrived as one, and nothing was recorded. Scan again, one by one: {}",
        .0.join(", ")
    )]
    Joined(Vec<String>),
    /// The code of a batch was scanned; stations take items, orders and labels.
    #[error("{0} is a batch. Scan its items")]
    Batch(BatchNumber),
    /// The order does not exist or is outside the operator's scope.
    #[error("there is no order {0}. Scan the code again")]
    UnknownOrder(ServiceOrderId),
    /// The order exists, but has no item with this number.
    #[error("{order} has no item {code}. Scan the code again", order = .0.order, code = .0)]
    UnknownItem(ItemCode),
    /// The order must not go out now.
    #[error("{order} must not go out: {reason}. Put it aside")]
    StopReason {
        /// Service order id, such as `SUN-1042`.
        order: ServiceOrderId,
        /// Reason why `order` is held back.
        reason: StopReason,
    },
    /// Too few units of the item wait at the station's step: none, or fewer than requested.
    #[error("{}", out_of_order(.0, .1))]
    OutOfOrder(ItemCode, OutOfOrder),
    /// The scanned code belongs to another order, but the current order is only partly packed.
    #[error(
        "{code} is of another order, and {} missing in {present}. Put {code} aside and scan the items of {present}",
        are(*.missing)
    )]
    Incomplete {
        /// Scanned code. It belongs to another order than `present`.
        code: ScannedCode,
        /// Number of the current order: `Bench::order`.
        present: ServiceOrderId,
        /// Number of units of `present` that are not done at the station's step.
        missing: u32,
    },
    /// The scanned code belongs to another order, but the current order is packed and not sent.
    #[error(
        "{present} is packed and not sent. Put {code} aside, scan an item of {present} again, then its label"
    )]
    Unsent {
        /// Scanned code. It belongs to another order than `present`.
        code: ScannedCode,
        /// Number of the current order: `Bench::order`.
        present: ServiceOrderId,
    },
    /// A label was scanned after a code of another order was refused. It may belong to that order
    /// or to the current order.
    #[error(
        "{label} was scanned after {code}, and {present} is not sent. Scan an item of {present} again, then its label"
    )]
    WhoseLabel {
        /// Scanned string, taken as a label.
        label: String,
        /// Code refused before the label. It belongs to another order than `present`.
        code: ScannedCode,
        /// Number of the current order: `Bench::order`.
        present: ServiceOrderId,
    },
    /// A label was scanned before all units of the current order were packed.
    #[error("{} missing in {order}. Scan the items before the label {label}", are(*.missing))]
    EarlyLabel {
        /// Scanned string, taken as a label.
        label: String,
        /// Number of the current order: `Bench::order`.
        order: ServiceOrderId,
        /// Number of units of `order` that are not done at the station's step.
        missing: u32,
    },
    /// A label was scanned, but the current order, with this number, has no packed unit.
    #[error("nothing of {0} is packed. Scan its items before the label")]
    NothingPacked(ServiceOrderId),
    /// The label was already used for another parcel.
    #[error("{label} is the label of another parcel, of {of}. Scan the label of {order}")]
    UsedLabel {
        /// Scanned string, taken as a label.
        label: String,
        /// Number of the order already sent with `label`.
        of: ServiceOrderId,
        /// Number of the current order: `Bench::order`.
        order: ServiceOrderId,
    },
    /// The scanned string cannot be a tracking number (see [`is_label`]), or is the SKU of an item.
    #[error("\"{}\" cannot be a label. Scan the label of {order}", shown(.label))]
    InvalidLabel {
        /// The whole scanned string; the message may shorten it.
        label: String,
        /// Number of the current order: `Bench::order`.
        order: ServiceOrderId,
    },
    /// Another label already waits for a confirming scan.
    #[error(
        "{order} has the label {waiting}. Scan an item of {order} to send it, or {order} to choose another label"
    )]
    OtherLabel {
        /// Label that waits: `Bench::label`.
        waiting: String,
        /// Number of the current order: `Bench::order`.
        order: ServiceOrderId,
    },
    /// The operator's role permits recording units, but not shipping the order with this number.
    #[error("your role may not ship. Ask an admin to send {0}")]
    MayNotShip(ServiceOrderId),
}

/// Returns whether `text` can be the tracking number on a label: 5 to 64 printable characters,
/// beginning with a letter or digit.
pub fn is_label(text: &str) -> bool {
    let fits = (LABEL_MIN..=LABEL_MAX).contains(&text.chars().count());
    let begins_right = text.starts_with(|first: char| first.is_ascii_alphanumeric());
    fits && begins_right && !text.chars().any(char::is_control)
}

impl OrderProduction {
    /// Returns the reason why the order must not go out; `None` if it may go out, or was sent.
    /// Reasons are a requested change that is not decided, an item that is suspended or not ready
    /// yet, and an order with all items cancelled.
    pub fn held_back(&self) -> Option<StopReason> {
        held_back(&self.order)
    }

    /// Returns the number of units that are not done at the step with position `step`. Only items
    /// that are ready or in production count.
    pub fn missing(&self, step: usize) -> u32 {
        let units = self.at_work().map(|item| &item.production.units);
        let missing = units.map(|units| units.quantity().saturating_sub(units.done_at(step)));
        missing.sum()
    }

    /// Returns the items with packed units (done at all steps and not shipped), each with their
    /// number. Only items that are ready or in production count.
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
    // Cancelled items hold an order back only if it has no other items.
    let is_cancelled = items.all(|item| item.status == ItemStatus::Cancelled);
    let mut items = order.state.items.iter();
    items
        .find(|item| is_cancelled || waits(item.status))
        .map(|item| StopReason::Item {
            item: item.code(&order.service_order_id),
            status: item.status,
        })
}

fn shown(text: &str) -> String {
    text.chars().take(QUOTE_LENGTH).collect()
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
