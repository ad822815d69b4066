//! The tracking numbers of a day, from a file in which three are wrong, in three ways.

use std::fmt::Write;
use std::fs;

use serde_json::json;

use super::desk::{Desk, Hands};
use super::driver::{Driver, in_browser};
use super::shop::Shop;
use crate::common::{TIMEOUT, item, order, wait_for};

/// How many orders are sent.
const ORDERS: usize = 500;
/// What each way of working calls its parcels.
const WAYS: [(&str, bool, Hands); 3] = [
    ("SCRIPTS", true, Hands::Mouse),
    ("PLAIN", false, Hands::Mouse),
    ("KEYS", true, Hands::Keys),
];

#[test]
fn five_hundred_tracking_numbers_of_which_three_are_wrong() {
    in_browser(|driver| {
        let shop = Shop::open();
        std::thread::scope(|scope| {
            for worker in 0..2 {
                let shop = &shop;
                scope.spawn(move || place(shop, worker));
            }
        });
        for (way, runs_scripts, hands) in WAYS {
            let desk = Desk::with(driver, &shop.server, runs_scripts, hands);
            desk.sign_in(&shop.site, "Ana");
            import(driver, &desk, &shop, way);
            desk.leave();
        }
    });
}

/// Places half of the orders, each with a unit for each way.
fn place(shop: &Shop, worker: usize) {
    for number in (worker..ORDERS).step_by(2) {
        let mut mugs = order(&format!("shop-{number}"));
        mugs["line_items"] = json!([item("MUG-11", 3, 1)]);
        shop.store.create(&mugs);
    }
}

/// Returns the file: a unit of each order in a parcel of its own. Those of the given lines are wrong.
fn file(way: &str, has_wrong: bool) -> String {
    let mut file = "order_id,carrier,tracking_number,quantity,item_id\n".to_owned();
    for number in 1..=ORDERS {
        let row = match (has_wrong, number) {
            (true, 7) => format!("SUN-900,UPS,{way}-{number},1,SUN-900-1"),
            (true, 250) => format!("SUN-{number},UPS,{way}-{number},many,SUN-{number}-1"),
            (true, 500) => format!("SUN-{number},UPS,,1,SUN-{number}-1"),
            _ => format!("SUN-{number},UPS,{way}-{number},1,SUN-{number}-1"),
        };
        writeln!(file, "{row}").unwrap();
    }
    file
}

fn import(driver: &Driver, desk: &Desk, shop: &Shop, way: &str) {
    desk.follow("Shipments");
    desk.is_at("Shipments");
    desk.follow("Import parcels");
    desk.is_at("Import parcels");
    let wrong = shop.site.file(&format!("{way}.csv"), file(way, true));
    desk.attach("Choose file", &wrong);
    desk.press("Check file");
    desk.sees("3 problems: nothing can be imported");
    for line in ["8", "251", "501"] {
        let path = format!("//table//tr/th[.='{line}']");
        desk.finds(&path);
    }
    let errors = download(driver, desk);
    assert_eq!(errors.lines().count(), 4, "{errors}");
    let right = shop.site.file(&format!("{way}-2.csv"), file(way, false));
    desk.attach("Choose file", &right);
    desk.press("Check file");
    desk.sees("500 parcels new");
    desk.press("Import 500 rows");
    desk.sees("500 parcels recorded.");
    // One of them, as its customer names it.
    desk.fill("Find order", &format!("{way}-250"));
    desk.press("Find");
    desk.is_at("SUN-250");
    desk.sees(&format!("{way}-250"));
}

/// Downloads the list of errors.
fn download(driver: &Driver, desk: &Desk) -> String {
    let folder = driver.folder("downloads");
    let behaviour = json!({ "behavior": "allow", "downloadPath": folder });
    desk.command("Browser.setDownloadBehavior", &behaviour);
    desk.follow("Download errors");
    let file = wait_for("the file with the errors", TIMEOUT, || {
        let mut files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap());
        let file = files.find(|file| file.path().extension().is_some_and(|end| end == "csv"))?;
        fs::read_to_string(file.path())
            .ok()
            .filter(|text| text.ends_with('\n'))
    });
    fs::remove_dir_all(&folder).unwrap();
    file
}
