//! A day's tracking numbers, imported from a file with three wrong rows, in three ways.

use std::fmt::Write;
use std::{env, fs};

use serde_json::json;

use super::desk::{Desk, Hands};
use super::driver::{Driver, in_browser};
use super::shop::Shop;
use crate::common::{TIMEOUT, item, order, wait_for};

/// Environment variable with the number of orders. Each order gets a tracking number.
const ORDERS_VARIABLE: &str = "PRESSLINE_TEST_TRACKING_NUMBERS";
/// Default of [`ORDERS_VARIABLE`].
const ORDERS: usize = 100;
/// Tracking number prefix, scripts and input device of each way.
const WAYS: [(&str, bool, Hands); 3] = [
    ("SCRIPTS", true, Hands::Mouse),
    ("PLAIN", false, Hands::Mouse),
    ("KEYS", true, Hands::Keys),
];

#[test]
fn a_file_with_three_wrong_tracking_numbers_is_corrected_and_imported() {
    in_browser(|driver| {
        let orders = env::var(ORDERS_VARIABLE).map_or(ORDERS, |orders| orders.parse().unwrap());
        let shop = Shop::open();
        std::thread::scope(|scope| {
            for worker in 0..2 {
                let shop = &shop;
                scope.spawn(move || place(shop, (worker..orders).step_by(2)));
            }
        });
        for (way, runs_scripts, hands) in WAYS {
            let desk = Desk::with(driver, &shop.server, runs_scripts, hands);
            desk.sign_in(&shop.site, "Ana");
            import(driver, &desk, &shop, (way, orders));
            desk.leave();
        }
    });
}

/// Places the orders `numbers`, each with a unit per way.
fn place(shop: &Shop, numbers: impl Iterator<Item = usize>) {
    for number in numbers {
        let mut mugs = order(&format!("shop-{number}"));
        mugs["line_items"] = json!([item("MUG-11", 3, 1)]);
        shop.store.create(&mugs);
    }
}

fn wrong_numbers(orders: usize) -> [usize; 3] {
    [7, orders / 2, orders]
}

/// Returns a file with a parcel for each of `orders` orders. If `has_wrong`, the rows of
/// [`wrong_numbers`] are wrong in three ways.
fn file((way, orders): (&str, usize), has_wrong: bool) -> String {
    let mut file = "order_id,carrier,tracking_number,quantity,item_id\n".to_owned();
    for number in 1..=orders {
        let kind = wrong_numbers(orders)
            .iter()
            .position(|wrong| *wrong == number);
        let row = match kind.filter(|_| has_wrong) {
            Some(0) => format!("SUN-9000,UPS,{way}-{number},1,SUN-9000-1"),
            Some(1) => format!("SUN-{number},UPS,{way}-{number},many,SUN-{number}-1"),
            Some(_) => format!("SUN-{number},UPS,,1,SUN-{number}-1"),
            None => format!("SUN-{number},UPS,{way}-{number},1,SUN-{number}-1"),
        };
        writeln!(file, "{row}").unwrap();
    }
    file
}

fn import(driver: &Driver, desk: &Desk, shop: &Shop, (way, orders): (&str, usize)) {
    desk.follow("Shipments");
    desk.is_at("Shipments");
    desk.follow("Import parcels");
    desk.is_at("Import parcels");
    let wrong = shop
        .site
        .file(&format!("{way}.csv"), file((way, orders), true));
    desk.attach("Choose file", &wrong);
    desk.press("Check file");
    desk.sees("3 problems: nothing can be imported");
    for number in wrong_numbers(orders) {
        // The first line contains the column names.
        let path = format!("//table//tr/th[.='{}']", number + 1);
        desk.finds(&path);
    }
    let errors = download(driver, desk);
    assert_eq!(errors.lines().count(), 4, "{errors}");
    let right = shop
        .site
        .file(&format!("{way}-2.csv"), file((way, orders), false));
    desk.attach("Choose file", &right);
    desk.press("Check file");
    desk.sees(&format!("{orders} parcels new"));
    desk.press(&format!("Import {orders} rows"));
    desk.sees(&format!("{orders} parcels recorded."));
    // Finds one of the orders by its tracking number.
    let number = orders / 2;
    desk.fill("Find order", &format!("{way}-{number}"));
    desk.press("Find");
    desk.is_at(&format!("SUN-{number}"));
    desk.sees(&format!("{way}-{number}"));
}

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
