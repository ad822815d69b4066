//! Repeated order ids: retries, and different requests with the same id.

use std::sync::Arc;

use pressline_domain::check::Field;
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, LineItemDraft, OrderDraft, UpdateDraft,
};
use pressline_domain::order::{Order, OrderError, OrderIdentity};
use pressline_domain::pricing::tariff::Tariff;
use pressline_domain::store::Store;
use tokio::sync::Barrier;
use tokio::task::JoinSet;

use super::fixture::*;

/// Returns the paths in which `draft` differs from the request that created `of`.
async fn differing(shop: &Shop, of: &Order, draft: &OrderDraft) -> Vec<String> {
    match shop.create(draft).await {
        Err(OrderError::Duplicate {
            existing,
            differing,
        }) => {
            assert_eq!(existing, OrderIdentity::new(of));
            assert_eq!(existing.service_order_id, of.service_order_id);
            differing
        }
        other => panic!("not a duplicate: {other:?}"),
    }
}

#[tokio::test]
async fn the_same_request_is_answered_with_the_order_as_it_is() {
    let shop = Shop::open().await;
    let first = shop.create(&order("T-1")).await.unwrap();
    let again = shop.create(&order("T-1")).await.unwrap();
    assert!(again.replayed);
    assert_eq!(again.order, first.order);
    // The response to a retry is the order as updated.
    let draft = UpdateDraft {
        production_note: "with care".into(),
        ..update("T-1")
    };
    let updated = shop.update(&draft).await.unwrap().order;
    let again = shop.create(&order("T-1")).await.unwrap();
    assert_eq!((again.replayed, &again.order), (true, &updated));
    // Retries may leave gaps in the numbers, but create no order.
    let next = shop.place("T-2", vec![item("MUG-11", 1)]).await.order;
    assert!(next.service_order_id.number >= 2);
}

#[tokio::test]
async fn blank_null_and_absent_are_the_same_request() {
    let shop = Shop::open().await;
    shop.create(&order("T-1")).await.unwrap();
    let draft = OrderDraft {
        email: "".into(),
        response_type: " ".into(),
        billing_address: AddressDraft {
            city: "".into(),
            ..AddressDraft::default()
        }
        .into(),
        shipping_address: AddressDraft {
            company: "".into(),
            ..address()
        }
        .into(),
        ..order("T-1")
    };
    assert!(shop.create(&draft).await.unwrap().replayed);
}

#[tokio::test]
async fn a_change_of_catalog_settings_or_prices_makes_no_conflict() {
    let shop = Shop::open().await;
    let odd = order_of("T-1", vec![in_class(item("MUG-12", 1), "Unheard-of")]);
    let first = shop.create(&odd).await.unwrap().order;
    let labelled = shop.create_label(&label("L-1")).await.unwrap().order;

    let strict = shop.create_strict(&odd).await.unwrap();
    assert_eq!((strict.replayed, &strict.order), (true, &first));
    let cheap = shop.repriced(Tariff::default()).await;
    let again = cheap
        .place
        .create(&shop.store, &odd, &caller())
        .await
        .unwrap();
    assert_eq!((again.replayed, &again.order), (true, &first));
    let again = cheap
        .place
        .create_label(&shop.store, &label("L-1"), &caller())
        .await
        .unwrap();
    assert_eq!((again.replayed, &again.order), (true, &labelled));
    let euros = Store {
        currency: currency("EUR"),
        ..shop.store.clone()
    };
    let again = shop
        .service
        .place
        .create_label(&euros, &label("L-1"), &caller())
        .await
        .unwrap();
    assert_eq!((again.replayed, &again.order), (true, &labelled));
    // A different request is a conflict there too, not an error about the catalog.
    let other = OrderDraft {
        email: "ana@example.com".into(),
        ..odd
    };
    let result = shop.create_strict(&other).await;
    assert!(
        matches!(result, Err(OrderError::Duplicate { .. })),
        "{result:?}"
    );
}

/// A change of a request, and the paths that then differ.
type Change = (fn(&mut OrderDraft), &'static [&'static str]);

const CHANGES: [Change; 7] = [
    (|d| d.email = Field::Absent, &["email"]),
    (|d| d.email = "Ana@example.com".into(), &["email"]),
    (
        |d| {
            d.customer = CustomerDraft {
                first_name: "An".into(),
                ..customer()
            }
            .into();
        },
        &["customer.first_name"],
    ),
    (
        |d| {
            d.shipping_address = AddressDraft {
                latitude: 1.5.into(),
                ..address()
            }
            .into();
        },
        &["shipping_address.latitude"],
    ),
    (
        |d| {
            d.shipping_address = AddressDraft {
                zip: "62702".into(),
                name: Field::Absent,
                last_name: "O".into(),
                ..address()
            }
            .into();
        },
        &[
            "shipping_address.last_name",
            "shipping_address.zip",
            "shipping_address.name",
        ],
    ),
    (
        |d| d.line_items = items(vec![item("MUG-11", 3)]),
        &["line_items[0].quantity"],
    ),
    (
        |d| d.line_items = items(vec![with_files(item("MUG-11", 2), 2), item("TEE-M", 1)]),
        &[
            "line_items[0].fileUrls[0]",
            "line_items[0].fileUrls[1]",
            "line_items[1].sku",
            "line_items[1].quantity",
        ],
    ),
];

