//! Unchecked requests for statistics.

use super::days::{Day, Days};
use super::tally::GroupBy;
use crate::fields::parsed;
use crate::operator::{Operator, ZoneName};
use crate::queue::{StoreFilter, StoresDraft};
use pressline_domain::check::{Field, IssueCode, Path, Report, word};
use pressline_domain::value::Timestamp;

/// Unchecked request for the statistics of orders placed within a range of days.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatisticsDraft {
    /// First day, such as `2026-11-01`. Default: the first day of the month of `to`.
    pub from: Field<String>,
    /// Last day, included, such as `2026-11-30`. Default: today.
    pub to: Field<String>,
    /// Name of the time zone of the days, such as `Europe/Berlin`. Default: UTC.
    pub time_zone: Field<String>,
    /// Stores to include. Test stores are included only if `stores.test` is `true`.
    pub stores: StoresDraft,
    /// Grouping of the rows: `store`, `sku`, `day` or `order`. For `order`, the request must select
    /// a single store. Default: `store`.
    pub by: Field<String>,
}

pub(super) struct ValidStatistics {
    pub(super) days: Days,
    pub(super) zone: ZoneName,
    pub(super) by: GroupBy,
    pub(super) stores: StoreFilter,
}

impl StatisticsDraft {
    /// Returns `None` for invalid days. The result is valid only if `report` has no violations.
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
        let stores = self.stores.check(report).within(&operator.stores);
        // Rows of single orders are for the invoice of a store (ADR 29).
        let is_of_one_store = stores.set.as_ref().is_some_and(|set| set.len() <= 1);
        if by == GroupBy::Order && !is_of_one_store {
            let message = "send one store: orders are listed for one store only";
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
        let to: Option<Day> = parsed(&self.to, "to", report);
        let last = to.unwrap_or_else(|| Day::new(now, zone));
        let from: Option<Day> = parsed(&self.from, "from", report);
        // Without both days, the range cannot be checked.
        if report.violations.len() > problems {
            return None;
        }
        let first = from.unwrap_or_else(|| last.first_of_month());
        let days = Days::between(first, last, zone).map_err(|error| {
            let path = Path::Root.key("from");
            report.violation(&path, IssueCode::OutOfRange, error.to_string());
        });
        days.ok()
    }
}
