//! Orders of a spreadsheet's file, previewed and placed.

use super::desk::{Desk, Hands};
use super::driver::in_browser;
use super::shop::Shop;

/// Header and rows as spreadsheets of half of Europe write them. The catalog has `MUG-11`, not
/// `MUG-12`.
fn file(way: &str) -> String {
    format!(
        "order_id;first_name;address1;city;zip;country_code;sku;quantity;file_urls\r\n\
         {way}-1;Ana;1 Rua;Lisboa;1000-001;PT;MUG-11;2;https://files.example/a.png\r\n\
         {way}-2;Zoë;2 Rua;Porto;4000;PT;MUG-12;1;https://files.example/b.png\r\n"
    )
}

#[test]
fn a_file_with_semicolons_is_previewed_with_warnings_and_imported() {
    in_browser(|driver| {
        let shop = Shop::open();
        for (way, runs_scripts, hands) in [
            ("scripts", true, Hands::Mouse),
            ("plain", false, Hands::Mouse),
            ("keys", true, Hands::Keys),
        ] {
            let desk = Desk::with(driver, &shop.server, runs_scripts, hands);
            desk.sign_in(&shop.site, "Ana");
            desk.follow("Orders");
            desk.follow("Import orders");
            desk.is_at("Import orders");
            desk.sees("Columns: order_id, ");
            desk.choose("Store", "Printery (SUN)");
            let path = shop.site.file(&format!("{way}.csv"), file(way));
            desk.attach("Choose file", &path);
            desk.press("Check file");
            desk.sees("2 orders new");
            desk.sees("“MUG-12” is not in the catalog");
            desk.sees("did you mean “MUG-11”?");
            desk.sees("2 x Mug, 11 oz");
            desk.sees("Zoë");
            desk.press("Import 2 rows");
            desk.sees("2 orders placed.");
            let order = shop.store.shown(&format!("{way}-2"));
            assert_eq!(order["childDetails"][0]["sku"], "MUG-12", "{order}");
            desk.leave();
        }
    });
}
