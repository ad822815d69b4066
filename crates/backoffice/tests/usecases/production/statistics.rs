//! Statistics of orders by the day on which they were placed.

use std::sync::Arc;

use pressline_backoffice::queue::StoresDraft;
use pressline_backoffice::statistics::{
    Group, OrderStatistics, Statistics, StatisticsDraft, StatisticsService, Sum,
};
use pressline_domain::check::Field;
use pressline_domain::order::request::FeeLineDraft;
use pressline_domain::order::{Order, OrderError};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::Timestamp;

use super::floor::Floor;
use crate::desk::Desk;
use crate::fixture::*;

const HOUR: i64 = 60 * 60 * 1000;
const DAY: i64 = 24 * HOUR;
const GROUPS: [&str; 4] = ["store", "sku", "day", "order"];

async fn figures_at(
    floor: &Floor,
    desk: &Desk,
    draft: &StatisticsDraft,
) -> Result<OrderStatistics, OrderError> {
    let service = StatisticsService {
        orders: floor.statistics(),
        stores: std::sync::Arc::new(floor.shop.stores.clone()),
        clock: floor.shop.clock.clone(),
        permits: Arc::default(),
    };
    service.orders(&desk.operator, draft).await
}

/// Query for the store's statistics of June 2024, grouped by `by`.
fn june(floor: &Floor, by: &str) -> StatisticsDraft {
    let store = Field::Value(floor.shop.store.id.to_string());
    StatisticsDraft {
        from: "2024-06-01".into(),
        to: "2024-06-30".into(),
        by: by.into(),
        stores: StoresDraft {
            ids: Field::Value(vec![store]),
            ..StoresDraft::default()
        },
        ..StatisticsDraft::default()
    }
}

async fn of_june(floor: &Floor, by: &str) -> OrderStatistics {
    let draft = june(floor, by);
    figures_at(floor, &floor.desk, &draft).await.unwrap()
}

/// Returns June's total. Panics if there are totals of several currencies.
async fn total(floor: &Floor) -> Statistics {
    let totals = of_june(floor, "store").await.totals;
    let [(currency, total)] = totals.as_slice() else {
        panic!("{totals:?}");
    };
    assert_eq!(*currency, floor.shop.store.currency);
    total.clone()
}

fn sum(text: &str) -> Sum {
    Sum::from_minor(usd(text).minor_units())
}

async fn place(floor: &Floor, order_id: &str, sku: &str, quantity: i64) -> Order {
    floor
        .shop
        .place(order_id, vec![item(sku, quantity)])
        .await
        .order
}

#[tokio::test]
async fn all_groupings_have_the_same_totals() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5, 2]).await;
    floor.shop.clock.set(Timestamp::from_millis(NOW + DAY));
    floor.ready("T-2", &[1]).await;
    place(&floor, "T-3", "TEE-M", 3).await;
    let mut expected = Sum::default();
    for order_id in ["T-1", "T-2", "T-3"] {
        let order = floor.shop.stored(order_id).await.unwrap();
        expected = expected.plus(order.bill().unwrap().total().minor_units());
    }
    for by in GROUPS {
        let statistics = of_june(&floor, by).await;
        let [(_, total)] = statistics.totals.as_slice() else {
            panic!("{statistics:?}");
        };
        assert_eq!((total.orders, total.units), (3, 11), "{by}");
        assert_eq!(total.total, expected, "{by}");
        let rows = statistics.rows.iter().map(|row| &row.statistics);
        let units: u64 = rows.clone().map(|row| row.units).sum();
        assert_eq!(units, 11, "{by}");
        let sums = rows.clone().map(|row| row.total);
        assert_eq!(sums.fold(Sum::default(), Sum::plus_sum), expected, "{by}");
        for fee in FeeType::ALL {
            let fees = rows.clone().filter_map(|row| row.fee(fee));
            let fees = fees.fold(Sum::default(), Sum::plus_sum);
            // A fee of zero without a fee line belongs to no SKU's row.
            assert_eq!(fees, total.fee(fee).unwrap_or_default(), "{by} {fee:?}");
        }
    }
}

