//! Quotes: what they say is what happens, and nothing happens.

use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ListPrice};
use pressline_domain::field::Field;
use pressline_domain::id::ItemId;
use pressline_domain::order::request::{AddressDraft, LineItemDraft, OrderDraft, UpdateDraft};
use pressline_domain::order::{Cart, LineItem, OrderError, OrderParts, Quote, QuotedOrder};
use pressline_domain::pricing::tariff::{FeeRule, FeeSchedule, Per, Tariff, WeightStep};
use pressline_domain::time::Timestamp;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::fixture::*;

/// Zones, weight steps, free shipping, and rules of every kind.
fn full_tariff() -> Tariff {
    let mut of_zones = vec![
        rate("Standard", "USD", "4", "1"),
        rate_to("States", "Standard", "USD", "3", "0.75"),
        rate_to("California", "Express", "USD", "9", "2.50"),
        rate("Slow", "EUR", "1", "1"),
    ];
    of_zones[0].steps = vec![WeightStep {
        above_grams: 900,
        extra: usd("2.20"),
    }];
    of_zones[1].free_from = Some(usd("400"));
    let zones = vec![zone("States", &["US"]), zone("California", &["US-CA"])];
    let rule = FeeRule {
        orders: None,
        ..handling("USD", "0.35")
    };
    let only = |text: &str| vec![text.to_owned()];
    let rules = vec![
        handling("USD", "2.50"),
        FeeRule {
            per: Per::Item,
            zones: only("Everywhere"),
            ..rule.clone()
        },
        FeeRule {
            per: Per::Unit,
            skus: only("TEE*"),
            fee: pressline_domain::pricing::fees::FeeType::Surcharge,
            ..rule
        },
    ];
    Tariff {
        shipping: rates(zones, of_zones),
        fees: FeeSchedule { rules },
    }
}

fn any_line() -> impl Strategy<Value = LineItemDraft> {
    let skus = vec![
        "MUG-11", "MUG-11", "TEE-M", "TEE-M", "BOOK", "POSTER", "NO-SUCH",
    ];
    let classes = vec!["", "", "standard", "EXPRESS", "slow", "Unheard-of"];
    let quantity = prop_oneof![30 => 1_i64..8, 5 => 1_i64..=1000, 1 => Just(0)];
    (
        proptest::sample::select(skus),
        quantity,
        proptest::sample::select(classes),
        0_usize..4,
    )
        .prop_map(|(sku, quantity, class, files)| {
            with_files(in_class(item(sku, quantity), class), files)
        })
}

fn any_address() -> impl Strategy<Value = AddressDraft> {
    let to = |country: &str, code: &str, name: &str| AddressDraft {
        country_code: country.into(),
        province_code: code.into(),
        province: name.into(),
        ..address()
    };
    let places = [
        ("US", "US-CA", ""),
        ("US", "", "California"),
        ("US", "NV", ""),
        ("VN", "", ""),
        ("GB", "", ""),
    ];
    proptest::sample::select(
        places
            .map(|(country, code, name)| to(country, code, name))
            .to_vec(),
    )
}

/// Mostly right ones.
fn any_draft() -> impl Strategy<Value = OrderDraft> {
    let lines = proptest::collection::vec(any_line(), 1..5);
    (any_address(), lines, proptest::bool::weighted(0.2)).prop_map(|(address, lines, is_label)| {
        let draft = if is_label { label("") } else { order("") };
        OrderDraft {
            shipping_address: address.into(),
            line_items: items(lines),
            ..draft
        }
    })
}

/// Prices that change in between.
async fn reprice(shop: &Shop, number: i64) {
    let cost = usd(&format!("{}.{:02}", 3 + number % 5, number % 100));
    let price = ListPrice {
        store: (number % 2 == 0).then_some(shop.store.id),
        sku: "MUG-11".to_owned(),
        currency: currency("USD"),
        valid_from: Timestamp::from_millis(NOW + number),
        amount: cost,
    };
    shop.catalog
        .set_prices(&[price], &ImportOptions::default())
        .await
        .unwrap();
    let mut tariff = full_tariff();
    tariff.shipping.rates[1].further = cost;
    tariff.fees.rules[2].amount = cost;
    shop.catalog.set_shipping(&tariff.shipping).await.unwrap();
    let owner = (number % 3 == 0).then_some(shop.store.id);
    shop.catalog
        .set_fees(&[(owner, Some(&tariff.fees))])
        .await
        .unwrap();
}

