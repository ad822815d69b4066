//! An operator's request to add a fee line.

use super::command::ValidCommand;
use crate::check::{Field, IssueCode, Path, Report, order_id, text, version, word};
use crate::pricing::fees::FeeType;
use crate::value::ItemId;

/// A fee line to add, as received.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FeeLineDraft {
    /// Number that the service gave the order, such as `DEMO-17`.
    pub order_id: Field<String>,
    /// Version that the order must have; absent for any version.
    pub version: Field<i64>,
    /// Name of the [`FeeType`] that the line changes, such as `shipping`.
    pub fee: Field<String>,
    /// Amount in major units, as a decimal string; negative to lower the fee.
    pub amount: Field<String>,
    /// Reason for the fee line, in words; required.
    pub reason: Field<String>,
    /// The service's id of the item; absent if the line is for the whole order.
    pub app_item_id: Field<String>,
}

/// `amount` is still a text, because its number of decimals depends on the order's currency.
pub(crate) struct ValidFeeLine {
    pub(crate) command: ValidCommand,
    pub(crate) fee: FeeType,
    pub(crate) amount: String,
    pub(crate) reason: String,
    pub(crate) item: Option<ItemId>,
}

impl FeeLineDraft {
    pub(crate) fn check(&self) -> Result<ValidFeeLine, Report> {
        let root = Path::Root;
        let report = &mut Report::default();
        let order_id = order_id(&self.order_id, &root.key("order_id"), report);
        let version = version(&self.version, &root.key("version"), report);
        for (field, key, what) in [
            (&self.fee, "type", "the fee that the line changes"),
            (&self.amount, "amount", "by how much"),
            (&self.reason, "reason", "why, in words"),
        ] {
            if field.is_blank() {
                report.required(&root.key(key), what);
            }
        }
        let fees = FeeType::ALL.map(|fee| (fee.as_str(), fee));
        let fee = word(&self.fee, &root.key("type"), fees, report);
        let amount = self.amount.read(&root.key("amount"), report).cloned();
        let reason = text(&self.reason, &root.key("reason"), report);
        let item = self.check_item(report);
        match (order_id, fee, amount, reason) {
            (Some(order_id), Some(fee), Some(amount), Some(reason))
                if report.violations.is_empty() =>
            {
                let warnings = std::mem::take(&mut report.warnings);
                Ok(ValidFeeLine {
                    command: ValidCommand::about(order_id, version, Some(reason.clone()), warnings),
                    fee,
                    amount,
                    reason,
                    item,
                })
            }
            _ => Err(std::mem::take(report)),
        }
    }

    fn check_item(&self, report: &mut Report) -> Option<ItemId> {
        let path = Path::Root.key("appItemId");
        self.app_item_id.read(&path, report)?;
        let id = self.app_item_id.text()?.parse();
        if id.is_err() {
            let message = "not an id; use the `id` of an entry of the order's childDetails";
            report.violation(&path, IssueCode::InvalidFormat, message);
        }
        id.ok()
    }
}
