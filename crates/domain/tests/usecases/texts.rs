//! White space, blanks and control characters: what becomes of them in every text of a request.

use pressline_domain::catalog::{CatalogAdmin, ImportOptions, Variant};
use pressline_domain::field::Field;
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, ItemChange, LineItemDraft, OrderDraft, UpdateDraft,
};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::order::{Order, OrderError};

use super::fixture::*;

/// Changes every text of the address that can hold any characters.
fn each_text(address: &mut AddressDraft, change: impl Fn(&str) -> String) {
    let AddressDraft {
        first_name,
        last_name,
        name,
        company,
        address1,
        address2,
        city,
        zip,
        province,
        phone,
        tax_number,
        eur_tax_value,
        ..
    } = address;
    for field in [
        first_name,
        last_name,
        name,
        company,
        address1,
        address2,
        city,
        zip,
        province,
        phone,
        tax_number,
        eur_tax_value,
    ] {
        *field = Field::Value(change(field.text().unwrap_or("x")));
    }
}

/// A request in which every text is changed that can hold any characters.
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

/// The paths of the texts that [`changed`] changes.
fn paths() -> Vec<String> {
    let of_address = [
        "first_name",
        "last_name",
        "name",
        "company",
        "address1",
        "address2",
        "city",
        "zip",
        "province",
        "phone",
        "tax_number",
        "eur_tax_value",
    ];
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

/// What is stored of the request, without what each creation makes new.
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

/// They became two parcels, and the class was priced as Standard.
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
    assert_eq!(padded.order.parts().fees, plain.order.parts().fees);
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

/// An id that came back as another one would not be found by its sender.
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

#[tokio::test]
async fn in_an_update_blank_texts_clear_and_null_leaves() {
    let shop = Shop::open().await;
    let full = LineItemDraft {
        name: "Cup".into(),
        ref_id: "r".into(),
        ship_class: "Express".into(),
        ..item("MUG-11", 1)
    };
    let id = shop
        .create(&order_of("T-1", vec![full]))
        .await
        .unwrap()
        .order
        .parts()
        .items[0]
        .id
        .to_string();
    let change = |item: LineItemDraft| UpdateDraft {
        line_items: Field::Value(vec![
            ItemChange {
                app_item_id: format!(" {id}\n").as_str().into(),
                item,
                ..ItemChange::default()
            }
            .into(),
        ]),
        ..update(" T-1 ")
    };
    let kept = shop
        .update(&change(LineItemDraft::default()))
        .await
        .unwrap()
        .order;
    assert_eq!(kept.parts().items[0].ref_id.as_deref(), Some("r"));
    for blank in ["", " \t\n"] {
        let cleared = LineItemDraft {
            ref_id: blank.into(),
            ship_class: blank.into(),
            ..LineItemDraft::default()
        };
        let order = shop.update(&change(cleared)).await.unwrap().order;
        assert_eq!(
            (
                &order.parts().items[0].ref_id,
                &order.parts().items[0].ship_class
            ),
            (&None, &None)
        );
        let back = LineItemDraft {
            ref_id: "r".into(),
            ship_class: "Express".into(),
            ..LineItemDraft::default()
        };
        shop.update(&change(back)).await.unwrap();
        let no_sku = LineItemDraft {
            sku: blank.into(),
            ..LineItemDraft::default()
        };
        expect(
            "no SKU",
            shop.update(&change(no_sku)).await,
            &[("line_items[0].sku", "required")],
        );
    }
}

#[tokio::test]
async fn a_search_key_has_no_control_characters_and_its_white_space_only_separates() {
    let shop = Shop::open().await;
    shop.create(&order("shop-1-8533")).await.unwrap();
    for (key, found) in [
        (" 8533\n", 1),
        ("ana\tshop", 1),
        ("ana\r\nshop", 1),
        ("#8533", 1),
        ("ana -", 0),
        (" ", 1),
    ] {
        let draft = SearchDraft {
            search_key: key.into(),
            ..SearchDraft::default()
        };
        let page = shop.service.search(&shop.store, &draft).await.unwrap();
        assert_eq!(page.page.entries.len(), found, "{key:?}");
    }
    let draft = SearchDraft {
        search_key: "a\u{1}b".into(),
        ..SearchDraft::default()
    };
    expect(
        "a control character",
        shop.service.search(&shop.store, &draft).await,
        &[("searchKey", "invalid_format")],
    );
}

/// 100 items whose three texts have as many different words as fit into the characters: U+3316
/// folds to six letters, and each other letter takes four bytes and is a word of its own.
#[tokio::test]
async fn an_order_with_more_words_than_can_be_stored_is_refused() {
    let shop = Shop::open().await;
    let mut letters = ('\u{20000}'..'\u{2a6d0}').cycle();
    let mut text = || -> String {
        let words: Vec<String> = letters.by_ref().take(127).map(String::from).collect();
        words.join("\u{10100}")
    };
    let mut list = |count: usize| -> Vec<LineItemDraft> {
        let mut full = || LineItemDraft {
            name: text().as_str().into(),
            ref_id: text().as_str().into(),
            ..item(&text(), 1)
        };
        (0..count).map(|_| full()).collect()
    };
    let widest = OrderDraft {
        line_items: items(list(80)),
        ..order("T-1")
    };
    assert!(shop.create(&widest).await.is_ok());
    let draft = OrderDraft {
        line_items: items(list(100)),
        ..order("T-2")
    };
    expect(
        "created",
        shop.create(&draft).await,
        &[("line_items", "too_long")],
    );
    assert_eq!(shop.stored("T-2").await, None);
    let quote = shop.service.quote_create(&shop.store, &draft).await;
    assert!(
        matches!(&quote, Err(OrderError::Invalid { violations, .. }) if listed(violations) == [("line_items", "too_long")]),
        "{quote:?}"
    );

    // As an update too, which then changes nothing.
    shop.create(&order("T-3")).await.unwrap();
    let added = list(99).into_iter().map(|item| {
        ItemChange {
            item,
            ..ItemChange::default()
        }
        .into()
    });
    let grown = UpdateDraft {
        version: 1.into(),
        line_items: Field::Value(added.collect()),
        ..update("T-3")
    };
    expect(
        "updated",
        shop.update(&grown).await,
        &[("line_items", "too_long")],
    );
    assert_eq!(shop.stored("T-3").await.unwrap().parts().version, 1);
}

/// The names that the catalog has by then would make the order too large, but it is stored already.
#[tokio::test]
async fn a_retry_is_answered_even_where_new_names_of_the_catalog_would_not_fit() {
    let shop = Shop::open().await;
    let mut letters = '\u{20000}'..'\u{2a6d0}';
    let mut text = || -> String {
        let words: Vec<String> = letters.by_ref().take(127).map(String::from).collect();
        words.join("\u{10100}")
    };
    let list: Vec<LineItemDraft> = (0..100)
        .map(|_| LineItemDraft {
            ref_id: text().as_str().into(),
            ..item(&text(), 1)
        })
        .collect();
    let named = list
        .iter()
        .map(|item| Variant::single(item.sku.text().unwrap(), &text()))
        .collect::<Vec<_>>();
    let draft = OrderDraft {
        line_items: items(list),
        ..order("T-1")
    };
    let first = shop.create(&draft).await.unwrap().order;
    shop.catalog
        .import(&named, &ImportOptions::default())
        .await
        .unwrap();
    let again = shop.create(&draft).await.unwrap();
    assert_eq!((again.replayed, again.order), (true, first));
    let new = OrderDraft {
        order_id: "T-2".into(),
        ..draft
    };
    expect(
        "a new one",
        shop.create(&new).await,
        &[("line_items", "too_long")],
    );
}
