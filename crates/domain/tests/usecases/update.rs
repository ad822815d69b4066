//! Updating an order: replaced values, kept values, and updates that change nothing.

mod versions;

use std::sync::Arc;

use pressline_domain::check::Field;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::request::{AddressDraft, CustomerDraft, OrderDraft, UpdateDraft};
use pressline_domain::order::{OrderError, OrderRepository, OrderWrite};
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::fixture::*;

fn full() -> OrderDraft {
    let shipping_address = AddressDraft {
        company: "Springfield Prints".into(),
        ..address()
    };
    OrderDraft {
        shipping_address: shipping_address.into(),
        ..full_order_of("T-1", vec![item("MUG-11", 2)])
    }
}

#[tokio::test]
async fn address_and_customer_are_replaced_whole_and_the_rest_stays() {
    let shop = Shop::open().await;
    let before = shop.create(&full()).await.unwrap().order;
    shop.clock.advance(1500);
    let draft = UpdateDraft {
        customer: CustomerDraft {
            last_name: "Smith".into(),
            ..CustomerDraft::default()
        }
        .into(),
        ..update("T-1")
    };
    let placed = shop.update(&draft).await.unwrap();
    assert!(!placed.replayed);
    let state = &placed.order.state;
    assert_eq!(
        (state.version, state.updated_at.as_millis()),
        (2, NOW + 1500)
    );
    let (now, was) = (placed.order.parts(), before.parts());
    assert_eq!(now.customer.name(), "Smith");
    assert_eq!(now.shipping_address.as_ref().unwrap().company, None);
    assert_eq!(
        (&now.email, &now.billing_address),
        (&was.email, &was.billing_address)
    );
    assert_eq!(
        (&now.items, &now.bill.fees()),
        (&was.items, &was.bill.fees())
    );
    assert_eq!((now.id, &now.fingerprint), (was.id, &was.fingerprint));
    assert_eq!(placed.order.service_order_id, before.service_order_id);
    assert_eq!(shop.stored("T-1").await, Some(placed.order));
}

#[tokio::test]
async fn a_blank_text_or_an_empty_object_clears_and_null_leaves() {
    let shop = Shop::open().await;
    shop.create(&full()).await.unwrap();
    let noted = UpdateDraft {
        production_note: "with care".into(),
        ..update("T-1")
    };
    shop.update(&noted).await.unwrap();
    let kept = shop.update(&update("T-1")).await.unwrap().order;
    assert_eq!(kept.parts().production_note.as_deref(), Some("with care"));
    assert!(kept.parts().email.is_some() && kept.parts().billing_address.is_some());
    let cleared = UpdateDraft {
        email: " ".into(),
        production_note: "".into(),
        billing_address: AddressDraft::default().into(),
        ..update("T-1")
    };
    let cleared = shop.update(&cleared).await.unwrap().order;
    let parts = cleared.parts();
    assert_eq!(
        (&parts.email, &parts.production_note, &parts.billing_address),
        (&None, &None, &None)
    );
}

#[tokio::test]
async fn an_order_is_updated_by_each_name_that_fits_no_other_order() {
    let shop = Shop::open().await;
    let first = shop.create(&order("T-1")).await.unwrap().order;
    let by_number = shop.update(&update("DEMO-1")).await.unwrap().order;
    assert_eq!(by_number.parts().id, first.parts().id);
    let second = shop.create(&order("DEMO-1")).await.unwrap().order;
    let refused = shop.update(&update("DEMO-1")).await;
    let Err(OrderError::Ambiguous { candidates }) = refused else {
        panic!("{refused:?}");
    };
    let ids = candidates.map(|order| order.id);
    assert_eq!(ids, [second.parts().id, first.parts().id]);
    for order in [&first, &second] {
        let id = order.parts().id;
        let by_id = shop.update(&update(&id.to_string())).await.unwrap();
        assert_eq!(by_id.order.parts().id, id);
    }
    for unknown in ["T-2", "DEMO-01", "demo-1", "DEMO-99", "OTHER-1"] {
        let result = shop.update(&update(unknown)).await;
        assert!(
            matches!(result, Err(OrderError::NotFound)),
            "{unknown}: {result:?}"
        );
    }
}

#[tokio::test]
async fn another_stores_order_is_not_found() {
    let shop = Shop::open().await;
    let other = shop.add_store("OTHER", currency("USD")).await;
    let before = shop.create(&order("T-1")).await.unwrap().order;
    for id in ["T-1", "DEMO-1"] {
        let result = shop
            .service
            .change
            .update(&other, &update(id), &caller())
            .await;
        assert!(
            matches!(result, Err(OrderError::NotFound)),
            "{id}: {result:?}"
        );
    }
    assert_eq!(shop.stored("T-1").await, Some(before));
}