#[tokio::test]
async fn each_row_names_its_group() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5, 2]).await;
    floor.shop.clock.set(Timestamp::from_millis(NOW + DAY));
    place(&floor, "T-2", "TEE-M", 3).await;
    let groups = async |by: &str| -> Vec<String> {
        let rows = of_june(&floor, by).await.rows;
        let shown = rows.into_iter().map(|row| {
            let name = match row.group {
                Group::Store(id) => id.to_string(),
                Group::Sku(sku) => sku.unwrap_or_default(),
                Group::Day(day) => day.to_string(),
                Group::Order {
                    number, order_id, ..
                } => format!("{number} {order_id}"),
            };
            let statistics = row.statistics;
            format!("{name}: {} {}", statistics.orders, statistics.units)
        });
        shown.collect()
    };
    let store = floor.shop.store.id;
    assert_eq!(groups("store").await, [format!("{store}: 2 10")]);
    assert_eq!(groups("sku").await, ["MUG-11: 1 7", "TEE-M: 1 3", ": 2 0"]);
    assert_eq!(groups("day").await, ["2024-06-08: 1 7", "2024-06-09: 1 3"]);
    assert_eq!(
        groups("order").await,
        ["DEMO-1 T-1: 1 7", "DEMO-2 T-2: 1 3"]
    );
}

#[tokio::test]
async fn fees_of_an_item_belong_to_the_row_of_its_sku() {
    let floor = Floor::open().await;
    let order = floor.ready("T-1", &[2]).await;
    let line = FeeLineDraft {
        order_id: order.service_order_id.to_string().into(),
        app_item_id: order.state.items[0].id.to_string().into(),
        fee: "other".into(),
        amount: "1.50".into(),
        reason: "A gift box.".into(),
        ..FeeLineDraft::default()
    };
    let service = &floor.shop.service;
    let by = floor.desk.caller();
    service
        .change
        .correct_fees(floor.desk.scope(), &line, &by)
        .await
        .unwrap();
    let rows = of_june(&floor, "sku").await.rows;
    let [mugs, rest] = rows.as_slice() else {
        panic!("{rows:?}");
    };
    assert_eq!(mugs.statistics.fee(FeeType::Product), Some(sum("10")));
    assert_eq!(mugs.statistics.fee(FeeType::Other), Some(sum("1.50")));
    assert_eq!(mugs.statistics.fee(FeeType::Shipping), None);
    assert_eq!(rest.group, Group::Sku(None));
    let shipping = rest.statistics.fee(FeeType::Shipping);
    assert_eq!(
        (shipping, rest.statistics.units),
        (Some(rest.statistics.total), 0)
    );
}

#[tokio::test]
async fn days_are_of_the_requested_time_zone() {
    let floor = Floor::open().await;
    // In New York, the day before has not ended yet.
    floor.ready("T-1", &[1]).await;
    for (zone, day, orders) in [
        ("America/New_York", "2024-06-07", 1),
        ("America/New_York", "2024-06-08", 0),
        ("UTC", "2024-06-08", 1),
        ("UTC", "2024-06-07", 0),
    ] {
        let draft = StatisticsDraft {
            from: day.into(),
            to: day.into(),
            time_zone: zone.into(),
            by: "day".into(),
            ..StatisticsDraft::default()
        };
        let statistics = figures_at(&floor, &floor.desk, &draft).await.unwrap();
        assert_eq!(statistics.rows.len(), orders, "{zone} {day}");
    }
    let month = figures_at(&floor, &floor.desk, &StatisticsDraft::default()).await;
    let days = month.unwrap().days;
    let ends = days.ends().map(|(from, to)| format!("{from} {to}"));
    assert_eq!(ends.as_deref(), Some("2024-06-01 2024-06-08"));
}

#[tokio::test]
async fn late_shipments_remain_late() {
    let floor = Floor::open().await;
    let orders = [
        floor.ready("T-1", &[5]).await,
        floor.ready("T-2", &[3]).await,
        floor.ready("T-3", &[2]).await,
    ];
    for code in ["DEMO-2-1", "DEMO-3-1"] {
        floor.scan(code, "print").await;
    }
    floor.ship(&orders[1], "in time", 3).await;
    assert_eq!(total(&floor).await.late_units, 0);
    floor.shop.clock.set(Timestamp::from_millis(NOW + 4 * DAY));
    assert_eq!(total(&floor).await.late_units, 5 + 2);
    floor.ship(&orders[2], "too late", 2).await;
    assert_eq!(total(&floor).await.late_units, 5 + 2);
    floor.give("hold", "DEMO-1").await;
    assert_eq!(total(&floor).await.late_units, 2);
}

