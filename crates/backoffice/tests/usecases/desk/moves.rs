//! Commands for many orders in one request.

use pressline_domain::check::{Field, limits};
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::request::{
    ItemNameDraft, LineItemDraft, MoveDraft, MoveValues, OrderToMoveDraft,
};
use pressline_domain::order::{HistoryDraft, MoveResult, MovedOrders, OrderError};
use pressline_domain::store::StoreSettings;

use super::Desk;
use crate::fixture::*;

/// Places `count` orders of a mug each, ready for production immediately.
pub(super) async fn ready(shop: &mut Shop, count: usize) {
    shop.store.settings = StoreSettings {
        cooling_off_seconds: Some(0),
        ..StoreSettings::default()
    };
    for number in 0..count {
        let mug = LineItemDraft {
            file_urls: urls(&[URL]),
            ..item("MUG-11", 1)
        };
        shop.place(&format!("T-{number}"), vec![mug]).await;
    }
}

fn to_move(order_id: &str) -> OrderToMoveDraft {
    OrderToMoveDraft {
        order_id: order_id.into(),
        ..OrderToMoveDraft::default()
    }
}

fn moving(command: &str, orders: Vec<OrderToMoveDraft>) -> MoveDraft {
    MoveDraft {
        command: command.into(),
        orders: Field::Value(orders.into_iter().map(Field::Value).collect()),
        ..MoveDraft::default()
    }
}

fn because(reason: &str) -> MoveValues {
    MoveValues {
        reason: reason.into(),
        ..MoveValues::default()
    }
}

fn fee(amount: &str) -> MoveValues {
    MoveValues {
        code: "fee_approval".into(),
        amount: amount.into(),
        ..MoveValues::default()
    }
}

async fn moved(shop: &Shop, draft: &MoveDraft) -> Result<MovedOrders, OrderError> {
    let desk = Desk::new(shop);
    shop.service
        .moves
        .move_orders(desk.scope(), draft, &desk.caller())
        .await
}

/// Result of each order: `moved`, `unchanged`, or the kind of error.
fn results(moved: &MovedOrders) -> Vec<&'static str> {
    let result = |order: &pressline_domain::order::MovedOrder| match &order.result {
        Ok(MoveResult::Moved) => "moved",
        Ok(MoveResult::Unchanged) => "unchanged",
        Err(OrderError::NotFound) => "not found",
        Err(OrderError::VersionConflict { .. }) => "version",
        Err(OrderError::IllegalTransition { .. }) => "illegal",
        Err(OrderError::UnknownItem(_)) => "unknown item",
        Err(OrderError::Invalid { .. }) => "invalid",
        Err(other) => panic!("{other}"),
    };
    moved.orders.iter().map(result).collect()
}

#[tokio::test]
async fn results_keep_the_request_order_and_refusals_are_independent() {
    let mut shop = Shop::open().await;
    ready(&mut shop, 5).await;
    let id = |number: i64| format!("DEMO-{number}");
    moved(&shop, &moving("start", vec![to_move(&id(2))]))
        .await
        .unwrap();
    let stale = OrderToMoveDraft {
        version: Field::Value(7),
        ..to_move(&id(4))
    };
    let unknown_item = OrderToMoveDraft {
        line_items: Field::Value(vec![Field::Value(ItemNameDraft {
            app_item_id: "0197f3c2-0000-7000-8000-00000000000f".into(),
        })]),
        ..to_move(&id(3))
    };
    let orders = vec![
        to_move(&id(5)),
        to_move(&id(9)),
        to_move(&id(2)),
        stale,
        unknown_item,
        to_move(&id(1)),
    ];
    let outcome = moved(&shop, &moving("start", orders)).await.unwrap();
    let expected = [
        "moved",
        "not found",
        "unchanged",
        "version",
        "unknown item",
        "moved",
    ];
    assert_eq!(results(&outcome), expected);
    let ids: Vec<&str> = outcome
        .orders
        .iter()
        .map(|order| order.order_id.as_str())
        .collect();
    assert_eq!(
        ids,
        ["DEMO-5", "DEMO-9", "DEMO-2", "DEMO-4", "DEMO-3", "DEMO-1"]
    );
    let started = outcome.orders[0].order.as_ref().unwrap();
    assert_eq!(started.version, 2);
    assert_eq!(started.item_statuses, [ItemStatus::InProduction]);
    assert_eq!(outcome.orders[1].order, None);
    // A refused order is returned in its current version.
    let refused = outcome.orders[3].order.as_ref().unwrap();
    assert_eq!(refused.version, 1);
    assert_eq!(refused.item_statuses, [ItemStatus::Ready]);
}

