//! Line items of a request.

use crate::field::Field;
use crate::limits;
use crate::report::{IssueCode, Path, Report};

use super::text::{integer, text, urls};

/// A line item as it came in.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of `LineItem`")]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, rename_all = "camelCase")
)]
pub struct LineItemDraft {
    pub name: Field<String>,
    pub sku: Field<String>,
    pub quantity: Field<i64>,
    pub ship_class: Field<String>,
    pub file_urls: Field<Vec<Field<String>>>,
    pub mockup_images: Field<Vec<Field<String>>>,
    pub ref_id: Field<String>,
}

/// A line item whose values have been checked, not yet priced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValidItem {
    /// Name, as given.
    pub(crate) name: Option<String>,
    /// Stock keeping unit.
    pub(crate) sku: String,
    /// Units.
    pub(crate) quantity: u32,
    /// Ship class, as given.
    pub(crate) ship_class: Option<String>,
    /// URLs of the print files.
    pub(crate) file_urls: Vec<String>,
    /// URLs of the mockup images.
    pub(crate) mockup_images: Vec<String>,
    /// The caller's own reference.
    pub(crate) ref_id: Option<String>,
}

/// The values of an item that were given and are right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ItemValues {
    pub(super) name: Option<String>,
    pub(super) sku: Option<String>,
    pub(super) quantity: Option<u32>,
    pub(super) ship_class: Option<String>,
    pub(super) file_urls: Option<Vec<String>>,
    pub(super) mockup_images: Option<Vec<String>>,
    pub(super) ref_id: Option<String>,
}

impl LineItemDraft {
    /// Types, lengths and ranges of what is there.
    pub(super) fn values(&self, path: &Path<'_>, report: &mut Report) -> ItemValues {
        let range = (1, i64::from(limits::QUANTITY));
        ItemValues {
            name: text(&self.name, &path.key("name"), report),
            sku: text(&self.sku, &path.key("sku"), report),
            quantity: integer(&self.quantity, &path.key("quantity"), range, report)
                .and_then(|quantity| u32::try_from(quantity).ok()),
            ship_class: text(&self.ship_class, &path.key("shipClass"), report),
            file_urls: urls(&self.file_urls, &path.key("fileUrls"), report),
            mockup_images: urls(&self.mockup_images, &path.key("mockupImages"), report)
                .map(without_gaps),
            ref_id: text(&self.ref_id, &path.key("refId"), report),
        }
    }

    /// Checks an item that is new. `None` where a violation was reported.
    pub(super) fn check(&self, path: &Path<'_>, report: &mut Report) -> Option<ValidItem> {
        let before = report.violations.len();
        let values = self.values(path, report);
        if self.sku.is_blank() {
            report.required(&path.key("sku"), "the product's SKU");
        }
        if self.quantity.is_absent() {
            report.required(&path.key("quantity"), "the number of units");
        }
        if report.violations.len() > before {
            return None;
        }
        Some(ValidItem {
            name: values.name,
            sku: values.sku?,
            quantity: values.quantity?,
            ship_class: values.ship_class,
            file_urls: values.file_urls.unwrap_or_default(),
            mockup_images: values.mockup_images.unwrap_or_default(),
            ref_id: values.ref_id,
        })
    }
}

/// Images belong to no place, so that an empty one means nothing.
fn without_gaps(mut urls: Vec<String>) -> Vec<String> {
    urls.retain(|url| !url.is_empty());
    urls
}

/// The entries of a list of items, each an object; `None` where the list itself cannot be used.
pub(super) fn entries<'a, T>(
    field: &'a Field<Vec<Field<T>>>,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<&'a [Field<T>]> {
    match field {
        Field::Absent => {
            report.required(path, "the list of line items");
            None
        }
        Field::Wrong(wrong) => {
            report.wrong_type(path, wrong);
            None
        }
        Field::Value(items) => Some(items),
    }
}

/// Says so where there are more items than an order may have. It is then the only problem worth
/// reporting.
pub(super) fn too_many<T>(field: &Field<Vec<Field<T>>>, path: &Path<'_>) -> Option<Report> {
    let count = field.value().map_or(0, Vec::len);
    if count <= limits::LINE_ITEMS {
        return None;
    }
    let mut report = Report::default();
    let message = format!(
        "{count} line items; at most {} in one order",
        limits::LINE_ITEMS
    );
    report.violation(path, IssueCode::TooLong, message);
    Some(report)
}