#[tokio::test]
async fn another_request_is_a_conflict_that_names_the_paths() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        email: "ana@example.com".into(),
        ..order("T-1")
    };
    let first = shop.create(&draft).await.unwrap().order;
    for (change, paths) in CHANGES {
        let mut other = draft.clone();
        change(&mut other);
        assert_eq!(differing(&shop, &first, &other).await, paths);
    }
    assert_eq!(shop.stored("T-1").await, Some(first));
}

#[tokio::test]
async fn the_two_kinds_of_order_share_their_ids() {
    let shop = Shop::open().await;
    let first = shop.create_label(&label("T-1")).await.unwrap().order;
    let paths = differing(&shop, &first, &order("T-1")).await;
    assert!(
        paths.contains(&"type".to_owned()) && paths.contains(&"shipping_address_label".to_owned()),
        "{paths:?}"
    );
}

#[tokio::test]
async fn an_invalid_request_is_never_a_repetition() {
    let shop = Shop::open().await;
    shop.create(&order("T-1")).await.unwrap();
    let draft = OrderDraft {
        email: "x".repeat(256).into(),
        ..order("T-1")
    };
    expect(
        "an invalid request",
        shop.create(&draft).await,
        &[("email", "too_long")],
    );
}

#[tokio::test]
async fn another_store_has_orders_of_its_own() {
    let shop = Shop::open().await;
    let other = shop.add_store("OTHER", currency("USD")).await;
    let own = shop.create(&order("T-1")).await.unwrap();
    let others = shop
        .service
        .place
        .create(&other, &order("T-1"), &caller())
        .await
        .unwrap();
    assert!(!others.replayed);
    assert_ne!(own.order.parts().id, others.order.parts().id);
    assert_eq!(others.order.service_order_id.to_string(), "OTHER-1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_concurrent_creates_one_is_stored_and_the_others_repeat_it() {
    let shop = Arc::new(Shop::open().await);
    for round in 0..20 {
        let barrier = Arc::new(Barrier::new(16));
        let mut calls = JoinSet::new();
        for call in 0..16 {
            let (shop, barrier) = (Arc::clone(&shop), Arc::clone(&barrier));
            // In every other round, half of the callers send a different request.
            let quantity = if round % 2 == 1 && call % 2 == 1 {
                3
            } else {
                2
            };
            calls.spawn(async move {
                barrier.wait().await;
                shop.create(&order_of(
                    &format!("T-{round}"),
                    vec![item("MUG-11", quantity)],
                ))
                .await
            });
        }
        let results = calls.join_all().await;
        let stored = shop.stored(&format!("T-{round}")).await.unwrap();
        let new = results
            .iter()
            .filter(|result| result.as_ref().is_ok_and(|placed| !placed.replayed))
            .count();
        let replayed = results
            .iter()
            .filter(|result| result.as_ref().is_ok_and(|placed| placed.replayed))
            .count();
        let refused = results
            .iter()
            .filter(|result| matches!(result, Err(OrderError::Duplicate { .. })))
            .count();
        let wanted = if round % 2 == 1 {
            (1, 7, 8)
        } else {
            (1, 15, 0)
        };
        assert_eq!((new, replayed, refused), wanted);
        assert!(
            results
                .iter()
                .flatten()
                .all(|placed| placed.order == stored)
        );
    }
}

#[tokio::test]
async fn warnings_of_a_repetition_are_about_the_stored_order() {
    let shop = Shop::open().await;
    let draft = OrderDraft {
        line_items: items(vec![item("NEW-1", 1)]),
        ..order("A")
    };
    let first = shop.create(&draft).await.unwrap();
    let again = shop.create(&draft).await.unwrap();
    assert_eq!(
        again.warnings, first.warnings,
        "where nothing has changed, the same is said"
    );
    let new = product("NEW-1", "USD", Some("3"), &[("Main", "0")]);
    shop.import(&[new]).await;
    let again = shop.create(&draft).await.unwrap();
    assert!(again.replayed && !again.order.parts().is_priced());
    assert_eq!(listed(&again.warnings), [("totalCost", "total_incomplete")]);

    shop.update(&noted("A", "with care")).await.unwrap();
    let euro = Store {
        currency: currency("EUR"),
        ..shop.store.clone()
    };
    let priced = shop
        .service
        .place
        .create(&euro, &draft, &caller())
        .await
        .unwrap();
    assert!(priced.replayed && priced.order.parts().is_priced());
    assert_eq!(listed(&priced.warnings), []);
}

#[tokio::test]
async fn what_means_nothing_makes_no_other_request() {
    let shop = Shop::open().await;
    let url = || Field::<String>::from(URL);
    let with = |images: Vec<Field<String>>, latitude: f64, response_type: Field<String>| {
        let address = AddressDraft {
            latitude: latitude.into(),
            ..address()
        };
        let item = LineItemDraft {
            mockup_images: images.into(),
            ..item("MUG-11", 1)
        };
        let line_items = items(vec![item]);
        OrderDraft {
            line_items,
            shipping_address: address.into(),
            response_type,
            ..order("A")
        }
    };
    shop.create(&with(vec![url()], 0.0, Field::Absent))
        .await
        .unwrap();
    let again = with(vec!["".into(), url(), Field::Absent], -0.0, "normal".into());
    assert!(shop.create(&again).await.unwrap().replayed);
}
