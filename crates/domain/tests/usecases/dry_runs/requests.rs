//! Dry runs have no effects; reading the `dryRun` field.

use super::*;
use pressline_domain::order::OrderKind;

#[tokio::test]
async fn a_dry_run_stores_nothing_and_uses_up_no_number() {
    let shop = Shop::open().await;
    for _ in 0..5 {
        let dry_run = shop.estimate(&order("T-1")).await.unwrap();
        assert_eq!(cart(&dry_run).order_id, "T-1");
        shop.service
            .place
            .dry_run_create(&shop.store, &order("T-2"), OrderKind::Manual)
            .await
            .unwrap();
        shop.service
            .place
            .dry_run_create(&shop.store, &label("L-1"), OrderKind::Label)
            .await
            .unwrap();
    }
    for order_id in ["T-1", "T-2", "L-1"] {
        assert_eq!(shop.stored(order_id).await, None);
    }
    let placed = shop.place("T-1", vec![item("MUG-11", 2)]).await.order;
    assert_eq!(placed.service_order_id.number, 1);
    let more = update_items(
        "T-1",
        vec![change(placed.parts().items[0].id, item("MUG-11", 9))],
    );
    for _ in 0..3 {
        let dry_run = shop.dry_run_update(&more).await.unwrap();
        let DryRunOrder::Existing(order) = dry_run.order else {
            panic!("{dry_run:?}")
        };
        assert_eq!(
            (order.state.version, order.parts().bill.total()),
            (2, usd("57"))
        );
    }
    assert_eq!(shop.stored("T-1").await, Some(placed));
    assert_eq!(
        shop.create(&order("T-2"))
            .await
            .unwrap()
            .order
            .service_order_id
            .number,
        2
    );
}

#[tokio::test]
async fn an_order_id_that_is_taken_is_answered_as_at_creation() {
    let shop = Shop::open().await;
    let placed = shop.create(&order("T-1")).await.unwrap().order;
    let again = shop.estimate(&order("T-1")).await.unwrap();
    assert_eq!(again.order, DryRunOrder::Existing(Box::new(placed.clone())));
    let other = order_of("T-1", vec![item("MUG-11", 3)]);
    let dry_run = shop.estimate(&other).await.unwrap_err();
    let OrderError::Duplicate {
        existing,
        differing,
    } = dry_run
    else {
        panic!("{dry_run:?}")
    };
    assert_eq!(existing.id, placed.parts().id);
    assert_eq!(differing, ["line_items[0].quantity"]);
    // A label order is a different request from a manual order.
    let as_label = OrderDraft {
        shipping_address_label: label("").shipping_address_label,
        ..order("T-1")
    };
    let dry_run = shop.estimate(&as_label).await;
    assert!(
        matches!(dry_run, Err(OrderError::Duplicate { .. })),
        "{dry_run:?}"
    );
    // A strict store returns its order, although it would now refuse it.
    let loose = shop.place("T-2", vec![item("NO-SUCH", 1)]).await.order;
    let draft = order_of("T-2", vec![item("NO-SUCH", 1)]);
    let known = shop
        .service
        .place
        .dry_run_create(&shop.strict(), &draft, OrderKind::Manual)
        .await
        .unwrap();
    assert_eq!(known.order, DryRunOrder::Existing(Box::new(loose)));
}

#[tokio::test]
async fn an_update_is_estimated_or_refused_as_it_would_be() {
    let shop = Shop::open().await;
    let none = shop.dry_run_update(&update("T-1")).await;
    assert!(matches!(none, Err(OrderError::NotFound)), "{none:?}");
    shop.create(&order("T-1")).await.unwrap();
    let stale = UpdateDraft {
        version: 7.into(),
        ..update("T-1")
    };
    let stale = shop.dry_run_update(&stale).await;
    assert!(
        matches!(stale, Err(OrderError::VersionConflict { current: 1 })),
        "{stale:?}"
    );
    let nowhere = UpdateDraft {
        shipping_address: Field::Absent,
        ..update("T-1")
    };
    let nowhere = shop.dry_run_update(&nowhere).await;
    expect("nowhere", nowhere, &[("shipping_address", "required")]);
}

#[tokio::test]
async fn the_flag_of_a_dry_run_does_not_distinguish_requests() {
    let shop = Shop::open().await;
    for (asked, is_dry) in [
        (Field::Absent, false),
        (false.into(), false),
        (true.into(), true),
    ] {
        let draft = OrderDraft {
            dry_run: asked.clone(),
            ..order("T-1")
        };
        assert_eq!(draft.is_dry_run(), is_dry);
        // The first request creates the order, and the others repeat it.
        let placed = shop.create(&draft).await.unwrap();
        assert_eq!(
            (
                placed.order.service_order_id.number,
                listed(&placed.warnings)
            ),
            (1, vec![])
        );
        let draft = UpdateDraft {
            dry_run: asked,
            ..update("T-1")
        };
        assert_eq!(draft.is_dry_run(), is_dry);
    }
    let draft = OrderDraft {
        dry_run: wrong(),
        ..order("T-2")
    };
    assert!(!draft.is_dry_run());
    expect(
        "create",
        shop.create(&draft).await,
        &[("dryRun", "wrong_type")],
    );
    expect(
        "estimate",
        shop.estimate(&draft).await,
        &[("dryRun", "wrong_type")],
    );
    let draft = UpdateDraft {
        dry_run: wrong(),
        ..update("T-1")
    };
    expect(
        "update",
        shop.update(&draft).await,
        &[("dryRun", "wrong_type")],
    );
}

#[tokio::test]
async fn yen_and_dinars_are_estimated_in_their_own_units() {
    for (code, sku, first, lines, nothing) in [
        (
            "JPY",
            "BOOK",
            "500",
            [
                "2700 BOOK: 3 x 900 JPY by the catalog",
                "450 BOOK: 3 x 150 JPY for print area Cover",
            ],
            "0 JPY",
        ),
        (
            "KWD",
            "RUG",
            "0.125",
            [
                "3.702 RUG: 3 x 1.234 KWD by the catalog",
                "0.015 RUG: 3 x 0.005 KWD for print area Main",
            ],
            "0.000 KWD",
        ),
    ] {
        let shipping = rates(Vec::new(), vec![rate("Standard", code, first, "0")]);
        let shop = Shop::with(
            Tariff {
                shipping,
                ..Tariff::default()
            },
            currency(code),
        )
        .await;
        let draft = order_of("T-1", vec![with_files(item(sku, 3), 1)]);
        let dry_run = shop.estimate(&draft).await.unwrap();
        let shown: Vec<String> = cart(&dry_run)
            .bill
            .lines()
            .iter()
            .map(|line| format!("{} {}", line.amount.decimal(currency(code)), line.rule))
            .collect();
        let rate = format!(
            "{first} Standard to Everywhere: {first} {code} for the first unit and 2 x {nothing} for further ones"
        );
        assert_eq!(shown, [lines[0], &rate, lines[1]]);
    }
}
