//! A batch, in three ways: made on Today, printed, checked, packed with a misprint, and sent in two
//! parcels.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use pressline_testkit::tool;
use serde_json::json;

use super::desk::{Desk, Hands};
use super::driver::in_browser;
use super::shop::Shop;
use crate::common::Finished;

#[test]
fn a_batch_with_scripts() {
    batch(true, Hands::Mouse);
}

#[test]
fn a_batch_without_scripts() {
    batch(false, Hands::Mouse);
}

#[test]
fn a_batch_by_keyboard_alone() {
    batch(true, Hands::Keys);
}

fn batch(runs_scripts: bool, hands: Hands) {
    in_browser(|driver| {
        let shop = Shop::open();
        shop.order("shop-1");
        shop.mug("shop-2");
        let desk = Desk::with(driver, &shop.server, runs_scripts, hands);
        desk.sign_in(&shop.site, "Ana");
        desk.press("Make batch of MUG-11");
        desk.sees("BATCH-1 is made of 2 items.");
        desk.press("Start batch BATCH-1");
        desk.sees("2 items started.");
        desk.follow("Print ticket");
        desk.sees("SUN-2-1");
        print_and_check(&desk);
        pack_and_ship(&desk);
        desk.go("/console");
        desk.fill("Find order", "1Z-SECOND");
        desk.press("Find");
        desk.is_at("SUN-1");
        slips(&desk, &shop);
        desk.press("Sign out");
        desk.sees("You have signed out.");
        desk.leave();
    });
}

fn scan(desk: &Desk, code: &str, result: &str) {
    desk.fill("Scan code", code);
    desk.press("Record");
    desk.sees(result);
}

fn station(desk: &Desk, step: &str) {
    desk.go("/console");
    desk.follow("Scan");
    desk.follow(step);
    desk.is_at(&format!("Scan at {step}"));
}

fn print_and_check(desk: &Desk) {
    station(desk, "print");
    // The input of a scanner with another keyboard layout.
    scan(desk, "sun 1ß1", "SUN-1-1: 2 of 2 units done at print.");
    scan(desk, "SUN-1-2", "SUN-1-2: 1 of 1 unit done at print.");
    desk.unfold("Misprint");
    desk.fill("Reason", "banding");
    desk.press("Misprint of SUN-1");
    desk.sees("SUN-1-2: misprint recorded.");
    scan(desk, "SUN-1-2", "SUN-1-2: 1 of 1 unit done at print.");
    station(desk, "check");
    scan(desk, "SUN-1-1", "SUN-1-1: 2 of 2 units done at check.");
    scan(desk, "SUN-1-2", "SUN-1-2: 1 of 1 unit done at check.");
}

fn pack_and_ship(desk: &Desk) {
    station(desk, "pack");
    scan(desk, "SUN-1-1", "SUN-1-1: 2 of 2 units done at pack.");
    desk.unfold("Ship a part: 2 units");
    ship(desk, "1Z-FIRST");
    scan(desk, "SUN-1-2", "SUN-1-2: 1 of 1 unit done at pack.");
    ship(desk, "1Z-SECOND");
}

fn ship(desk: &Desk, tracking: &str) {
    desk.fill("Carrier", "UPS");
    desk.fill("Tracking number", tracking);
    desk.press("Ship SUN-1");
    desk.sees("SUN-1 shipped");
}

/// Prints the packing slips of the batch, a page each, and reads their barcodes with `zbarimg`.
fn slips(desk: &Desk, shop: &Shop) {
    let address = format!("{}/console/print/slips?batch=BATCH-1", desk.home);
    desk.command("Page.navigate", &json!({ "url": address }));
    let printed = desk.command("Page.printToPDF", &json!({ "preferCSSPageSize": true }));
    let pdf = STANDARD.decode(printed["data"].as_str().unwrap()).unwrap();
    let text = String::from_utf8_lossy(&pdf);
    let pages = text.matches("/Type /Page").count() - text.matches("/Type /Pages").count();
    assert_eq!(pages, 2, "a slip for each order");
    let (Some(raster), Some(reader)) = (tool("barcodes", "pdftoppm"), tool("barcodes", "zbarimg"))
    else {
        return;
    };
    let file = shop.site.file("slips.pdf", &pdf);
    let run = |program: &Path, arguments: &[&str]| -> Finished {
        let mut command = std::process::Command::new(program);
        command.args(arguments).current_dir(shop.site.folder());
        command.output().unwrap().into()
    };
    // The resolutions of most label printers, and of a coarse one.
    for resolution in ["300", "150"] {
        let pages = file.to_str().unwrap();
        run(&raster, &["-r", resolution, "-png", pages, "slip"]).ok();
        let read = run(&reader, &["-q", "--raw", "slip-1.png", "slip-2.png"]).ok();
        for code in ["SUN-1-1", "SUN-1-2", "SUN-2-1"] {
            let is_read = read.out.lines().any(|line| line == code);
            assert!(is_read, "{code} at {resolution} dpi: {read:?}");
        }
    }
}
