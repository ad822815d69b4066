//! Malicious strings that try to run or load something, in a real browser.

use serde_json::json;

use super::desk::Desk;
use super::driver::in_browser;
use super::looks::{show, too_wide};
use super::shop::Shop;
use crate::common::{item, order};

const TEXTS: [&str; 10] = [
    "<script>window.harm=1</script>",
    "</textarea></title><script>window.harm=1</script>",
    "\"><img src=//evil.example/x onerror=window.harm=1>",
    "'><svg onload=window.harm=1>",
    "\" onfocus=\"window.harm=1\" autofocus=\"",
    "<iframe src=\"javascript:parent.harm=1\"></iframe>",
    "<style>@import '//evil.example/x.css'; * { display: none }</style>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<meta http-equiv=refresh content=\"0;url=//evil.example\">",
    "<div hx-get=\"//evil.example/\" hx-trigger=\"load\" hx-on:load=\"window.harm=1\">\u{202e}gnp.exe",
];
/// Returns the effects of the strings on a page.
const HARM: &str = "return [window.harm, document.images.length, document.scripts.length,
    document.querySelectorAll('iframe, style, [onfocus], [hx-on\\\\:load]').length]";

#[test]
fn hostile_texts_run_nothing_and_load_nothing() {
    in_browser(|driver| {
        let shop = Shop::open();
        let mut hostile = order("<script>window.harm=1</script>");
        let items = TEXTS.iter().map(|text| {
            let mut item = item("MUG-11", 1, 1);
            item["name"] = json!(text);
            item
        });
        hostile["line_items"] = items.collect();
        hostile["shipping_address"]["company"] = json!("W".repeat(60));
        hostile["shipping_address"]["address2"] = json!(TEXTS[2]);
        shop.store.create(&hostile);
        let desk = Desk::open(driver, &shop.server);
        desk.sign_in(&shop.site, "Ana");
        desk.go("/console/queue");
        desk.tick("Select SUN-1-1");
        desk.press("Make batch");
        desk.sees("BATCH-1 is made of 1 item");
        show(&desk, "320 px");
        for text in TEXTS {
            desk.go("/console/orders/SUN-1");
            desk.fill("New note", text);
            desk.press("Add note");
            desk.sees("Note added.");
        }
        for path in [
            "/console",
            "/console/queue",
            "/console/orders?searchKey=%22%3E%3Cscript%3Ewindow.harm%3D1%3C%2Fscript%3E",
            "/console/orders/SUN-1",
            "/console/orders/SUN-1/update",
            "/console/orders/SUN-1/move?command=hold",
            "/console/find?text=%3Cscript%3Ewindow.harm%3D1",
            "/console/orders/SUN-1/replace",
            "/console/batches",
            "/console/batches/BATCH-1",
            "/console/scan?step=print&order=SUN-1",
            "/console/shipments?trackingNumber=%22%3E%3Cimg%20src%3D%2F%2Fevil.example%3E",
            "/console/shipments/import",
            "/console/orders/import",
            "/console/tasks",
            "/console/catalog?searchKey=%3Cscript%3Ewindow.harm%3D1",
            "/console/catalog/price-check?sku=%22%3E%3Cscript%3Ewindow.harm%3D1",
            "/console/problems",
            "/console/stores?searchKey=%3Cscript%3Ewindow.harm%3D1",
            "/console/webhooks",
            "/console/reports?from=%22%3E%3Cscript%3Ewindow.harm%3D1",
            "/console/system?subject=%22%3E%3Cscript%3Ewindow.harm%3D1",
            "/console/print/slips?order=SUN-1&prices=1",
            "/console/print/ticket?batch=BATCH-1",
            "/console/print/picklist",
            "/console/print/labels?order=SUN-1",
        ] {
            desk.go(path);
            let harm = desk.client.execute(HARM, &[]);
            assert_eq!(harm, json!([null, 0, 2, 0]), "{path}");
            assert_eq!(too_wide(&desk), json!([]), "{path}");
        }
        desk.leave();
    });
}
