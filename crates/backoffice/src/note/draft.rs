//! Unchecked request that adds a note to an order.

use pressline_domain::check::field::Field;
use pressline_domain::check::limits;
use pressline_domain::check::report::{Path, Report, Warning};
use pressline_domain::check::{lines, order_id};

/// Note to add to an order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NoteDraft {
    /// Service order id, such as `DEMO-17`.
    pub order_id: Field<String>,
    /// Text of the note, up to [`limits::NOTE`] characters.
    pub text: Field<String>,
}

pub(crate) struct ValidNote {
    pub(crate) order_id: String,
    pub(crate) text: String,
    pub(crate) warnings: Vec<Warning>,
}

impl NoteDraft {
    pub(crate) fn check(&self) -> Result<ValidNote, Report> {
        let root = Path::Root;
        let report = &mut Report::default();
        let order_id = order_id(&self.order_id, &root.key("order_id"), report);
        let path = root.key("text");
        let text = self.text.demand(&path, "what the note says", report);
        let text = lines(text, &path, limits::NOTE, report);
        match order_id.zip(text) {
            Some((order_id, text)) if report.violations.is_empty() => Ok(ValidNote {
                order_id,
                text,
                warnings: std::mem::take(&mut report.warnings),
            }),
            _ => Err(std::mem::take(report)),
        }
    }
}
