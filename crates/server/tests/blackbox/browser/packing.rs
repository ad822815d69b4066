//! The packing station, used with a scanner that only types codes and `Enter`.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::desk::Desk;
use super::driver::{Driver, in_browser};
use super::shop::Shop;
use crate::operators::Operator;

/// Number of parcels packed with each latency.
const PARCELS: usize = 20;
/// Network latencies, in milliseconds.
const LATENCIES: [u64; 3] = [0, 300, 900];
/// Time between two scans of a person in a hurry.
const HURRY: Duration = Duration::from_millis(100);
/// Time limit for twenty parcels.
const PATIENCE: Duration = Duration::from_secs(180);

/// Returns the font size of the result, and the lowest edge of the elements that must be visible
/// without scrolling.
const SIZES: &str = "const shown = ['.result', '#order', 'details.action button.primary'];
    const found = shown.map((it) => document.querySelector('#shown ' + it).getBoundingClientRect());
    const text = getComputedStyle(document.querySelector('#shown .result span'));
    return [parseFloat(text.fontSize), Math.max(...found.map((it) => it.bottom))];";

struct Scanner {
    desk: Desk,
    runs_scripts: bool,
}

impl Scanner {
    fn open(driver: &Driver, shop: &Shop, runs_scripts: bool, latency: u64) -> Self {
        let desk = Desk::impatient(driver, &shop.server, runs_scripts);
        desk.sign_in(&shop.site, "Ana");
        desk.go("/console/scan?step=pack");
        desk.is_at("Scan at pack");
        let scanner = Self { desk, runs_scripts };
        scanner.network(latency, false);
        scanner
    }

    fn network(&self, latency: u64, offline: bool) {
        let conditions = json!({
            "offline": offline, "latency": latency, "throughput": 10_000_000
        });
        let body = json!({ "network_conditions": conditions });
        let set = self.desk.client.post("chromium/network_conditions", &body);
        set.unwrap();
    }

    /// Types `code` and `Enter` into the focused element.
    fn type_code(&self, code: &str) {
        self.desk
            .command("Input.insertText", &json!({ "text": code }));
        for kind in ["keyDown", "keyUp"] {
            let key = json!({
                "type": kind, "key": "Enter", "code": "Enter", "text": "\r",
                "windowsVirtualKeyCode": 13
            });
            self.desk.command("Input.dispatchKeyEvent", &key);
        }
    }

    /// Types `code` and waits for its result.
    fn scan(&self, code: &str, result: &str) {
        self.type_code(code);
        let begin = Instant::now();
        while !self.is_field_empty() {
            assert!(begin.elapsed() < PATIENCE, "{code}: no page");
        }
        self.wait_for(result);
    }

    /// Returns whether the field is ready for the next code; `false` while another page loads.
    fn is_field_empty(&self) -> bool {
        let script = "return document.activeElement.id === 'scan-code'
            && document.activeElement.value === '' && document.readyState === 'complete';";
        let body = json!({ "script": script, "args": [] });
        let empty = self.desk.client.post("execute/sync", &body);
        empty.is_ok_and(|empty| empty == true)
    }

