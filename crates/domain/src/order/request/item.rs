//! Line items in requests.

use crate::check::{Field, IssueCode, Path, Report, images, integer, limits, text, urls};
use crate::order::LineItem;
use crate::value::ItemId;

use super::change::OptionalChange;

/// A line item, as received. [`LineItem`] describes the fields. A new item requires `sku` and
/// `quantity`. In an update of an item, absent fields keep the stored values.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(missing_docs, reason = "same fields as `LineItem`")]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase"))]
pub struct LineItemDraft {
    pub name: Field<String>,
    pub sku: Field<String>,
    pub quantity: Field<i64>,
    pub ship_class: Field<String>,
    pub file_urls: Field<Vec<Field<String>>>,
    pub mockup_images: Field<Vec<Field<String>>>,
    pub ref_id: Field<String>,
}

/// Values of a new item, or new values in an update, in which `None` keeps the stored value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ItemValues {
    pub(crate) name: OptionalChange<String>,
    pub(crate) ref_id: OptionalChange<String>,
    pub(crate) ship_class: OptionalChange<String>,
    pub(crate) sku: Option<String>,
    pub(crate) quantity: Option<u32>,
    pub(crate) file_urls: Option<Vec<String>>,
    pub(crate) mockup_images: Option<Vec<String>>,
}

impl LineItemDraft {
    pub(super) fn values(&self, path: &Path<'_>, report: &mut Report) -> ItemValues {
        let range = (1, i64::from(limits::QUANTITY));
        let read = |field: &Field<String>, key, report: &mut Report| {
            OptionalChange::new(field, text(field, &path.key(key), report))
        };
        ItemValues {
            name: read(&self.name, "name", report),
            sku: read(&self.sku, "sku", report).into_value(),
            quantity: integer(&self.quantity, &path.key("quantity"), range, report)
                .and_then(|quantity| u32::try_from(quantity).ok()),
            ship_class: read(&self.ship_class, "shipClass", report),
            file_urls: urls(&self.file_urls, &path.key("fileUrls"), report),
            mockup_images: images(&self.mockup_images, &path.key("mockupImages"), report),
            ref_id: read(&self.ref_id, "refId", report),
        }
    }

    /// Returns `None` if a violation was reported. The returned item is not priced yet.
    pub(super) fn check(
        &self,
        id: ItemId,
        path: &Path<'_>,
        report: &mut Report,
    ) -> Option<LineItem> {
        let before = report.violations.len();
        let values = self.values(path, report);
        if self.sku.is_blank() {
            report.required(&path.key("sku"), "the product's SKU");
        }
        if self.quantity.is_absent() {
            report.required(&path.key("quantity"), "the number of units");
        }
        // Earlier items may already have added violations.
        if report.violations.len() > before {
            return None;
        }
        let name = values.name.into_value();
        Some(LineItem {
            id,
            ref_id: values.ref_id.into_value(),
            name_given: name.is_some(),
            name,
            sku: values.sku?,
            quantity: values.quantity?,
            ship_class: values.ship_class.into_value(),
            file_urls: values.file_urls.unwrap_or_default(),
            mockup_images: values.mockup_images.unwrap_or_default(),
            areas: Vec::new(),
            unit_cost: None,
        })
    }
}

pub(super) fn entries<'a, T>(
    field: &'a Field<Vec<Field<T>>>,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<&'a Vec<Field<T>>> {
    field.required(path, "the list of line items", report)
}

pub(super) fn entry<'a, T>(
    field: &'a Field<T>,
    path: &Path<'_>,
    report: &mut Report,
) -> Option<&'a T> {
    field.required(path, "a line item, not null", report)
}

/// Returns a violation if the list is too long. The caller then makes no other checks.
pub(super) fn too_many<T>(field: &Field<Vec<Field<T>>>, path: &Path<'_>) -> Option<Report> {
    let count = field.value().map_or(0, Vec::len);
    if count <= limits::LINE_ITEMS {
        return None;
    }
    let (mut report, limit) = (Report::default(), limits::LINE_ITEMS);
    let message = format!("{count} line items; at most {limit} in one order");
    report.violation(path, IssueCode::TooLong, message);
    Some(report)
}