/// What of an order does not depend on the ids that it was given.
fn facts(parts: &OrderParts) -> impl PartialEq + std::fmt::Debug {
    let place = |id: ItemId| parts.items.iter().position(|item| item.id == id);
    let lines: Vec<_> = parts
        .fee_lines
        .iter()
        .map(|line| {
            (
                line.fee,
                line.item.map(place),
                line.amount,
                line.rule.clone(),
            )
        })
        .collect();
    let id = ItemId::new(uuid::Uuid::nil());
    let items: Vec<LineItem> = parts
        .items
        .iter()
        .map(|item| LineItem { id, ..item.clone() })
        .collect();
    let times = (
        parts.created_at,
        parts.updated_at,
        parts.priced_at,
        parts.version,
    );
    (
        parts.fees,
        lines,
        items,
        parts.currency,
        parts.label_url.clone(),
        parts.shipping_address.clone(),
        times,
    )
}

/// What an estimate priced.
fn cart(quote: &Quote) -> &Cart {
    match &quote.order {
        QuotedOrder::Cart(cart) => cart,
        other => panic!("no cart: {other:?}"),
    }
}

/// An order that is asked for, then placed, is what was answered: to the cent, to the warning and
/// to the refusal.
#[tokio::test]
async fn thousands_of_orders_cost_what_was_quoted() {
    let mut runner = TestRunner::deterministic();
    let drafts = any_draft();
    let (mut placed_orders, mut refused) = (0, 0);
    for round in 0..30 {
        let mut shop = Shop::with(full_tariff(), currency("USD")).await;
        if round % 5 == 4 {
            shop.store = shop.strict();
        }
        for number in 0..100 {
            if number % 20 == 10 {
                reprice(&shop, number + round).await;
            }
            shop.clock.set(Timestamp::from_millis(NOW + number));
            let draft = drafts.new_tree(&mut runner).unwrap().current();
            let draft = OrderDraft {
                order_id: format!("T-{number}").as_str().into(),
                ..draft
            };
            let quoted = shop.service.estimate(&shop.store, &draft).await;
            let placed = match draft.shipping_address_label.is_blank() {
                true => shop.create(&draft).await,
                false => shop.create_label(&draft).await,
            };
            match (quoted, placed) {
                (Ok(quoted), Ok(placed)) => {
                    let order = cart(&quoted);
                    assert_eq!(
                        facts(&order.parts),
                        facts(placed.order.parts()),
                        "{round} {number}"
                    );
                    assert_eq!(order.total, placed.order.total());
                    assert_eq!(quoted.warnings, placed.warnings);
                    placed_orders += 1;
                }
                (Err(quoted), Err(placed)) => {
                    assert_eq!(format!("{quoted:?}"), format!("{placed:?}"));
                    refused += 1;
                }
                (quoted, placed) => panic!("{round} {number}: {quoted:?}, but {placed:?}"),
            }
        }
    }
    assert!(
        placed_orders > 2000 && refused > 100,
        "{placed_orders} placed, {refused} refused"
    );
}

/// As above, for updates of orders that were placed at other prices.
#[tokio::test]
async fn hundreds_of_updates_cost_what_was_quoted() {
    let mut runner = TestRunner::deterministic();
    let (drafts, lines) = (any_draft(), any_line());
    let mut updated_orders = 0;
    for round in 0..10 {
        let shop = Shop::with(full_tariff(), currency("USD")).await;
        for number in 0..60 {
            let order_id = format!("T-{number}");
            let draft = drafts.new_tree(&mut runner).unwrap().current();
            let Ok(first) = shop
                .create(&OrderDraft {
                    order_id: order_id.as_str().into(),
                    ..draft
                })
                .await
            else {
                continue;
            };
            if number % 3 == 1 {
                reprice(&shop, number + round).await;
            }
            let line = lines.new_tree(&mut runner).unwrap().current();
            let change = change(first.order.parts().items[0].id, line);
            let draft = update_items(&order_id, vec![change]);
            let quoted = shop.service.quote_update(&shop.store, &draft).await;
            assert_eq!(shop.stored(&order_id).await, Some(first.order));
            match (quoted, shop.update(&draft).await) {
                (Ok(quoted), Ok(updated)) => {
                    assert_eq!(
                        quoted.order,
                        QuotedOrder::Existing(Box::new(updated.order)),
                        "{round} {number}"
                    );
                    assert_eq!(quoted.warnings, updated.warnings);
                    updated_orders += 1;
                }
                (Err(quoted), Err(updated)) => {
                    assert_eq!(format!("{quoted:?}"), format!("{updated:?}"))
                }
                (quoted, updated) => panic!("{round} {number}: {quoted:?}, but {updated:?}"),
            }
        }
    }
    assert!(updated_orders > 200, "{updated_orders} updated");
}

