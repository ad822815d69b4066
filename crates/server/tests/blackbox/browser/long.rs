//! Layout of long names and notes in lists, measured in a real browser.

use serde_json::{Value, json};

use super::desk::{Desk, Hands};
use super::driver::in_browser;
use super::looks::{show, too_wide};
use super::shop::Shop;
use crate::common::{item, order};

/// Returns table rows and cards that are higher than the argument, in pixels.
const TALL: &str = "return [...document.querySelectorAll('tbody tr, .problem-card .summary')]
    .map((it) => [Math.round(it.getBoundingClientRect().height), it.textContent.trim().slice(0, 40)])
    .filter(([height]) => height > arguments[0]);";
/// Returns words on buttons that are broken across lines.
const BROKEN: &str = "return [...document.querySelectorAll('main button, main .button, main .chip')].flatMap((it) => {
    const broken = [];
    const texts = document.createTreeWalker(it, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        if (text.parentElement.closest('.hidden')) continue;
        for (const word of text.data.matchAll(/\\S+/g)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map((rect) => rect.top)).size > 1) broken.push(word[0]);
        }
    }
    return broken;
});";
const PAGES: [&str; 8] = [
    "/console",
    "/console/queue",
    "/console/queue?group=sku",
    "/console/orders",
    "/console/batches",
    "/console/batches/BATCH-1",
    "/console/problems?kinds=unpriced",
    "/console/scan?step=print&order=SUN-1",
];

fn with_long_texts() -> Value {
    let mut long = order("long");
    long["customer"]["last_name"] = json!("Wolfeschlegelsteinhausenbergerdorff");
    let mut items = [
        item("MUG-11", 1, 1),
        item("TEE-M", 1, 2),
        item("NO-SUCH-SKU", 1, 1),
    ];
    items[0]["name"] = json!("A mug with a very long name of its own ".repeat(6).trim());
    items[1]["name"] = json!("W".repeat(250));
    items[2]["name"] = json!("Donaudampfschifffahrtsgesellschaft".repeat(7));
    long["line_items"] = json!(items);
    long
}

fn write_note(desk: &Desk) {
    let note = "Print the second side first. ".repeat(68);
    desk.go("/console/orders/SUN-1/update");
    desk.fill("Production note", &format!("{note}This is the end."));
    desk.fill("Reason", "asked by phone");
    desk.press("Edit order");
    desk.sees("Order changed.");
}

#[test]
fn long_names_and_notes_break_no_layout_and_are_one_click_away() {
    in_browser(|driver| {
        let shop = Shop::open();
        shop.store.create(&with_long_texts());
        for runs_scripts in [true, false] {
            let desk = Desk::with(driver, &shop.server, runs_scripts, Hands::Mouse);
            desk.sign_in(&shop.site, "Ana");
            if runs_scripts {
                write_note(&desk);
                desk.go("/console/queue");
                desk.tick("Select SUN-1-1");
                desk.tick("Select SUN-1-2");
                desk.press("Make batch");
                desk.sees("BATCH-1 is made of 2 items.");
            }
            for (look, limit) in [("light", 130), ("320 px", 640)] {
                show(&desk, look);
                for path in PAGES {
                    desk.go(path);
                    let tall = desk.client.execute(TALL, &[limit.into()]);
                    assert_eq!(tall, json!([]), "{path}, {look}");
                    assert_eq!(
                        desk.client.execute(BROKEN, &[]),
                        json!([]),
                        "{path}, {look}"
                    );
                    assert_eq!(too_wide(&desk), json!([]), "{path}, {look}");
                }
            }
            show(&desk, "light");
            desk.go("/console/queue?sku=MUG-11");
            assert!(!desk.text().contains("This is the end."));
            desk.follow_at("(//td[@data-label='Note']//summary)[1]", "the note");
            desk.sees("This is the end.");
            // Where units of several stores are added up, the catalog's name is shown.
            for path in [
                "/console",
                "/console/queue?group=sku",
                "/console/print/picklist",
            ] {
                desk.go(path);
                desk.sees("Mug, 11 oz");
                assert!(!desk.text().contains("of its own"), "{path}");
            }
            desk.leave();
        }
    });
}
