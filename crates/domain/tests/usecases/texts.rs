//! White space, blanks and control characters in every text of a request.

mod update;
mod words;

use pressline_domain::catalog::VariantParts;
use pressline_domain::check::Field;
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, ItemChange, LineItemDraft, OrderDraft, UpdateDraft,
};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::order::{Order, OrderError};

use super::fixture::*;

/// Returns the texts of `address` that accept any characters, each with its key.
fn address_texts(address: &mut AddressDraft) -> [(&'static str, &mut Field<String>); 12] {
    [
        ("first_name", &mut address.first_name),
        ("last_name", &mut address.last_name),
        ("name", &mut address.name),
        ("company", &mut address.company),
        ("address1", &mut address.address1),
        ("address2", &mut address.address2),
        ("city", &mut address.city),
        ("zip", &mut address.zip),
        ("province", &mut address.province),
        ("phone", &mut address.phone),
        ("tax_number", &mut address.tax_number),
        ("eur_tax_value", &mut address.eur_tax_value),
    ]
}

fn each_text(address: &mut AddressDraft, change: impl Fn(&str) -> String) {
    for (_, field) in address_texts(address) {
        *field = Field::Value(change(field.text().unwrap_or("x")));
    }
}

/// Returns a request with `change` applied to every text that accepts any characters.
fn changed(change: impl Fn(&str) -> String + Copy) -> OrderDraft {
    let (mut shipping, mut billing) = (address(), address());
    each_text(&mut shipping, change);
    each_text(&mut billing, change);
    let item = LineItemDraft {
        name: change("Mug").as_str().into(),
        sku: change("MUG-11").as_str().into(),
        ship_class: change("Express").as_str().into(),
        ref_id: change("ref").as_str().into(),
        ..item("MUG-11", 1)
    };
    OrderDraft {
        shipping_address: shipping.into(),
        billing_address: billing.into(),
        customer: CustomerDraft {
            first_name: change("Ana").as_str().into(),
            last_name: change("B").as_str().into(),
        }
        .into(),
        ..order_of("T-1", vec![item])
    }
}

/// Paths of the texts that [`changed`] changes.
fn paths() -> Vec<String> {
    let mut address = address();
    let of_address = address_texts(&mut address).map(|(key, _)| key);
    let addresses = ["shipping_address", "billing_address"]
        .into_iter()
        .flat_map(|address| of_address.iter().map(move |key| format!("{address}.{key}")));
    let others = [
        "customer.first_name",
        "customer.last_name",
        "line_items[0].name",
        "line_items[0].sku",
        "line_items[0].shipClass",
        "line_items[0].refId",
    ];
    let mut paths: Vec<String> = addresses.chain(others.map(str::to_owned)).collect();
    paths.sort();
    paths
}

/// Returns the stored texts of `order`, without values that differ for each order.
fn texts(order: &Order) -> (String, Vec<String>) {
    let parts = order.parts();
    let items = parts.items.iter().map(|item| {
        format!(
            "{} {:?} {:?} {:?} {:?}",
            item.sku, item.name, item.ship_class, item.ref_id, item.file_urls
        )
    });
    let addresses = format!(
        "{} {:?} {:?} {:?} {:?}",
        parts.order_id, parts.email, parts.shipping_address, parts.billing_address, parts.customer
    );
    (addresses, items.collect())
}

#[tokio::test]
async fn white_space_around_every_text_is_cut_off_and_makes_no_other_request() {
    let shop = Shop::open().await;
    let plain = OrderDraft {
        email: "ana@example.com".into(),
        ..changed(str::to_owned)
    };
    let mut padded = changed(|text| format!(" \t\r\n\u{a0}{text}\u{3000}\n "));
    padded.order_id = "\n T-1\t".into();
    padded.email = " ana@example.com\n".into();
    let first = shop.create(&plain).await.unwrap();
    let again = shop.create(&padded).await.unwrap();
    assert!(
        again.replayed,
        "a retry with white space around its texts is the same request"
    );
    assert_eq!(
        listed(&again.warnings),
        listed(&first.warnings),
        "cutting it off is not worth a warning"
    );

    let other = Shop::open().await;
    let stored = other.create(&padded).await.unwrap().order;
    assert_eq!(texts(&stored), texts(&first.order));
}

#[tokio::test]
async fn urls_and_codes_lose_the_white_space_around_them_too() {
    let shop = Shop::open().await;
    let url = format!(" {URL}\n");
    let item = LineItemDraft {
        file_urls: urls(&[&url]),
        mockup_images: urls(&[&url]),
        ..item("MUG-11", 1)
    };
    let draft = OrderDraft {
        shipping_address: AddressDraft {
            country_code: " us ".into(),
            province_code: " il\t".into(),
            ..address()
        }
        .into(),
        ..order_of("T-1", vec![item])
    };
    let order = shop.create(&draft).await.unwrap().order;
    let parts = order.parts();
    assert_eq!(
        (
            &parts.items[0].file_urls[..],
            &parts.items[0].mockup_images[..]
        ),
        (&[URL.to_owned()][..], &[URL.to_owned()][..])
    );
    let address = parts.shipping_address.as_ref().unwrap();
    assert_eq!(
        (
            address.country_code.as_deref(),
            address.province_code.as_deref()
        ),
        (Some("US"), Some("US-IL"))
    );
}

/// Otherwise they would be two parcels, and the class would be priced as Standard.
#[tokio::test]
async fn skus_and_ship_classes_with_white_space_are_those_without() {
    let shop = Shop::open().await;
    let padded = order_of(
        "T-1",
        vec![
            in_class(item(" MUG-11 ", 1), " Express "),
            in_class(item("MUG-11", 1), "Express"),
        ],
    );
    let plain = order_of(
        "T-2",
        vec![
            in_class(item("MUG-11", 1), "Express"),
            in_class(item("MUG-11", 1), "Express"),
        ],
    );
    let (padded, plain) = (
        shop.create(&padded).await.unwrap(),
        shop.create(&plain).await.unwrap(),
    );
    assert_eq!(
        padded.order.parts().bill.fees(),
        plain.order.parts().bill.fees()
    );
    assert_eq!(listed(&padded.warnings), []);
}

#[tokio::test]
async fn control_characters_are_refused_in_every_text() {
    let shop = Shop::open().await;
    for control in [
        '\u{0}', '\u{1}', '\u{7}', '\u{b}', '\u{c}', '\u{1b}', '\u{1f}', '\u{7f}', '\u{80}',
        '\u{85}', '\u{9f}',
    ] {
        let draft = changed(|text| format!("{text}{control}x"));
        let mut found = problems(shop.create(&draft).await);
        found.sort();
        let wanted: Vec<(String, &str)> = paths()
            .into_iter()
            .map(|path| (path, "invalid_format"))
            .collect();
        assert_eq!(found, wanted, "{control:?}");
    }
    for (what, draft, path) in [
        (
            "order id",
            OrderDraft {
                order_id: "T\u{1}1".into(),
                ..order("T-1")
            },
            "order_id",
        ),
        (
            "email",
            OrderDraft {
                email: "a\u{1}@example.com".into(),
                ..order("T-1")
            },
            "email",
        ),
        (
            "response type",
            OrderDraft {
                response_type: "nor\u{1}mal".into(),
                ..order("T-1")
            },
            "response_type",
        ),
    ] {
        expect(what, shop.create(&draft).await, &[(path, "invalid_format")]);
    }
    assert_eq!(shop.stored("T-1").await, None);
}

#[tokio::test]
async fn a_tab_becomes_a_space_and_a_line_break_a_space_with_a_warning() {
    let shop = Shop::open().await;
    let spaced = shop
        .create(&changed(|text| format!("{text} x")))
        .await
        .unwrap();
    let of_the_class = listed(&spaced.warnings);
    for (inner, warned) in [("\t", false), ("\n", true), ("\r\n", true), ("\r", true)] {
        let again = shop
            .create(&changed(|text| format!("{text}{inner}x")))
            .await
            .unwrap();
        assert!(again.replayed, "{inner:?}: compared as it is stored");
        let mut found = listed(&again.warnings);
        found.retain(|warning| !of_the_class.contains(warning));
        found.sort_unstable();
        let paths = paths();
        let wanted: Vec<(&str, &str)> = paths
            .iter()
            .map(|path| (path.as_str(), "line_break"))
            .collect();
        assert_eq!(found, if warned { wanted } else { Vec::new() }, "{inner:?}");
    }
    let texts = texts(&spaced.order);
    assert!(!format!("{texts:?}").contains(['\n', '\t', '\r']));
}

/// The store would not find its order under a normalised id.
#[tokio::test]
async fn an_order_id_has_no_tabs_and_line_breaks_within() {
    let shop = Shop::open().await;
    for id in ["T\t1", "T\n1", "T\r\n1"] {
        let draft = OrderDraft {
            order_id: id.into(),
            ..order("T-1")
        };
        expect(
            id,
            shop.create(&draft).await,
            &[("order_id", "invalid_format")],
        );
    }
}

#[tokio::test]
async fn a_production_note_keeps_its_tabs_and_line_breaks() {
    let shop = Shop::open().await;
    shop.create(&order("T-1")).await.unwrap();
    let noted = UpdateDraft {
        production_note: "\n a\tb\r\nc\nd \n".into(),
        ..update("T-1")
    };
    let placed = shop.update(&noted).await.unwrap();
    assert_eq!(
        placed.order.parts().production_note.as_deref(),
        Some("a\tb\r\nc\nd")
    );
    assert_eq!(listed(&placed.warnings), []);
    let spoiled = UpdateDraft {
        production_note: "a\u{1b}[2J".into(),
        ..update("T-1")
    };
    expect(
        "an escape",
        shop.update(&spoiled).await,
        &[("production_note", "invalid_format")],
    );
    let longest = UpdateDraft {
        production_note: format!(" {} ", "é".repeat(2000)).as_str().into(),
        ..update("T-1")
    };
    assert!(
        shop.update(&longest).await.is_ok(),
        "what is cut off does not count"
    );
    let too_long = UpdateDraft {
        production_note: "é".repeat(2001).as_str().into(),
        ..update("T-1")
    };
    expect(
        "too long",
        shop.update(&too_long).await,
        &[("production_note", "too_long")],
    );
}
