//! Mistakes at the packing station: nothing is sent wrongly, whatever is scanned in between.

use std::thread;

use serde_json::json;

use super::driver::in_browser;
use super::packing::{HURRY, LATENCIES, PARCELS, Scanner, at_stations, label, labels, place};
use super::shop::Shop;

#[test]
fn mistakes_of_a_person_in_a_hurry_are_stopped_with_scripts() {
    mistakes(true);
}

#[test]
fn mistakes_of_a_person_in_a_hurry_are_stopped_without_scripts() {
    mistakes(false);
}

/// Number of stops that [`disturbed`] causes at each station.
const STOPS: usize = 6 * PARCELS / 5;

/// Returns whether an order of [`disturbed`] must not go out: a held order, or an order whose store
/// has asked for its cancellation.
fn must_stay(number: usize) -> bool {
    [2, 3].contains(&(number % 5))
}

fn mistakes(runs_scripts: bool) {
    in_browser(|driver| {
        let shop = Shop::open();
        let orders = PARCELS * LATENCIES.len();
        let admin = place(&shop, orders);
        for number in (1..=orders).filter(|number| must_stay(*number)) {
            if number % 5 == 2 {
                let order = json!({ "order_id": format!("SUN-{number}") });
                let hold = json!({ "command": "hold", "orders": [order], "reason": "a flaw" });
                admin.call("orders/move", &hold).ok();
            } else {
                let order = format!("shop-{number}");
                let cancel = json!({ "order_id": order, "reason": "bought twice" });
                shop.store.call("cancel", &cancel).ok();
            }
        }
        at_stations(driver, &shop, runs_scripts, disturbed);
        for number in 1..=orders {
            let expected: Vec<_> = (!must_stay(number))
                .then(|| label(number))
                .into_iter()
                .collect();
            assert_eq!(labels(&shop, number), expected, "SUN-{number}");
        }
    });
}

/// Packs [`PARCELS`] orders with a hold, a pending change, a wrong label, an item of another order
/// and an item scanned twice in each five of them. With scripts and a latency, it never waits.
fn disturbed(scanner: &Scanner, first: usize, latency: u64) {
    let mut stops = 0;
    let mut scan = |code: &str, result: &str| {
        stops += usize::from(result.starts_with("Stop"));
        if scanner.runs_scripts && latency > 0 {
            scanner.type_code(code);
            thread::sleep(HURRY);
        } else {
            scanner.scan(code, result);
        }
    };
    for number in first..first + PARCELS {
        let item = |number| format!("SUN-{number}-1");
        let (own, sent) = (label(number), format!("SUN-{number} shipped: 1 unit."));
        let done = format!("{}: 1 of 1 unit done at pack.", item(number));
        if must_stay(number) {
            let stop = format!("Stop SUN-{number} must not go out");
            scan(&item(number), &stop);
            scan(&own, &stop);
            continue;
        }
        scan(&item(number), &done);
        let again = format!("Nothing new {} was recorded before", item(number));
        match number % 5 {
            1 => scan(&item(number), &again),
            4 => {
                let other = label(number - 3);
                scan(
                    &other,
                    &format!("Stop {other} is the label of another parcel"),
                );
                let stop = format!("Stop SUN-{number} is packed and not sent.");
                scan(&item(number + 1), &stop);
                scan(&item(number), &again);
            }
            _ => {}
        }
        scan(&own, &sent);
    }
    assert_eq!(stops, STOPS);
    scanner.wait_for(&format!("SUN-{} shipped: 1 unit.", first + PARCELS - 1));
    // The slowest queue was never empty, so that its page lists all results.
    if scanner.runs_scripts && latency == LATENCIES[2] {
        assert_eq!(scanner.desk.text().matches("Stop").count(), STOPS);
    }
    scanner.desk.assert_kept_to_itself();
}

#[test]
fn unshippable_items_are_stopped_with_scripts() {
    stops(true);
}

#[test]
fn unshippable_items_are_stopped_without_scripts() {
    stops(false);
}

fn stops(runs_scripts: bool) {
    in_browser(|driver| {
        let shop = Shop::open();
        let admin = place(&shop, 5);
        let hold = json!({
            "command": "hold", "orders": [{ "order_id": "SUN-2" }], "reason": "a flaw"
        });
        admin.call("orders/move", &hold).ok();
        let cancel = json!({ "order_id": "shop-3", "reason": "bought twice" });
        shop.store.call("cancel", &cancel).ok();
        let scanner = Scanner::open(driver, &shop, runs_scripts, 0);
        for (code, result) in [
            ("SUN-1-1", "Done\nSUN-1-1: 1 of 1 unit done at pack."),
            ("SUN-1-1", "Nothing new\nSUN-1-1 was recorded before"),
            ("1Z0001X", "Done\nSUN-1 shipped: 1 unit."),
            ("1Z0001X", "Nothing new\nSUN-1 was sent before"),
            ("SUN-2", "Stop\nSUN-2 must not go out: SUN-2-1 is on-hold."),
            (
                "SUN-2-1",
                "Stop\nSUN-2 must not go out: SUN-2-1 is on-hold.",
            ),
            (
                "1Z0002X",
                "Stop\nSUN-2 must not go out: SUN-2-1 is on-hold.",
            ),
            (
                "SUN-3-1",
                "Stop\nSUN-3 must not go out: the store asks for a change",
            ),
            (
                "1Z0003X",
                "Stop\nSUN-3 must not go out: the store asks for a change",
            ),
            ("SUN-4-1", "Done\nSUN-4-1: 1 of 1 unit done at pack."),
            (
                "1Z0001X",
                "Stop\n1Z0001X is the label of another parcel, of SUN-1.",
            ),
            (
                "SUN-5-1",
                "Stop\nSUN-4 is packed and not sent. Put SUN-5-1 aside",
            ),
            ("1Z0005X", "Stop\n1Z0005X was scanned after SUN-5-1"),
            ("SUN-4-1", "Nothing new\nSUN-4-1 was recorded before"),
            ("1Z0004X", "Done\nSUN-4 shipped: 1 unit."),
            ("SUN-5-1", "Done\nSUN-5-1: 1 of 1 unit done at pack."),
            ("1Z0005X", "Done\nSUN-5 shipped: 1 unit."),
        ] {
            scanner.scan(code, &result.replace('\n', " "));
        }
        for number in [1, 4, 5] {
            assert_eq!(labels(&shop, number), [label(number)]);
        }
        for number in [2, 3] {
            assert!(labels(&shop, number).is_empty());
        }
        scanner.desk.leave();
    });
}