#[tokio::test]
async fn misprints_and_cancelled_units_are_counted_apart() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    floor.ready("T-2", &[3]).await;
    floor.scan("DEMO-1-1", "print").await;
    floor.misprint("DEMO-1-1", 2).await.unwrap();
    floor.give("cancel", "DEMO-2").await;
    let counted = total(&floor).await;
    assert_eq!((counted.orders, counted.units), (1, 5));
    assert_eq!((counted.cancelled_orders, counted.cancelled_units), (1, 3));
    assert_eq!(counted.misprinted_units, 2);
    assert_eq!(counted.fee(FeeType::Product), Some(sum("25")));
    assert_eq!(counted.unpriced_orders, 0);
}

#[tokio::test]
async fn unpriced_orders_count_for_the_sku_without_a_price() {
    let floor = Floor::open().await;
    let items = vec![item("MUG-11", 1), item("NO-SUCH-SKU", 2)];
    floor.shop.place("T-1", items).await;
    assert_eq!(total(&floor).await.unpriced_orders, 1);
    let rows = of_june(&floor, "sku").await.rows;
    let unpriced = rows.iter().filter(|row| row.statistics.unpriced_orders > 0);
    let groups: Vec<_> = unpriced.map(|row| row.group.clone()).collect();
    assert_eq!(groups, [Group::Sku(Some("NO-SUCH-SKU".to_owned()))]);
}

#[tokio::test]
async fn operators_see_the_figures_of_their_stores() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    let bound = Desk::bound_to(&floor.shop, &[]);
    for by in GROUPS {
        let statistics = figures_at(&floor, &bound, &june(&floor, by)).await.unwrap();
        assert!(
            statistics.rows.is_empty() && statistics.stores.is_empty(),
            "{by}"
        );
    }
}

#[tokio::test]
async fn orders_of_test_stores_are_counted_only_if_asked_for() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    let test = floor.shop.add_test_store("TEST").await;
    let draft = order_of("TRY", vec![item("MUG-11", 1)]);
    let placed = floor
        .shop
        .service
        .place
        .create(&test, &draft, &caller())
        .await;
    placed.unwrap();
    for (asked, expected) in [(false, 1), (true, 2)] {
        let mut draft = june(&floor, "day");
        draft.stores = StoresDraft {
            test: asked.into(),
            ..StoresDraft::default()
        };
        let found = figures_at(&floor, &floor.desk, &draft).await.unwrap();
        let orders: u64 = found.totals.iter().map(|(_, total)| total.orders).sum();
        assert_eq!(orders, expected);
    }
}

#[tokio::test]
async fn wrong_requests_are_refused_with_all_problems() {
    let floor = Floor::open().await;
    for (what, draft, wanted) in [
        (
            "not a day",
            StatisticsDraft {
                from: "1 June".into(),
                to: "2024-06-31".into(),
                by: "month".into(),
                time_zone: "Mars".into(),
                ..StatisticsDraft::default()
            },
            &[
                ("timeZone", "invalid_format"),
                ("to", "invalid_format"),
                ("from", "invalid_format"),
                ("by", "invalid_format"),
            ][..],
        ),
        (
            "too many days",
            StatisticsDraft {
                from: "2024-05-31".into(),
                ..june(&floor, "store")
            },
            &[],
        ),
        (
            "32 days",
            StatisticsDraft {
                from: "2024-05-30".into(),
                ..june(&floor, "store")
            },
            &[("from", "out_of_range")],
        ),
        (
            "orders of all stores",
            StatisticsDraft {
                stores: StoresDraft::default(),
                ..june(&floor, "order")
            },
            &[("stores", "required")],
        ),
    ] {
        let made = figures_at(&floor, &floor.desk, &draft).await;
        if wanted.is_empty() {
            assert!(made.is_ok(), "{what}");
        } else {
            expect(what, made, wanted);
        }
    }
}
