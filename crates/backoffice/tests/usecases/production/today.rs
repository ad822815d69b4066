//! Overview of the print shop's day.

use pressline_backoffice::overview::{OverviewService, ProblemKind, Today, TodayDraft};
use pressline_backoffice::queue::StoresDraft;
use pressline_domain::value::Timestamp;

use super::floor::Floor;
use crate::desk::Desk;
use crate::fixture::*;

const HOUR: i64 = 60 * 60 * 1000;
const DAY: i64 = 24 * HOUR;

pub(super) fn service(floor: &Floor) -> OverviewService {
    OverviewService {
        queue: floor.shop.orders.clone(),
        orders: floor.shop.orders.clone(),
        overview: floor.overview(),
        stores: std::sync::Arc::new(floor.shop.stores.clone()),
        clock: floor.shop.clock.clone(),
        steps: floor.production.steps.clone(),
    }
}

async fn today_at(floor: &Floor, desk: &Desk, draft: StoresDraft) -> Today {
    let draft = TodayDraft {
        stores: draft,
        // Just after the default ship-by time of 3 days.
        day_ends: Timestamp::from_millis(NOW + 3 * DAY + 1),
    };
    service(floor).today(&desk.operator, &draft).await.unwrap()
}

pub(super) async fn today(floor: &Floor) -> Today {
    today_at(floor, &floor.desk, StoresDraft::default()).await
}

fn waiting(today: &Today) -> Vec<u64> {
    today.steps.iter().map(|step| step.units).collect()
}

#[tokio::test]
async fn ready_units_are_shown_by_product_with_unbatched_items() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5, 2]).await;
    floor.ready("T-2", &[1]).await;
    floor.ready("T-3", &[9]).await;
    floor.make_batch(&["DEMO-1-2"]).await.unwrap();
    floor.record("DEMO-3-1", "print", None).await.unwrap();
    let today = today(&floor).await;
    let [product] = today.products.as_slice() else {
        panic!("{:?}", today.products);
    };
    assert_eq!(product.sku, "MUG-11");
    // DEMO-3-1 is in production and no longer ready.
    assert_eq!((product.units, product.items), (8, 3));
    assert_eq!(product.unbatched_items, 2);
    assert_eq!(product.oldest, Timestamp::from_millis(NOW));
    assert!(today.is_complete);
}

#[tokio::test]
async fn units_wait_at_their_next_step() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    let order = floor.ready("T-2", &[3]).await;
    floor.record("DEMO-1-1", "print", Some(4)).await.unwrap();
    floor.record("DEMO-1-1", "check", Some(1)).await.unwrap();
    floor.scan("DEMO-2-1", "print").await;
    floor.ship(&order, "parcel", 1).await;
    // Waiting for print: 5 - 4; for check: 4 - 1 and 3 - 1 shipped; for pack: 1.
    assert_eq!(waiting(&today(&floor).await), [1, 5, 1]);
}

#[tokio::test]
async fn units_are_due_until_they_are_late() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    let order = floor.ready("T-2", &[3]).await;
    floor.scan("DEMO-2-1", "print").await;
    floor.ship(&order, "parcel", 1).await;
    let before = today(&floor).await;
    assert_eq!((before.due_units, before.late_units), (7, 0));
    let later = Timestamp::from_millis(NOW + 3 * DAY);
    floor.shop.clock.set(later);
    let after = today(&floor).await;
    assert_eq!((after.due_units, after.late_units), (0, 7));
    assert_eq!(after.problems[&ProblemKind::Late], 2);
    assert_eq!(after.products[0].late_items, 1);
}

#[tokio::test]
async fn received_and_shipped_units_are_counted_by_hour() {
    let floor = Floor::open().await;
    let order = floor.ready("T-1", &[5]).await;
    floor.shop.clock.set(Timestamp::from_millis(NOW + 2 * HOUR));
    floor.scan("DEMO-1-1", "print").await;
    floor.ship(&order, "parcel", 4).await;
    floor.shop.clock.set(Timestamp::from_millis(NOW + 3 * HOUR));
    let hours = today(&floor).await.hours;
    let counts = hours.iter().map(|hour| (hour.orders, hour.units));
    let mut expected = [(0, 0); 24];
    expected[21] = (1, 0);
    expected[23] = (0, 4);
    assert_eq!(counts.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn held_items_wait_for_a_decision_and_not_at_a_step() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    floor.give("hold", "DEMO-1").await;
    let today = today(&floor).await;
    assert_eq!((waiting(&today), today.products.len()), (vec![0, 0, 0], 0));
    assert_eq!(today.due_units, 0);
}

#[tokio::test]
async fn operators_see_numbers_of_their_stores_only() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5]).await;
    let bound = Desk::bound_to(&floor.shop, &[]);
    let nothing = today_at(&floor, &bound, StoresDraft::default()).await;
    assert_eq!(waiting(&nothing), [0, 0, 0]);
    assert!(nothing.hours.iter().all(|hour| hour.orders == 0));
}

#[tokio::test]
async fn orders_of_test_stores_are_shown_only_if_asked_for() {
    let floor = Floor::open().await;
    let test = floor.shop.add_test_store("TEST").await;
    let draft = order_of("TRY", vec![item("MUG-11", 1)]);
    let placed = floor
        .shop
        .service
        .place
        .create(&test, &draft, &caller())
        .await;
    placed.unwrap();
    floor.shop.clock.set(Timestamp::from_millis(NOW + HOUR));
    for (asked, expected) in [(false, 0), (true, 1)] {
        let stores = StoresDraft {
            test: asked.into(),
            ..StoresDraft::default()
        };
        let today = today_at(&floor, &floor.desk, stores).await;
        let orders: u64 = today.hours.iter().map(|hour| hour.orders).sum();
        assert_eq!(orders, expected);
    }
}