#[tokio::test]
async fn a_warning_names_reasons_that_are_not_stored() {
    let mut shop = Shop::open().await;
    ready(&mut shop, 2).await;
    let hold = |reason: &str, orders: &[&str]| MoveDraft {
        values: because(reason),
        ..moving("hold", orders.iter().map(|id| to_move(id)).collect())
    };
    let first = hold("out of stock", &["DEMO-1"]);
    assert_eq!(moved(&shop, &first).await.unwrap().warnings, []);
    // No warning if the call is repeated: the reason is the stored one.
    let again = moved(&shop, &first).await.unwrap();
    assert_eq!(
        (results(&again), again.warnings),
        (vec!["unchanged"], vec![])
    );
    let other = hold("the press is broken", &["DEMO-2", "DEMO-1"]);
    let other = moved(&shop, &other).await.unwrap();
    assert_eq!(results(&other), ["moved", "unchanged"]);
    let expected = [("orders[1]", "reason_not_stored")];
    assert_eq!(listed(&other.warnings), expected);
    assert!(other.warnings[0].message.contains("DEMO-1"));
}

#[tokio::test]
async fn repeated_commands_change_nothing() {
    let mut shop = Shop::open().await;
    ready(&mut shop, 1).await;
    let order = || vec![to_move("DEMO-1")];
    let with_reason = |command: &str| MoveDraft {
        values: because("because"),
        ..moving(command, order())
    };
    let need = MoveDraft {
        values: fee("2.5"),
        ..moving("need", order())
    };
    let back = || moving("resolve", order());
    let away = MoveDraft {
        values: MoveValues {
            to: "cancelled".into(),
            keep_fees: Field::Value(true),
            ..MoveValues::default()
        },
        ..back()
    };
    use ItemStatus::{Cancelled, InProduction, NeedAction, OnHold, Ready};
    for (draft, status) in [
        (moving("start", order()), InProduction),
        (with_reason("put-back"), Ready),
        (with_reason("hold"), OnHold),
        (moving("release", order()), Ready),
        (need.clone(), NeedAction),
        (back(), Ready),
        (need, NeedAction),
        (away, Cancelled),
        (with_reason("cancel"), Cancelled),
    ] {
        let first = moved(&shop, &draft).await.unwrap();
        let expected = if draft.command == "cancel".into() {
            "unchanged"
        } else {
            "moved"
        };
        assert_eq!(results(&first), [expected], "{draft:?}");
        let now = first.orders[0].order.clone().unwrap();
        assert_eq!(now.item_statuses, [status]);
        let again = moved(&shop, &draft).await.unwrap();
        assert_eq!(results(&again), ["unchanged"], "{draft:?}");
        assert_eq!(again.orders[0].order, Some(now));
    }
    // The cancelled mug's fee remains.
    let order = shop.stored("T-0").await.unwrap();
    assert_eq!(order.bill().unwrap().total(), usd("5"));
    let draft = HistoryDraft {
        order_id: "DEMO-1".into(),
        ..HistoryDraft::default()
    };
    let desk = Desk::new(&shop);
    let history = shop
        .service
        .read
        .history(desk.scope(), &draft)
        .await
        .unwrap();
    let latest = &history.page.entries[0].event;
    assert_eq!(latest.actor, Actor::Operator(desk.operator.id));
}

#[tokio::test]
async fn an_amount_must_fit_the_currency_of_each_order() {
    let mut shop = Shop::open().await;
    ready(&mut shop, 1).await;
    for wrong in ["2.505", "-1", "0"] {
        let need = MoveDraft {
            values: fee(wrong),
            ..moving("need", vec![to_move("DEMO-1")])
        };
        let refused = moved(&shop, &need).await.unwrap();
        assert_eq!(results(&refused), ["invalid"], "{wrong}");
    }
}

#[tokio::test]
async fn all_problems_are_reported_together_and_no_order_is_moved() {
    let mut shop = Shop::open().await;
    ready(&mut shop, 1).await;
    let twice = || vec![to_move("DEMO-1"), to_move("DEMO-1")];
    let conflicting = MoveDraft {
        values: MoveValues {
            amount: "1".into(),
            code: "other".into(),
            keep_fees: Field::Value(false),
            ..MoveValues::default()
        },
        ..moving("need", vec![to_move(" ")])
    };
    for (draft, fields) in [
        (
            moving("cancel", twice()),
            vec!["orders[1].order_id", "reason"],
        ),
        (
            conflicting,
            vec!["orders[0].order_id", "keepFees", "amount"],
        ),
        (moving("fly", vec![to_move("DEMO-1")]), vec!["command"]),
        (moving("start", Vec::new()), vec!["orders"]),
        (MoveDraft::default(), vec!["orders", "command"]),
    ] {
        let Err(OrderError::Invalid { violations, .. }) = moved(&shop, &draft).await else {
            panic!("{draft:?} is accepted");
        };
        let found: Vec<&str> = violations
            .iter()
            .map(|found| found.field.as_str())
            .collect();
        assert_eq!(found, fields, "{draft:?}");
    }
    let many = vec![to_move("DEMO-1"); limits::MOVED_ORDERS + 1];
    let refused = moved(&shop, &moving("start", many)).await;
    assert!(matches!(refused, Err(OrderError::Invalid { .. })));
    assert_eq!(shop.stored("T-0").await.unwrap().state.version, 1);
}