fn without(order_id: &str) -> UpdateDraft {
    UpdateDraft {
        shipping_address: Field::Absent,
        ..update(order_id)
    }
}

#[tokio::test]
async fn a_manual_order_needs_its_address() {
    let shop = Shop::open().await;
    shop.create(&order("T-1")).await.unwrap();
    let required = [("shipping_address", "required")];
    expect("absent", shop.update(&without("T-1")).await, &required);
    let empty = UpdateDraft {
        shipping_address: AddressDraft::default().into(),
        ..update("T-1")
    };
    expect("empty", shop.update(&empty).await, &required);
    // Reported together with other violations.
    let more = UpdateDraft {
        customer: Field::Absent,
        ..without("T-1")
    };
    let both = [("customer", "required"), ("shipping_address", "required")];
    expect("absent and more", shop.update(&more).await, &both);
    let more = UpdateDraft {
        customer: Field::Absent,
        ..empty
    };
    expect("empty and more", shop.update(&more).await, &both);
}

#[tokio::test]
async fn a_label_order_needs_no_address() {
    let shop = Shop::open().await;
    shop.create_label(&OrderDraft {
        shipping_address: address().into(),
        ..label("L-1")
    })
    .await
    .unwrap();
    let kept = shop.update(&without("L-1")).await.unwrap().order;
    assert!(kept.parts().shipping_address.is_some());
    let more = UpdateDraft {
        customer: Field::Absent,
        ..without("L-1")
    };
    expect(
        "a label order",
        shop.update(&more).await,
        &[("customer", "required")],
    );
    let cleared = UpdateDraft {
        shipping_address: AddressDraft::default().into(),
        ..update("L-1")
    };
    assert_eq!(
        shop.update(&cleared)
            .await
            .unwrap()
            .order
            .parts()
            .shipping_address,
        None
    );
    let set = shop.update(&update("L-1")).await.unwrap().order;
    assert_eq!(
        set.parts()
            .shipping_address
            .as_ref()
            .unwrap()
            .city
            .as_deref(),
        Some("Springfield")
    );
}

type Rule = (
    &'static str,
    fn(&mut UpdateDraft),
    &'static [(&'static str, &'static str)],
);

/// Name of the case, change of the update, and the violations.
const RULES: [Rule; 14] = [
    (
        "no order id",
        |d| d.order_id = Field::Absent,
        &[("order_id", "required")],
    ),
    (
        "order id of another type",
        |d| d.order_id = wrong(),
        &[("order_id", "wrong_type")],
    ),
    (
        "no customer",
        |d| d.customer = Field::Absent,
        &[("customer", "required")],
    ),
    (
        "address of another type",
        |d| d.shipping_address = wrong(),
        &[("shipping_address", "wrong_type")],
    ),
    (
        "address of nobody",
        |d| {
            d.shipping_address = AddressDraft {
                name: Field::Absent,
                ..address()
            }
            .into()
        },
        &[("shipping_address.name", "required")],
    ),
    (
        "billing",
        |d| d.billing_address = wrong(),
        &[("billing_address", "wrong_type")],
    ),
    (
        "no items",
        |d| d.line_items = Field::Absent,
        &[("line_items", "required")],
    ),
    (
        "items of another type",
        |d| d.line_items = wrong(),
        &[("line_items", "wrong_type")],
    ),
    (
        "null among the items",
        |d| d.line_items = Field::Value(vec![Field::Absent]),
        &[("line_items[0]", "required")],
    ),
    ("email", |d| d.email = wrong(), &[("email", "wrong_type")]),
    (
        "note",
        |d| d.production_note = "é".repeat(2001).into(),
        &[("production_note", "too_long")],
    ),
    (
        "note of another type",
        |d| d.production_note = wrong(),
        &[("production_note", "wrong_type")],
    ),
    (
        "version",
        |d| d.version = 0.into(),
        &[("version", "out_of_range")],
    ),
    (
        "version of another type",
        |d| d.version = wrong(),
        &[("version", "wrong_type")],
    ),
];

#[tokio::test]
async fn what_an_update_must_hold() {
    let shop = Shop::open().await;
    shop.create(&order("T-1")).await.unwrap();
    let before = shop.stored("T-1").await;
    for (what, spoil, wanted) in RULES {
        let mut draft = update("T-1");
        spoil(&mut draft);
        expect(what, shop.update(&draft).await, wanted);
    }
    assert_eq!(shop.stored("T-1").await, before);
    let draft = UpdateDraft {
        production_note: "é".repeat(2000).into(),
        response_type: "full".into(),
        ..update("T-1")
    };
    let placed = shop.update(&draft).await.unwrap();
    assert_eq!(
        listed(&placed.warnings),
        [("response_type", "unsupported_value")]
    );
}
