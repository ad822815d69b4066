//! The packing station, used with a scanner that only types codes and `Enter`.

use std::thread;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use rustix::process::Signal;
use serde_json::{Value, json};

use super::desk::Desk;
use super::driver::{Driver, in_browser};
use super::shop::Shop;
use crate::operators::Operator;

/// Number of parcels packed with each latency.
pub(super) const PARCELS: usize = 20;
/// Network latencies, in milliseconds.
pub(super) const LATENCIES: [u64; 3] = [0, 300, 900];
/// Time between two scans of a person in a hurry.
pub(super) const HURRY: Duration = Duration::from_millis(100);
/// Time limit for twenty parcels.
const PATIENCE: Duration = Duration::from_secs(180);

/// Returns the font size of the result, and the lowest edge of the elements that must be visible
/// without scrolling.
const SIZES: &str = "const shown = ['.result', '#order', 'details.action button.primary'];
    const found = shown.map((it) => document.querySelector('#shown ' + it).getBoundingClientRect());
    const text = getComputedStyle(document.querySelector('#shown .result span'));
    return [parseFloat(text.fontSize), Math.max(...found.map((it) => it.bottom))];";

pub(super) struct Scanner {
    pub(super) desk: Desk,
    pub(super) runs_scripts: bool,
}

impl Scanner {
    pub(super) fn open(driver: &Driver, shop: &Shop, runs_scripts: bool, latency: u64) -> Self {
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
    pub(super) fn type_code(&self, code: &str) {
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
    pub(super) fn scan(&self, code: &str, result: &str) {
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

    pub(super) fn wait_for(&self, text: &str) {
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
pub(super) fn place(shop: &Shop, orders: usize) -> Operator {
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
pub(super) fn labels(shop: &Shop, number: usize) -> Vec<String> {
    let order = shop.store.shown(&format!("shop-{number}"));
    let parcels = order["shipments"].as_array().unwrap().iter();
    let labels = parcels.map(|parcel| parcel["trackingNumber"].as_str().unwrap().to_owned());
    labels.collect()
}

pub(super) fn label(number: usize) -> String {
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
        at_stations(driver, &shop, runs_scripts, pack);
        for number in 1..=PARCELS * LATENCIES.len() {
            assert_eq!(labels(&shop, number), [label(number)], "SUN-{number}");
        }
    });
}

/// Runs `scan_all` concurrently at a station for each latency, with its first order and the
/// latency.
pub(super) fn at_stations(
    driver: &Driver,
    shop: &Shop,
    runs_scripts: bool,
    scan_all: fn(&Scanner, usize, u64),
) {
    thread::scope(|scope| {
        for (station, latency) in LATENCIES.into_iter().enumerate() {
            let first = station * PARCELS + 1;
            let scanner = Scanner::open(driver, shop, runs_scripts, latency);
            scope.spawn(move || scan_all(&scanner, first, latency));
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

/// The stopped process accepts connections, but does not answer within the ten seconds of the page.
#[cfg(target_os = "linux")]
#[test]
fn a_hanging_server_stops_the_scan_queue_without_loss() {
    in_browser(|driver| {
        let shop = Shop::open();
        place(&shop, 2);
        let scanner = Scanner::open(driver, &shop, true, 0);
        scanner.scan("SUN-1-1", "SUN-1 is complete");
        shop.server.signal(Signal::STOP);
        for code in ["1Z0001X", "SUN-2-1", "1Z0002X"] {
            scanner.type_code(code);
        }
        scanner.wait_for("Stop: the server does not answer. Not sent: 1Z0001X, SUN-2-1, 1Z0002X");
        shop.server.signal(Signal::CONT);
        scanner.desk.press("Send again");
        scanner.wait_for("SUN-2 shipped: 1 unit.");
        for number in [1, 2] {
            assert_eq!(labels(&shop, number), [label(number)]);
        }
    });
}

#[test]
fn result_missing_units_and_ship_button_are_visible_without_scrolling() {
    for runs_scripts in [true, false] {
        fits_the_screen(runs_scripts);
    }
}

fn fits_the_screen(runs_scripts: bool) {
    in_browser(|driver| {
        let shop = Shop::open();
        place(&shop, 2);
        let scanner = Scanner::open(driver, &shop, runs_scripts, 0);
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
