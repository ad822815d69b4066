//! Filters by time of creation.

use serde_json::json;

use crate::common::{Site, on_both_databases, order};

on_both_databases!(a_time_range_limits_a_search,);

fn a_time_range_limits_a_search(site: &Site) {
    let (_server, client) = site.open();
    let mut created = Vec::new();
    for i in 0..5 {
        let made = client.create(&order(&format!("time-{i}")));
        created.push(millis(made["createdAt"].as_str().unwrap()));
    }
    let found = |from: i64, to: i64| {
        client
            .search(&json!({ "fromTime": from, "toTime": to }))
            .len()
    };
    let within = |from: i64, to: i64| {
        created
            .iter()
            .filter(|at| (from..=to).contains(*at))
            .count()
    };
    let (first, last) = (created[0], created[4]);
    for (from, to) in [
        (first, last),
        (created[1], created[3]),
        (first, first),
        (last, last),
        (last + 1, last + 9),
        (first - 9, first - 1),
    ] {
        assert_eq!(
            found(from, to),
            within(from, to),
            "{from} to {to} of {created:?}"
        );
    }
    assert_eq!(found(0, 0), 5, "0 is no bound");
    assert_eq!(
        client.search(&json!({ "fromTime": last })).len(),
        within(last, i64::MAX)
    );
    assert_eq!(
        client.search(&json!({ "toTime": first })).len(),
        within(0, first)
    );
    assert_eq!(
        client
            .search(&json!({ "fromTime": null, "searchKey": "time-2", "toTime": last }))
            .len(),
        1
    );
    assert_eq!(
        client
            .search(&json!({ "toTime": 100_000_000_000_000_i64 }))
            .len(),
        5
    );
}

/// Converts a time such as `2024-06-08T03:49:12.905Z` to milliseconds since 1970.
fn millis(text: &str) -> i64 {
    let numbers: Vec<i64> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|part| part.parse().ok())
        .collect();
    let [year, month, day, hour, minute, second, milli] = numbers[..] else {
        panic!("{text}")
    };
    // Days since 1970, by counting years from March (Howard Hinnant, "chrono-compatible low-level
    // date algorithms").
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milli
}
