//! Rows and the domain: what goes in comes out, and what is broken is named.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where something is amiss"
)]

mod fixtures;

use pressline_domain::error::RepositoryError;
use pressline_domain::id::ServiceOrderId;
use pressline_domain::order::Order;
use pressline_store_kit::{ItemRow, KeyRow, OrderRow, StoreRow};

fn order() -> Order {
    let prefix = fixtures::store(1).store.prefix;
    fixtures::order(1, 3).numbered(ServiceOrderId { prefix, number: 17 })
}

fn rows() -> (OrderRow, Vec<ItemRow>) {
    (
        OrderRow::of(&order()).unwrap(),
        ItemRow::of(&order()).unwrap(),
    )
}

/// Where a broken row is said to be broken.
fn broken(
    change: impl FnOnce(&mut OrderRow, &mut Vec<ItemRow>),
) -> (&'static str, &'static str, String) {
    let (mut row, mut items) = rows();
    change(&mut row, &mut items);
    match row.restore(items) {
        Err(RepositoryError::Corrupt {
            kind, field, key, ..
        }) => (kind, field, key),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_order_comes_back_as_it_was() {
    let (row, items) = rows();
    assert_eq!(row.restore(items).unwrap(), order());
}

#[test]
fn a_label_order_comes_back_as_it_was() {
    let mut parts = fixtures::parts(2, 1);
    parts.label_url = Some("https://example.com/label.pdf".to_owned());
    parts.shipping_address = None;
    let number = ServiceOrderId {
        prefix: fixtures::store(1).store.prefix,
        number: 1,
    };
    let order = Order::restore(parts, number).unwrap();
    let row = OrderRow::of(&order).unwrap();
    assert_eq!(row.shipping_address, None);
    assert_eq!(row.restore(ItemRow::of(&order).unwrap()).unwrap(), order);
}

#[test]
fn stored_names_stay_what_they_are() {
    let (row, _) = rows();
    assert_eq!(
        row.shipping_address.unwrap(),
        r#"{"name":"Đỗ Văn 1","address1":"1 O'Neil \"Street\" \\ 1","country_code":"VN","latitude":10.123456789012344,"longitude":-0.1}"#
    );
    assert_eq!(
        row.bill,
        r#"{"lines":[["product","0197f3c2-0004-7c3a-9d52-0000000003e8",1250,"MUG: 1 x 12.50 USD by the catalog"],["shipping",null,0,"Standard to \"Đà Nẵng\": free from 10 on"],["surcharge",null,70,"Remote"],["surcharge",null,5,"Oversize"]],"free":["other"]}"#
    );
    let of_item = r#"[["https://example.com/a.png",""],[],[{"id":"main","name":"Main","size":"","note":"","requirement":"base_belongs","requireFor":[],"extraFee":0}]]"#;
    assert_eq!(row.art, format!("[{}]", [of_item; 3].join(",")));
}

#[test]
fn what_cannot_be_read_is_named() {
    let key = "0197f3c2-0001-7c3a-9d52-000000000001/0197f3c2-0003-7c3a-9d52-000000000001";
    type Change = fn(&mut OrderRow, &mut Vec<ItemRow>);
    let cases: [(&str, Change); 16] = [
        ("source", |order, _| order.source.clear()),
        ("version", |order, _| order.version = -1),
        ("currency", |order, _| order.currency = "US".to_owned()),
        ("shipping_address", |order, _| {
            order.shipping_address = Some("[]".to_owned())
        }),
        ("billing_address", |order, _| {
            order.billing_address = Some("{".to_owned())
        }),
        ("fingerprint", |order, _| order.fingerprint.clear()),
        ("bill", |order, _| order.bill = "{}".to_owned()),
        ("bill", |order, _| {
            order.bill = order.bill.replace("12", "-12")
        }),
        ("bill", |order, _| {
            order.bill = order.bill.replace("\"prod", "\"p")
        }),
        ("bill", |order, _| {
            order.bill = order.bill.replace("0197", "019")
        }),
        ("bill", |order, _| {
            order.bill = order.bill.replace("[\"o", "[\"")
        }),
        ("art", |order, _| order.art = "null".to_owned()),
        ("art", |order, _| {
            order.art = order.art.replace("main", "\u{1}")
        }),
        // Artwork of more items than there are.
        ("art", |_, items| items.truncate(2)),
        // A manual order without an address.
        ("id", |order, _| order.shipping_address = None),
        // An order without items.
        ("id", |order, items| {
            order.art = "[]".to_owned();
            items.clear()
        }),
    ];
    for (column, change) in cases {
        assert_eq!(broken(change), ("orders", column, key.to_owned()));
    }
    let cases: [(&str, Change); 3] = [
        ("id", |_, items| items[2].id.clear()),
        ("quantity", |_, items| items[2].quantity = -1),
        ("status", |_, items| {
            items[2].status = Some("lost".to_owned())
        }),
    ];
    for (column, change) in cases {
        assert_eq!(broken(change), ("line_items", column, format!("{key}/2")));
    }
}

#[test]
fn a_store_comes_back_as_it_was_and_a_broken_key_is_named() {
    let record = fixtures::store(1);
    let (row, mut keys) = (StoreRow::of(&record), KeyRow::of(&record));
    assert_eq!(row.clone().restore(keys.clone()).unwrap(), record);
    keys[0].key_id = "k".to_owned();
    let error = row.restore(keys).unwrap_err();
    assert_eq!(
        error.to_string(),
        "store_keys 0197f3c2-0001-7c3a-9d52-000000000001/k: the stored field key_id cannot be read"
    );
}
