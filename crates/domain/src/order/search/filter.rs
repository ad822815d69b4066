//! The criteria of a search for orders.

use std::collections::BTreeSet;

use super::draft::SearchDraft;
use crate::check::{self, Field, IssueCode, Path, Report};
use crate::fulfilment::ItemStatus;
use crate::order::{Order, OrderKind};
use crate::value::page::{ListDigest, search_key};
use crate::value::{Timestamp, timestamp};
use pressline_kit::words::SearchKey;

/// Criteria of a search for orders.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchFilter {
    /// Earliest creation time, inclusive; `None` for no limit.
    pub from: Option<Timestamp>,
    /// Latest creation time, inclusive; `None` for no limit.
    pub to: Option<Timestamp>,
    /// Beginnings of words that the order must have; `None` for any order.
    pub key: Option<SearchKey>,
    /// Item statuses: an item of the order must have one of them; empty for no restriction.
    pub statuses: BTreeSet<ItemStatus>,
    /// Kinds of orders; empty for any.
    pub kinds: BTreeSet<OrderKind>,
}

impl SearchFilter {
    /// Names of the search fields in requests, for the message about a cursor of another search.
    pub const FIELDS: &str = "fromTime, toTime, searchKey, statuses and types";

    /// Returns whether `order` has a wanted kind and a wanted status. An empty set matches all.
    pub fn has_status_and_type(&self, order: &Order) -> bool {
        let mut items = order.state.items.iter();
        let has_status = items.any(|item| self.statuses.contains(&item.status));
        (self.statuses.is_empty() || has_status)
            && (self.kinds.is_empty() || self.kinds.contains(&order.content.kind()))
    }

    /// Adds the criteria to `list`, so that a cursor is valid for this search only.
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
    /// Reads the criteria. If invalid values are added to `report`, the result must not be used.
    pub fn check_filter(&self, report: &mut Report) -> SearchFilter {
        let (from, to) = time_range(&self.from_time, &self.to_time, report);
        SearchFilter {
            from,
            to,
            key: search_key(&self.search_key, report),
            statuses: statuses(&self.statuses, report),
            kinds: kinds(&self.types, report),
        }
    }
}

/// Reads the field `statuses`; the result is empty if every status matches.
pub fn statuses(field: &Field<Vec<Field<String>>>, report: &mut Report) -> BTreeSet<ItemStatus> {
    let known = ItemStatus::ALL.map(|status| (status.as_str(), status));
    check::chosen(field, &Path::Root.key("statuses"), &known, report)
}

/// Reads the field `types`; the result is empty if every type matches.
pub fn kinds(field: &Field<Vec<Field<String>>>, report: &mut Report) -> BTreeSet<OrderKind> {
    let known = OrderKind::ALL.map(|kind| (kind.as_str(), kind));
    check::chosen(field, &Path::Root.key("types"), &known, report)
}

/// Returns the time in `field`; `None` if it is 0 or absent. Adds a violation if it is invalid.
pub fn time(field: &Field<i64>, path: &Path<'_>, report: &mut Report) -> Option<Timestamp> {
    match field.value() {
        Some(0) => None,
        _ => timestamp(field, path, report),
    }
}

/// Returns both times. Adds a violation if the range ends before it begins.
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
        let message = "must not be later than `toTime`";
        report.violation(&from_path, IssueCode::OutOfRange, message);
    }
    (from, to)
}
