//! Page layouts: light and dark, in forced colours, on a phone and enlarged.
//!
//! If `PRESSLINE_TEST_AXE` names a file with axe-core, it checks each page in each look.

use std::time::Instant;
use std::{env, fs};

use super::webdriver::Locator;
use pressline_testkit::skip;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::desk::Desk;
use super::driver::{Driver, in_browser};
use crate::common::{Server, TIMEOUT, wait_for};
use crate::first_run::demo;

/// Environment variable with the path of axe-core, `axe.min.js` of its package.
const AXE: &str = "PRESSLINE_TEST_AXE";
/// Checks WCAG 2.2, levels A and AA.
const RUN_AXE: &str = "const done = arguments[arguments.length - 1];
    axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
        .then((found) => done(found.violations.map((it) =>
            it.id + ': ' + it.nodes.map((node) => node.html + ' ' + node.failureSummary).join('; '))));";
/// Returns the elements that are wider than the page.
const TOO_WIDE: &str = "const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')]
        .filter((it) => it.getBoundingClientRect().right > width + 1)
        .map((it) => it.outerHTML.slice(0, 120));";

/// Pages outside the navigation, including pages for wrong or missing content.
const OTHERS: [&str; 34] = [
    "/console/account",
    "/console?test=on",
    "/console/queue?group=sku",
    "/console/queue?statuses=redy",
    "/console/queue?sku=nothing",
    "/console/orders?searchKey=nothing-of-the-kind",
    "/console/orders/import",
    "/console/orders/SUN-150",
    "/console/orders/SUN-150/update",
    "/console/orders/SUN-150/fee-lines",
    "/console/orders/SUN-150/replace",
    "/console/orders/SUN-150/move?command=hold",
    "/console/orders/SUN-150?atVersion=1",
    "/console/batches/BATCH-1",
    "/console/batches/BATCH-99",
    "/console/scan?step=pack",
    "/console/scan?step=pack&order=SUN-42",
    "/console/shipments?statuses=lost",
    "/console/shipments/import",
    "/console/problems?kinds=endpoint",
    "/console/print/slips?batch=BATCH-1&prices=1",
    "/console/print/ticket?batch=BATCH-1",
    "/console/print/picklist",
    "/console/print/labels",
    "/console/catalog/prices",
    "/console/catalog/shipping",
    "/console/catalog/fees",
    "/console/catalog/import",
    "/console/catalog/price-check",
    "/console/stores/new",
    "/console/reports?by=sku",
    "/console/system/operators",
    "/console/tasks",
    "/console/nothing",
];

/// A media feature, with the width and height of the window in CSS pixels, and the pixel ratio.
struct Look {
    name: &'static str,
    media: (&'static str, &'static str),
    window: (u32, u32, u32),
}

const LOOKS: [Look; 5] = [
    look("light", ("prefers-color-scheme", "light"), (1280, 900, 1)),
    look("dark", ("prefers-color-scheme", "dark"), (1280, 900, 1)),
    look(
        "forced colours",
        ("forced-colors", "active"),
        (1280, 900, 1),
    ),
    look("320 px", ("prefers-color-scheme", "light"), (320, 640, 1)),
    look("400 %", ("prefers-color-scheme", "dark"), (320, 225, 4)),
];

const fn look(
    name: &'static str,
    media: (&'static str, &'static str),
    window: (u32, u32, u32),
) -> Look {
    Look {
        name,
        media,
        window,
    }
}

impl Look {
    /// Returns `false` if the look changes only colours, which matter only to axe.
    fn changes_sizes(&self) -> bool {
        self.name == "light" || self.window.0 == 320
    }

    fn show(&self, desk: &Desk) {
        let (name, value) = self.media;
        let media = json!({ "features": [{ "name": name, "value": value }] });
        desk.command("Emulation.setEmulatedMedia", &media);
        let (width, height, scale) = self.window;
        let window = json!({
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false
        });
        desk.command("Emulation.setDeviceMetricsOverride", &window);
    }
}

pub(super) fn show(desk: &Desk, look: &str) {
    let found = LOOKS.iter().find(|other| other.name == look);
    found.unwrap().show(desk);
}

/// Starts the service with the demo orders of a first run, and signs its operator in.
fn demo_desk(driver: &Driver, folder: &TempDir) -> (Server, Desk) {
    let (server, _) = demo(folder.path());
    let desk = Desk::open(driver, &server);
    let link = wait_for("the link", TIMEOUT, || {
        let output = server.output();
        let mut lines = output.lines();
        lines.find_map(|line| Some(line.strip_prefix("Console: ")?.to_owned()))
    });
    desk.client.goto(&link);
    desk.press("Sign in");
    desk.is_at("Today");
    // SUN-154 is the last demo order.
    let begin = Instant::now();
    while !desk.text().contains("SUN-154") {
        assert!(
            begin.elapsed() < 2 * TIMEOUT,
            "the orders of the day are missing"
        );
        desk.go("/console/orders?searchKey=sunday-1154");
    }
    (server, desk)
}

/// Returns the paths of the navigation's pages, and of [`OTHERS`].
fn paths(desk: &Desk) -> Vec<String> {
    desk.go("/console");
    let links = Locator::Css("nav[aria-label=Main] a");
    let mut paths = Vec::new();
    for link in desk.client.find_all(links) {
        paths.push(link.attr("href").unwrap());
    }
    assert!(paths.len() > 3, "{paths:?}");
    paths.extend(OTHERS.map(str::to_owned));
    desk.go("/console/stores");
    let store = Locator::Css("main a[data-row]");
    let store = desk.client.find(store).unwrap();
    paths.push(store.attr("href").unwrap());
    paths
}

#[test]
fn every_page_fits_and_is_accessible_in_every_look() {
    in_browser(|driver| {
        let folder = TempDir::new().unwrap();
        let (_server, desk) = demo_desk(driver, &folder);
        let axe = env::var_os(AXE).map(|path| fs::read_to_string(path).unwrap());
        if axe.is_none() {
            skip("axe", format!("{AXE} is not set"));
        }
        let mut problems = Vec::new();
        for path in paths(&desk) {
            // The looks differ in style sheets only, so one load of the page serves all of them.
            desk.go(&path);
            for look in LOOKS
                .iter()
                .filter(|look| axe.is_some() || look.changes_sizes())
            {
                look.show(&desk);
                for problem in problems_of(&desk, axe.as_deref()) {
                    problems.push(format!("{path}, {}: {problem}", look.name));
                }
            }
        }
        assert!(problems.is_empty(), "{}", problems.join("\n"));
        desk.leave();
    });
}

pub(super) fn too_wide(desk: &Desk) -> Value {
    desk.client.execute(TOO_WIDE, &[])
}

fn problems_of(desk: &Desk, axe: Option<&str>) -> Vec<Value> {
    let mut problems = too_wide(desk).as_array().unwrap().clone();
    if let Some(axe) = axe {
        desk.client.execute(axe, &[]);
        let found = desk.client.execute_async(RUN_AXE);
        problems.extend(found.as_array().unwrap().clone());
    }
    problems
}