    fn wait_for(&self, text: &str) {
        let begin = Instant::now();
        while !self.desk.text().contains(text) {
            let shown = || self.desk.text();
            assert!(begin.elapsed() < PATIENCE, "no `{text}` in\n{}", shown());
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Creates `orders` orders of a mug, printed and checked. Returns the operator who recorded both
/// steps.
fn place(shop: &Shop, orders: usize) -> Operator {
    let admin = Operator::create(&shop.site, &shop.server, "admin", &[]);
    for number in 1..=orders {
        shop.mug(&format!("shop-{number}"));
        for step in ["print", "check"] {
            let done = json!({ "itemCode": format!("SUN-{number}-1"), "step": step });
            admin.call("production/record", &done).ok();
        }
    }
    admin
}

/// Returns the tracking numbers of the parcels of order `number`.
fn labels(shop: &Shop, number: usize) -> Vec<String> {
    let order = shop.store.shown(&format!("shop-{number}"));
    let parcels = order["shipments"].as_array().unwrap().iter();
    let labels = parcels.map(|parcel| parcel["trackingNumber"].as_str().unwrap().to_owned());
    labels.collect()
}

fn label(number: usize) -> String {
    format!("1Z{number:04}X")
}

#[test]
fn twenty_parcels_packed_and_shipped_by_a_scanner_with_scripts() {
    parcels(true);
}

#[test]
fn twenty_parcels_packed_and_shipped_by_a_scanner_without_scripts() {
    parcels(false);
}

fn parcels(runs_scripts: bool) {
    in_browser(|driver| {
        let shop = Shop::open();
        place(&shop, PARCELS * LATENCIES.len());
        thread::scope(|scope| {
            for (station, latency) in LATENCIES.into_iter().enumerate() {
                let shop = &shop;
                let first = station * PARCELS + 1;
                let scanner = Scanner::open(driver, shop, runs_scripts, latency);
                scope.spawn(move || pack(&scanner, first, latency));
            }
        });
        for number in 1..=PARCELS * LATENCIES.len() {
            assert_eq!(labels(&shop, number), [label(number)], "SUN-{number}");
        }
    });
}

/// Packs [`PARCELS`] orders, beginning with order `first`. With scripts, it never waits. Without
/// scripts, it waits only if there is no latency; otherwise it scans two parcels before their page
/// has loaded.
fn pack(scanner: &Scanner, first: usize, latency: u64) {
    for number in first..first + PARCELS {
        let (item, label) = (format!("SUN-{number}-1"), label(number));
        if !scanner.runs_scripts && latency == 0 {
            scanner.scan(&item, &format!("SUN-{number} is complete: scan its label."));
            scanner.scan(&label, &format!("SUN-{number} shipped: 1 unit."));
            continue;
        }
        for code in [&item, &label] {
            scanner.type_code(code);
            thread::sleep(HURRY);
        }
        if !scanner.runs_scripts && number % 2 == 0 {
            scanner.wait_for(&format!("SUN-{number} shipped: 1 unit."));
            while !scanner.is_field_empty() {}
        }
    }
    let last = first + PARCELS - 1;
    scanner.wait_for(&format!("SUN-{last} shipped: 1 unit."));
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

#[test]
fn an_unresponsive_server_stops_the_scan_queue_without_loss() {
    in_browser(|driver| {
        let shop = Shop::open();
        place(&shop, 2);
        let scanner = Scanner::open(driver, &shop, true, 0);
        scanner.scan("SUN-1-1", "SUN-1 is complete");
        scanner.network(0, true);
        for code in ["1Z0001X", "SUN-2-1", "1Z0002X"] {
            scanner.type_code(code);
        }
        scanner.wait_for("Stop: the server does not answer. Not sent: 1Z0001X, SUN-2-1, 1Z0002X");
        assert!(labels(&shop, 1).is_empty());
        scanner.network(0, false);
        scanner.desk.press("Send again");
        scanner.wait_for("SUN-2 shipped: 1 unit.");
        for number in [1, 2] {
            assert_eq!(labels(&shop, number), [label(number)]);
        }
    });
}

#[test]
fn result_missing_units_and_ship_button_are_visible_without_scrolling() {
    in_browser(|driver| {
        let shop = Shop::open();
        place(&shop, 2);
        let scanner = Scanner::open(driver, &shop, true, 0);
        let window = json!({
            "width": 1366, "height": 768, "deviceScaleFactor": 1, "mobile": false
        });
        let desk = &scanner.desk;
        desk.command("Emulation.setDeviceMetricsOverride", &window);
        scanner.scan("SUN-1-1", "SUN-1 is complete");
        scanner.scan("SUN-2-1", "SUN-1 is packed and not sent");
        let sizes: Value = desk.client.execute(SIZES, &[]);
        let (text, bottom) = (sizes[0].as_f64().unwrap(), sizes[1].as_f64().unwrap());
        assert!(text >= 40.0, "{text} px");
        assert!(bottom <= 768.0, "{bottom} px");
    });
}
