//! Which orders a search is about.

use std::collections::BTreeSet;

use super::draft::SearchDraft;
use crate::check::moment;
use crate::field::{self, Field};
use crate::fulfilment::ItemStatus;
use crate::order::{Order, OrderKind};
use crate::page::{self, ListDigest};
use crate::report::{IssueCode, Path, Report};
use crate::time::Timestamp;
use pressline_kit::words::SearchKey;

/// Which orders a search is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchFilter {
    /// Created at or after.
    pub from: Option<Timestamp>,
    /// Created at or before.
    pub to: Option<Timestamp>,
    /// Whose words begin so.
    pub key: Option<SearchKey>,
    /// With an item in one of these statuses; empty for any.
    pub statuses: BTreeSet<ItemStatus>,
    /// Of one of these types; empty for any.
    pub kinds: BTreeSet<OrderKind>,
}

impl SearchFilter {
    /// Names of the fields, for messages about cursors.
    pub const FIELDS: &str = "fromTime, toTime, searchKey, statuses and types";

    /// Returns whether an order has one of the statuses and one of the types.
    pub fn has_status_and_type(&self, order: &Order) -> bool {
        let mut items = order.state.items.iter();
        let has_status = items.any(|item| self.statuses.contains(&item.status));
        (self.statuses.is_empty() || has_status)
            && (self.kinds.is_empty() || self.kinds.contains(&order.content.kind()))
    }

    /// Adds the filter to the digest of a list.
    pub fn digest(&self, list: ListDigest) -> ListDigest {
        let statuses = self.statuses.iter().map(|status| status.as_str());
        let kinds = self.kinds.iter().map(|kind| kind.as_str());
        list.time(self.from)
            .time(self.to)
            .key(self.key.as_ref())
            .texts(statuses)
            .texts(kinds)
    }
}

impl SearchDraft {
    /// The filter is only valid if the report has no violation.
    pub fn check_filter(&self, report: &mut Report) -> SearchFilter {
        let (from, to) = time_range(&self.from_time, &self.to_time, report);
        SearchFilter {
            from,
            to,
            key: page::search_key(&self.search_key, report),
            statuses: statuses(&self.statuses, report),
            kinds: kinds(&self.types, report),
        }
    }
}

/// Reads `statuses`; empty for any.
pub fn statuses(field: &Field<Vec<Field<String>>>, report: &mut Report) -> BTreeSet<ItemStatus> {
    let known = ItemStatus::ALL.map(|status| (status.as_str(), status));
    field::chosen(field, &Path::Root.key("statuses"), &known, report)
}

/// Reads `types`; empty for any.
pub fn kinds(field: &Field<Vec<Field<String>>>, report: &mut Report) -> BTreeSet<OrderKind> {
    let known = OrderKind::ALL.map(|kind| (kind.as_str(), kind));
    field::chosen(field, &Path::Root.key("types"), &known, report)
}

/// Returns the time that a field names; `None` if it is open or not valid.
pub fn time(field: &Field<i64>, path: &Path<'_>, report: &mut Report) -> Option<Timestamp> {
    match field.value() {
        Some(0) => None,
        _ => moment(field, path, report),
    }
}

/// Reads `fromTime` and `toTime`, each `None` if it is open, and reports a range that ends before it begins.
pub fn time_range(
    from_time: &Field<i64>,
    to_time: &Field<i64>,
    report: &mut Report,
) -> (Option<Timestamp>, Option<Timestamp>) {
    let (from_path, to_path) = (Path::Root.key("fromTime"), Path::Root.key("toTime"));
    let from = time(from_time, &from_path, report);
    let to = time(to_time, &to_path, report);
    if let (Some(from), Some(to)) = (from, to)
        && from > to
    {
        let message = "later than toTime, so that nothing could be found";
        report.violation(&from_path, IssueCode::OutOfRange, message);
    }
    (from, to)
}
