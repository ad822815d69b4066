//! Requests for figures, as they came in.

use super::days::{Day, Days};
use super::group::GroupBy;
use crate::operator::{Operator, ZoneName};
use crate::queue::{StoreFilter, StoresDraft};
use crate::store::parsed;
use pressline_domain::check::word;
use pressline_domain::field::Field;
use pressline_domain::report::{IssueCode, Path, Report};
use pressline_domain::time::Timestamp;

/// A request for the figures of the orders that were placed on some days.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatisticsDraft {
    /// The first day, such as `2026-11-01`; absent for the first one of the last day's month.
    pub from: Field<String>,
    /// The last day; absent for today.
    pub to: Field<String>,
    /// The name of the time zone that the days are of; absent for UTC.
    pub time_zone: Field<String>,
    /// Of which stores.
    pub stores: StoresDraft,
    /// What a row is: `store`, `sku`, `day`, or `order`, of one store only; absent for `store`.
    pub by: Field<String>,
}

pub(super) struct ValidStatistics {
    pub(super) days: Days,
    pub(super) zone: ZoneName,
    pub(super) by: GroupBy,
    pub(super) stores: StoreFilter,
}

impl StatisticsDraft {
    /// Checks the request of an operator. Returns `None` if the days are not known.
    pub(super) fn check(
        &self,
        operator: &Operator,
        now: Timestamp,
        report: &mut Report,
    ) -> Option<ValidStatistics> {
        let zone: ZoneName = parsed(&self.time_zone, "timeZone", report).unwrap_or_default();
        let days = self.days(&zone, now, report);
        let groups = GroupBy::ALL.map(|by| (by.as_str(), by));
        let by = word(&self.by, &Path::Root.key("by"), groups, report).unwrap_or_default();
        let stores = self.stores.check(report).reached_by(operator);
        let is_of_one_store = stores.set.as_ref().is_some_and(|set| set.len() <= 1);
        if by == GroupBy::Order && !is_of_one_store {
            let message = "name one store: orders are listed of one store only";
            report.violation(&Path::Root.key("stores"), IssueCode::Required, message);
        }
        Some(ValidStatistics {
            days: days?,
            zone,
            by,
            stores,
        })
    }

    fn days(&self, zone: &ZoneName, now: Timestamp, report: &mut Report) -> Option<Days> {
        let problems = report.violations.len();
        let last: Option<Day> = parsed(&self.to, "to", report);
        let last = last.unwrap_or_else(|| Day::new(now, zone));
        let first: Option<Day> = parsed(&self.from, "from", report);
        if report.violations.len() > problems {
            return None;
        }
        let first = first.unwrap_or_else(|| last.first_of_month());
        let days = Days::between(first, last, zone).map_err(|error| {
            let path = Path::Root.key("from");
            report.violation(&path, IssueCode::OutOfRange, error.to_string());
        });
        days.ok()
    }
}
