//! Filters of reports, named as in the operator API.

use pressline_backoffice::operator::ZoneName;
use pressline_backoffice::statistics::{Day, GroupBy, OrderStatistics, StatisticsDraft};
use pressline_domain::value::Timestamp;

use crate::shell::filter::stores::{StoreNames, store_question, stores_draft};
use crate::shell::{Fields, FormField, SignedInRequest};

pub(super) const REPORTS: &str = "/console/reports";

/// Returns the filters of the request or, without any, the days of the current month up to today.
pub(super) fn filters(visit: &SignedInRequest) -> Fields {
    let query = visit.query();
    if !query.without(&[]).is_empty() {
        return query.clone();
    }
    let today = Day::new(visit.services().clock.now(), visit.zone());
    of_days(&Fields::default(), today.first_of_month(), today)
}

pub(super) fn draft(visit: &SignedInRequest, query: &Fields) -> StatisticsDraft {
    StatisticsDraft {
        from: query.text("from"),
        to: query.text("to"),
        time_zone: visit.zone().as_str().into(),
        stores: stores_draft(query),
        by: query.text("by"),
    }
}

/// Defaults to the days of the report `shown` or, without a report, the current month up to today.
pub(super) fn questions(
    visit: &SignedInRequest,
    shown: Option<&OrderStatistics>,
    stores: &StoreNames,
) -> Vec<FormField> {
    let query = visit.query();
    let now = visit.services().clock.now();
    let today = Day::new(now, visit.zone());
    let ends = shown.and_then(|statistics| statistics.days.ends());
    let (first, last) = ends.unwrap_or_else(|| (today.first_of_month(), today));
    let typed = |name: &str, otherwise: Day| match query.get(name) {
        "" => otherwise.to_string(),
        typed => typed.to_owned(),
    };
    let groups = GroupBy::ALL.map(|by| (by.as_str(), group_text(by)));
    vec![
        FormField::day("from", "Placed from", &typed("from", first)),
        FormField::day("to", "Placed to", &typed("to", last)),
        store_question(query, stores),
        FormField::choice("by", "A row for each", query.get("by"), groups),
    ]
}

fn group_text(by: GroupBy) -> &'static str {
    match by {
        GroupBy::Store => "Store",
        GroupBy::Sku => "SKU",
        GroupBy::Day => "Day",
        GroupBy::Order => "Order of one store",
    }
}

pub(super) fn shortcuts(now: Timestamp, zone: &ZoneName) -> [(&'static str, String); 4] {
    let today = Day::new(now, zone);
    let (yesterday, month) = (today.previous(), today.first_of_month());
    let end_of_last = month.previous();
    let shortcuts = [
        ("Today", today, today),
        ("Yesterday", yesterday, yesterday),
        ("This month", month, today),
        ("Last month", end_of_last.first_of_month(), end_of_last),
    ];
    shortcuts.map(|(text, from, to)| {
        let days = of_days(&Fields::default(), from, to);
        (text, days.address(REPORTS))
    })
}

pub(super) fn of_days(filters: &Fields, from: Day, to: Day) -> Fields {
    let others = filters
        .without(&["from", "to"])
        .with("from", &from.to_string());
    others.with("to", &to.to_string())
}