#[tokio::test]
async fn a_quote_stores_nothing_and_uses_up_no_number() {
    let shop = Shop::open().await;
    for _ in 0..5 {
        let quote = shop
            .service
            .estimate(&shop.store, &order("T-1"))
            .await
            .unwrap();
        assert_eq!(cart(&quote).parts.order_id, "T-1");
        shop.service
            .quote_create(&shop.store, &order("T-2"))
            .await
            .unwrap();
        shop.service
            .quote_label(&shop.store, &label("L-1"))
            .await
            .unwrap();
    }
    for order_id in ["T-1", "T-2", "L-1"] {
        assert_eq!(shop.stored(order_id).await, None);
    }
    let placed = shop.place("T-1", vec![item("MUG-11", 2)]).await.order;
    assert_eq!(placed.service_order_id().number, 1);
    let more = update_items(
        "T-1",
        vec![change(placed.parts().items[0].id, item("MUG-11", 9))],
    );
    for _ in 0..3 {
        let quote = shop.service.quote_update(&shop.store, &more).await.unwrap();
        let QuotedOrder::Existing(order) = quote.order else {
            panic!("{quote:?}")
        };
        assert_eq!((order.parts().version, order.total()), (2, usd("57")));
    }
    assert_eq!(shop.stored("T-1").await, Some(placed));
    assert_eq!(
        shop.create(&order("T-2"))
            .await
            .unwrap()
            .order
            .service_order_id()
            .number,
        2
    );
}

#[tokio::test]
async fn an_order_id_that_is_taken_is_answered_as_at_creation() {
    let shop = Shop::open().await;
    let placed = shop.create(&order("T-1")).await.unwrap().order;
    let again = shop
        .service
        .estimate(&shop.store, &order("T-1"))
        .await
        .unwrap();
    assert_eq!(again.order, QuotedOrder::Existing(Box::new(placed.clone())));
    let other = order_of("T-1", vec![item("MUG-11", 3)]);
    let quoted = shop
        .service
        .estimate(&shop.store, &other)
        .await
        .unwrap_err();
    let OrderError::Duplicate {
        existing,
        differing,
    } = quoted
    else {
        panic!("{quoted:?}")
    };
    assert_eq!(existing.id, placed.parts().id);
    assert_eq!(differing, ["line_items[0].quantity"]);
    // The same order, read as one of the other kind, is another request.
    let as_label = OrderDraft {
        shipping_address_label: label("").shipping_address_label,
        ..order("T-1")
    };
    let quoted = shop.service.estimate(&shop.store, &as_label).await;
    assert!(
        matches!(quoted, Err(OrderError::Duplicate { .. })),
        "{quoted:?}"
    );
    // A strict store that would refuse the order now still knows it.
    let loose = shop.place("T-2", vec![item("NO-SUCH", 1)]).await.order;
    let draft = order_of("T-2", vec![item("NO-SUCH", 1)]);
    let known = shop
        .service
        .quote_create(&shop.strict(), &draft)
        .await
        .unwrap();
    assert_eq!(known.order, QuotedOrder::Existing(Box::new(loose)));
}

#[tokio::test]
async fn an_update_is_quoted_or_refused_as_it_would_be() {
    let shop = Shop::open().await;
    let none = shop.service.quote_update(&shop.store, &update("T-1")).await;
    assert!(matches!(none, Err(OrderError::NotFound)), "{none:?}");
    shop.create(&order("T-1")).await.unwrap();
    let stale = UpdateDraft {
        version: 7.into(),
        ..update("T-1")
    };
    let stale = shop.service.quote_update(&shop.store, &stale).await;
    assert!(
        matches!(stale, Err(OrderError::VersionConflict { current: 1 })),
        "{stale:?}"
    );
    let nowhere = UpdateDraft {
        shipping_address: Field::Absent,
        ..update("T-1")
    };
    let nowhere = shop.service.quote_update(&shop.store, &nowhere).await;
    expect("nowhere", nowhere, &[("shipping_address", "required")]);
}

#[tokio::test]
async fn asking_for_a_dry_run_is_no_part_of_the_request() {
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
        // The first is placed, and all others are the same request.
        let placed = shop.create(&draft).await.unwrap();
        assert_eq!(
            (
                placed.order.service_order_id().number,
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
        shop.service.estimate(&shop.store, &draft).await,
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
async fn yen_and_dinars_are_quoted_in_their_own_units() {
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
        let quote = shop.service.estimate(&shop.store, &draft).await.unwrap();
        let shown: Vec<String> = cart(&quote)
            .parts
            .fee_lines
            .iter()
            .map(|line| format!("{} {}", line.amount.to_decimal(currency(code)), line.rule))
            .collect();
        let rate = format!(
            "{first} Standard to Everywhere: {first} {code} for the first unit and 2 x {nothing} for further ones"
        );
        assert_eq!(shown, [lines[0], &rate, lines[1]]);
    }
}
