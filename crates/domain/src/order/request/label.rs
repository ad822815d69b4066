//! The request to replace the label of an order.

use super::command::ValidCommand;
use super::order::LABEL;
use crate::check::{Field, Path, Report, order_id, text, url, version};

/// A request to replace the label of an order, as received.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelDraft {
    /// Order id that the caller assigned, or the service order id.
    pub order_id: Field<String>,
    /// Version that the order must have; absent for any version.
    pub version: Field<i64>,
    /// Reason for the change, in words.
    pub reason: Field<String>,
    /// Http or https URL of the new label.
    pub shipping_address_label: Field<String>,
}

impl LabelDraft {
    pub(crate) fn check(&self) -> Result<(ValidCommand, String), Report> {
        let root = Path::Root;
        let report = &mut Report::default();
        let order_id = order_id(&self.order_id, &root.key("order_id"), report);
        let version = version(&self.version, &root.key("version"), report);
        let reason = text(&self.reason, &root.key("reason"), report);
        let path = root.key(LABEL);
        let what = "the http or https URL of the other label";
        let label = self.shipping_address_label.demand(&path, what, report);
        let url = url(label, &path, report);
        match order_id.zip(url) {
            Some((order_id, url)) if report.violations.is_empty() => {
                let warnings = std::mem::take(&mut report.warnings);
                Ok((
                    ValidCommand::about(order_id, version, reason, warnings),
                    url,
                ))
            }
            _ => Err(std::mem::take(report)),
        }
    }
}
