//! A dry run or an estimate returns the result of the request, and stores nothing.

mod requests;

use pressline_domain::catalog::{CatalogAdmin, ImportOptions, ListPriceParts};
use pressline_domain::check::Field;
use pressline_domain::order::request::{AddressDraft, LineItemDraft, OrderDraft, UpdateDraft};
use pressline_domain::order::{DryRun, DryRunOrder, LineItem, OrderError, OrderParts};
use pressline_domain::pricing::tariff::{FeeRuleParts, Per, Tariff, WeightStep};
use pressline_domain::value::{ItemId, Timestamp};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::fixture::*;

/// Number of the rate for the United States in [`full_tariff`].
const STATES: usize = 2;

/// Returns a tariff with zones, weight steps, free shipping, and rules of every kind.
fn full_tariff() -> Tariff {
    let of_zones = vec![
        rate("Standard", "USD", "4", "1"),
        rate("Slow", "EUR", "1", "1"),
        rate_to("States", "Standard", "USD", "3", "0.75"),
        rate_to("California", "Express", "USD", "9", "2.50"),
    ];
    let zones = vec![zone("States", &["US"]), zone("California", &["US-CA"])];
    let mut shipping = rates(zones, of_zones);
    let step = WeightStep {
        above_grams: 900,
        extra: usd("2.20"),
    };
    edit_rate(&mut shipping, 0, |rate| rate.steps = vec![step]);
    edit_rate(&mut shipping, STATES, |rate| {
        rate.free_from = Some(usd("400"))
    });
    let only = |text: &str| vec![text.to_owned()];
    let handled = handling("USD", "2.50");
    let rule = FeeRuleParts {
        orders: None,
        amount: usd("0.35"),
        ..(*handled).clone()
    };
    let of_items = FeeRuleParts {
        per: Per::Item,
        zones: only("Everywhere"),
        ..rule.clone()
    };
    let of_shirts = FeeRuleParts {
        per: Per::Unit,
        skus: only("TEE*"),
        fee: pressline_domain::pricing::fees::FeeType::Surcharge,
        ..rule
    };
    Tariff {
        shipping,
        fees: schedule(vec![handled, valid(of_items), valid(of_shirts)]),
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

/// Generates requests, most of them valid.
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

/// Changes the price of the mug, its rates and fees.
async fn reprice(shop: &Shop, number: i64) {
    let cost = usd(&format!("{}.{:02}", 3 + number % 5, number % 100));
    let price = valid(ListPriceParts {
        store: (number % 2 == 0).then_some(shop.store.id),
        sku: "MUG-11".to_owned(),
        currency: currency("USD"),
        valid_from: Timestamp::from_millis(NOW + number),
        amount: cost,
    });
    shop.catalog
        .set_prices(&[price], &ImportOptions::default())
        .await
        .unwrap();
    let mut tariff = full_tariff();
    edit_rate(&mut tariff.shipping, STATES, |rate| rate.further = cost);
    let mut rules = tariff.fees.rules().to_vec();
    rules[2] = rules[2].changed(|rule| rule.amount = cost).unwrap();
    tariff.fees = schedule(rules);
    shop.catalog.set_shipping(&tariff.shipping).await.unwrap();
    let owner = (number % 3 == 0).then_some(shop.store.id);
    shop.catalog
        .set_fees(&[(owner, Some(&tariff.fees))])
        .await
        .unwrap();
}

/// Returns the facts of an order that do not depend on its generated ids.
fn facts(parts: &OrderParts) -> impl PartialEq + std::fmt::Debug {
    let place = |id: ItemId| parts.items.iter().position(|item| item.id == id);
    let lines: Vec<_> = parts
        .bill
        .lines()
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
    let times = (parts.created_at(), parts.priced_at);
    (
        parts.bill.fees(),
        lines,
        items,
        parts.currency,
        parts.label_url.clone(),
        parts.shipping_address.clone(),
        times,
    )
}

fn cart(dry_run: &DryRun) -> &OrderParts {
    match &dry_run.order {
        DryRunOrder::New(cart) => &cart.content,
        other => panic!("no cart: {other:?}"),
    }
}

/// The created order equals the estimate, with the same amounts, warnings and violations.
#[tokio::test]
async fn thousands_of_orders_cost_what_was_estimated() {
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
            let dry_run = shop.estimate(&draft).await;
            let placed = match draft.shipping_address_label.is_blank() {
                true => shop.create(&draft).await,
                false => shop.create_label(&draft).await,
            };
            match (dry_run, placed) {
                (Ok(dry_run), Ok(placed)) => {
                    let order = cart(&dry_run);
                    assert_eq!(
                        facts(order),
                        facts(placed.order.parts()),
                        "{round} {number}"
                    );
                    assert_eq!(order.bill.total(), placed.order.parts().bill.total());
                    assert_eq!(dry_run.warnings, placed.warnings);
                    placed_orders += 1;
                }
                (Err(dry_run), Err(placed)) => {
                    assert_eq!(format!("{dry_run:?}"), format!("{placed:?}"));
                    refused += 1;
                }
                (dry_run, placed) => panic!("{round} {number}: {dry_run:?}, but {placed:?}"),
            }
        }
    }
    assert!(
        placed_orders > 2000 && refused > 100,
        "{placed_orders} placed, {refused} refused"
    );
}

/// The updated order equals its dry run, also if the order was placed at other prices.
#[tokio::test]
async fn hundreds_of_updates_cost_what_was_estimated() {
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
            let dry_run = shop.dry_run_update(&draft).await;
            assert_eq!(shop.stored(&order_id).await, Some(first.order));
            match (dry_run, shop.update(&draft).await) {
                (Ok(dry_run), Ok(updated)) => {
                    let DryRunOrder::Existing(estimated) = dry_run.order else {
                        panic!("{round} {number}")
                    };
                    // A dry run has no event, so it has no sequence.
                    let sequence = updated.order.state.last_sequence;
                    assert_eq!(
                        estimated.with_sequence(sequence),
                        updated.order,
                        "{round} {number}"
                    );
                    assert_eq!(dry_run.warnings, updated.warnings);
                    updated_orders += 1;
                }
                (Err(dry_run), Err(updated)) => {
                    assert_eq!(format!("{dry_run:?}"), format!("{updated:?}"))
                }
                (dry_run, updated) => panic!("{round} {number}: {dry_run:?}, but {updated:?}"),
            }
        }
    }
    assert!(updated_orders > 200, "{updated_orders} updated");
}
