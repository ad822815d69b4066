//! Order rows: round trips, and errors that name the invalid column.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where something is amiss"
)]

mod fixtures;

use pressline_domain::error::RepositoryError;
use pressline_domain::order::Order;
use pressline_domain::value::ServiceOrderId;
use pressline_store_kit::{ItemRow, OrderRow, StateRow, StoredOrder};

fn order() -> Order {
    let prefix = fixtures::store(1).store.prefix;
    let number = ServiceOrderId { prefix, number: 17 };
    fixtures::order(1, 3).stored(number, 5).unwrap()
}

fn rows_of(order: &Order) -> StoredOrder {
    StoredOrder {
        order: OrderRow::new(order).unwrap(),
        state: StateRow::new(order).unwrap(),
        items: ItemRow::new(order.parts()).unwrap(),
        shipments: Vec::new(),
        corrections: Vec::new(),
    }
}

/// Table, column and key that the error names after `change`.
fn broken(
    change: impl FnOnce(&mut OrderRow, &mut Vec<ItemRow>),
) -> (&'static str, &'static str, String) {
    broken_rows(|rows| change(&mut rows.order, &mut rows.items))
}

fn broken_rows(change: impl FnOnce(&mut StoredOrder)) -> (&'static str, &'static str, String) {
    let mut rows = rows_of(&order());
    change(&mut rows);
    match rows.restore() {
        Err(RepositoryError::Corrupt {
            kind, field, key, ..
        }) => (kind, field, key),
        other => panic!("{other:?}"),
    }
}

#[test]
fn orders_round_trip() {
    assert_eq!(rows_of(&order()).restore().unwrap(), order());
}

#[test]
fn label_orders_round_trip() {
    let mut parts = fixtures::parts(2, 1);
    parts.label_url = Some("https://example.com/label.pdf".to_owned());
    parts.shipping_address = None;
    let number = ServiceOrderId {
        prefix: fixtures::store(1).store.prefix,
        number: 1,
    };
    let order = fixtures::placed(parts).stored(number, 1).unwrap();
    let rows = rows_of(&order);
    assert_eq!(rows.order.shipping_address, None);
    assert_eq!(rows.restore().unwrap(), order);
}

#[test]
fn the_format_of_stored_orders_is_stable() {
    let StoredOrder {
        order: row, state, ..
    } = rows_of(&order());
    // One hour after the time in the order's id.
    let window_end = 1_752_141_266_947_i64 + 3_600_000;
    // Items of the same status share a list.
    let items = format!(r#"[[[1,3],"cooling-off",{window_end}]]"#);
    assert_eq!(state.items, items);
    assert_eq!(
        row.shipping_address.unwrap(),
        r#"{"name":"Đỗ Văn 1","address1":"1 O'Neil \"Street\" \\ 1","country_code":"VN","latitude":10.123456789012344,"longitude":-0.1}"#
    );
    assert_eq!(
        row.bill,
        r#"{"lines":[["product",0,1250,"MUG: 1 x 12.50 USD by the catalog"],["shipping",null,0,"Standard to \"Đà Nẵng\": free from 10 on"],["surcharge",null,70,"Remote"],["surcharge",null,5,"Oversize"]],"free":["other"]}"#
    );
    let of_item = r#"[["https://example.com/a.png",""],[],[{"id":"main","name":"Main","size":"","note":"","requirement":"base_belongs","requireFor":[],"extraFee":0}]]"#;
    assert_eq!(row.art, format!("[{}]", [of_item; 3].join(",")));
}

#[test]
fn errors_name_the_invalid_column() {
    let key = "0197f3c2-0001-7c3a-9d52-000000000001/0197f3c2-0003-7c3a-9d52-000000000001";
    type Change = fn(&mut OrderRow, &mut Vec<ItemRow>);
    let cases: [(&str, Change); 14] = [
        ("source", |order, _| order.source.clear()),
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
            order.bill = order.bill.replace(",0,", ",9,")
        }),
        ("bill", |order, _| {
            order.bill = order.bill.replace("[\"o", "[\"")
        }),
        ("art", |order, _| order.art = "null".to_owned()),
        ("art", |order, _| {
            order.art = order.art.replace("main", "\u{1}")
        }),
        // Artwork for more items than the order has.
        ("art", |_, items| items.truncate(2)),
        // A manual order must have an address.
        ("id", |order, _| order.shipping_address = None),
    ];
    for (column, change) in cases {
        assert_eq!(broken(change), ("orders", column, key.to_owned()));
    }
    let cases: [(&str, Change); 2] = [
        ("id", |_, items| items[2].id.clear()),
        ("quantity", |_, items| items[2].quantity = -1),
    ];
    for (column, change) in cases {
        assert_eq!(broken(change), ("line_items", column, format!("{key}/2")));
    }
    type StateChange = fn(&mut StateRow);
    let cases: [(&str, StateChange); 5] = [
        ("version", |state| state.version = -1),
        ("items", |state| {
            state.items = state.items.replace("cool", "warm")
        }),
        // The list covers none of the order's items.
        ("items", |state| state.items = "[]".to_owned()),
        ("pending", |state| state.pending = Some("{}".to_owned())),
        ("replaces", |state| state.replaces = Some("x".to_owned())),
    ];
    for (column, change) in cases {
        let broken = broken_rows(|rows| change(&mut rows.state));
        assert_eq!(broken, ("order_states", column, key.to_owned()));
    }
}
