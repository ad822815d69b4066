//! Batches of items.

use pressline_backoffice::limits;
use pressline_backoffice::production::{
    BatchDraft, BatchView, BatchesDraft, Exclusion, ProductionError,
};
use pressline_domain::check::{Field, Violation};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::{MoveResult, OrderError};
use pressline_domain::value::Currency;
use pressline_domain::value::page::PageDraft;

use super::floor::{Floor, batch};
use crate::desk::Desk;

/// Item codes of a batch, with the reason if `taken_out` excludes the item.
fn shown(view: &BatchView) -> Vec<(String, Option<Exclusion>)> {
    let lines = view.lines.iter();
    let shown = lines.map(|line| {
        let code = line.item.as_ref().map(|item| item.code());
        (code.unwrap_or_default(), line.taken_out())
    });
    shown.collect()
}

fn listed(violations: &[Violation]) -> Vec<(&str, &str)> {
    let listed = violations.iter();
    listed
        .map(|violation| (violation.field.as_str(), violation.message.as_str()))
        .collect()
}

#[tokio::test]
async fn only_starting_a_batch_starts_its_ready_items() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[5, 2]).await;
    floor.ready("T-2", &[1]).await;
    floor.scan("DEMO-2-1", "print").await;
    let made = floor.make_batch(&["DEMO-2-1", "DEMO-1-1"]).await.unwrap();
    assert_eq!(made.header.number.to_string(), "BATCH-1");
    assert_eq!(made.names[&made.header.created.by], "Ana");
    assert_eq!(
        shown(&made),
        [("DEMO-2-1".to_owned(), None), ("DEMO-1-1".to_owned(), None)]
    );
    assert_eq!(floor.status("DEMO-1-1").await, ItemStatus::Ready);
    let (operator, by) = (&floor.desk.operator, floor.desk.caller());
    let named = batch("1");
    let start = async || {
        let started = floor.production.start_batch(operator, &named, &by);
        started.await.unwrap()
    };
    let started = start().await;
    let results = started.orders.iter().map(|order| {
        let result = order.result.as_ref().unwrap();
        (order.order_id.as_str(), *result)
    });
    let results: Vec<_> = results.collect();
    assert_eq!(
        results,
        [
            ("DEMO-1", MoveResult::Moved),
            ("DEMO-2", MoveResult::Unchanged)
        ]
    );
    assert!(!started.replayed && started.batch.header.started.is_some());
    assert_eq!(floor.status("DEMO-1-1").await, ItemStatus::InProduction);
    // The order's second item is not in the batch and stays ready.
    assert_eq!(floor.status("DEMO-1-2").await, ItemStatus::Ready);
    assert!(start().await.replayed);
    floor.give("put-back", "DEMO-1").await;
    assert!(!start().await.replayed);
}

#[tokio::test]
async fn an_item_is_in_one_open_batch_and_all_refused_items_are_listed() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[1, 1, 1]).await;
    floor.make_batch(&["DEMO-1-1", "DEMO-1-2"]).await.unwrap();
    let refused = floor
        .make_batch(&["DEMO-1-2", "DEMO-1-3", "DEMO-1-1"])
        .await;
    let Err(ProductionError::ItemsInBatch(violations)) = refused else {
        panic!("not refused as taken");
    };
    assert_eq!(
        listed(&violations),
        [
            ("items[0]", "DEMO-1-2 is in BATCH-1"),
            ("items[2]", "DEMO-1-1 is in BATCH-1")
        ]
    );
    let operator = &floor.desk.operator;
    let named = batch("BATCH-1");
    let close = async || {
        let closed = floor.production.close_batch(operator, &named);
        closed.await.unwrap()
    };
    let (closed, replayed) = close().await;
    assert!(!replayed && !closed.header.is_open());
    assert!(close().await.1);
    let again = floor
        .make_batch(&["DEMO-1-2", "DEMO-1-3", "DEMO-1-1"])
        .await;
    assert_eq!(again.unwrap().header.number.get(), 2);
    let (named, by) = (batch("1"), floor.desk.caller());
    let started = floor.production.start_batch(operator, &named, &by);
    assert!(matches!(
        started.await,
        Err(ProductionError::BatchClosed(_))
    ));
}

#[tokio::test]
async fn only_items_that_are_ready_or_in_production_can_be_in_a_batch() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[1]).await;
    floor.ready("T-2", &[1]).await;
    floor.ready("T-3", &[1]).await;
    floor.give("hold", "DEMO-2").await;
    floor.give("cancel", "DEMO-3").await;
    let refused = floor
        .make_batch(&["DEMO-1-1", "DEMO-2-1", "DEMO-3-1"])
        .await;
    let Err(ProductionError::NotProducible {
        first,
        items,
        violations,
    }) = refused
    else {
        panic!("not refused");
    };
    assert_eq!(
        listed(&violations),
        [
            ("items[1]", "DEMO-2-1 is on-hold"),
            ("items[2]", "DEMO-3-1 is cancelled")
        ]
    );
    assert_eq!(items.len(), 2);
    assert!(
        matches!(*first, OrderError::IllegalTransition { from, .. } if from == ItemStatus::OnHold)
    );
    let refused = floor
        .make_batch(&["DEMO-1-1", "DEMO-1-2", "DEMO-9-1"])
        .await;
    let Err(ProductionError::Order(OrderError::UnknownItem(violations))) = refused else {
        panic!("not refused");
    };
    assert_eq!(
        listed(&violations),
        [
            ("items[1]", "there is no item DEMO-1-2"),
            ("items[2]", "there is no item DEMO-9-1")
        ]
    );
}

#[tokio::test]
async fn held_and_cancelled_items_stay_listed_as_excluded() {
    let floor = Floor::open().await;
    for number in 1..=4 {
        floor.ready(&format!("T-{number}"), &[1]).await;
    }
    let codes = ["DEMO-1-1", "DEMO-2-1", "DEMO-3-1", "DEMO-4-1"];
    floor.make_batch(&codes).await.unwrap();
    floor.give("hold", "DEMO-2").await;
    floor.give("cancel", "DEMO-3").await;
    let fourth = floor.shop.stored("T-4").await.unwrap();
    floor.ship(&fourth, "box", 1).await;
    let operator = &floor.desk.operator;
    let found = floor
        .production
        .get_batch(operator, &batch("batch-1"))
        .await;
    let taken_out: Vec<_> = shown(&found.unwrap())
        .into_iter()
        .map(|(_, taken_out)| taken_out.map(Exclusion::as_str))
        .collect();
    // A shipped item is not excluded: it has been produced.
    assert_eq!(taken_out, [None, Some("on-hold"), Some("cancelled"), None]);
    let (named, by) = (batch("1"), floor.desk.caller());
    let started = floor.production.start_batch(operator, &named, &by);
    let results: Vec<bool> = started
        .await
        .unwrap()
        .orders
        .iter()
        .map(|order| order.result.is_ok())
        .collect();
    assert_eq!(results, [true, false, false, false]);
    assert_eq!(floor.status("DEMO-1-1").await, ItemStatus::InProduction);
}

#[tokio::test]
async fn the_codes_of_a_request_are_checked_together() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[1]).await;
    let operator = &floor.desk.operator;
    let by = floor.desk.caller();
    let code = |text: &str| Field::from(text);
    let many = vec![code("DEMO-1-1"); limits::BATCH_ITEMS + 1];
    for (items, expected) in [
        (Field::Absent, vec!["items"]),
        (Field::Value(Vec::new()), vec!["items"]),
        (Field::Value(many), vec!["items"]),
        (
            Field::Value(vec![
                code("x"),
                Field::Absent,
                code("demo-1-1"),
                code("DEMO-1-1"),
            ]),
            vec!["items[0]", "items[1]", "items[3]"],
        ),
    ] {
        let draft = BatchDraft {
            items,
            name: Field::Absent,
        };
        let refused = floor.production.create_batch(operator, &draft, &by).await;
        let Err(ProductionError::Order(OrderError::Invalid { violations, .. })) = refused else {
            panic!("{expected:?} accepted");
        };
        let fields: Vec<_> = violations.iter().map(|v| v.field.as_str()).collect();
        assert_eq!(fields, expected);
    }
}

#[tokio::test]
async fn a_bound_operator_finds_batches_of_its_stores_only() {
    let floor = Floor::open().await;
    let other = floor.shop.add_store("OTHER", Currency::USD).await;
    floor.ready("T-1", &[1]).await;
    floor.ready_in(&other, "T-2", &[1, 1]).await;
    floor.make_batch(&["OTHER-1-1"]).await.unwrap();
    floor.make_batch(&["OTHER-1-2", "DEMO-1-1"]).await.unwrap();
    let bound = Desk::bound_to(&floor.shop, &[other.id]).operator;
    let production = &floor.production;
    assert!(production.get_batch(&bound, &batch("1")).await.is_ok());
    for unknown in ["2", "3"] {
        let refused = production.get_batch(&bound, &batch(unknown)).await;
        assert!(matches!(refused, Err(ProductionError::BatchNotFound)));
    }
    let draft = BatchesDraft::default();
    let numbers = async |operator| {
        let found = production.search_batches(operator, &draft).await.unwrap();
        let entries = found.page.entries.iter();
        entries
            .map(|header| header.number.get())
            .collect::<Vec<_>>()
    };
    assert_eq!(numbers(&bound).await, [1]);
    assert_eq!(numbers(&floor.desk.operator).await, [2, 1]);
}

#[tokio::test]
async fn batches_are_paged_by_cursor_newest_first() {
    let floor = Floor::open().await;
    floor.ready("T-1", &[1, 1, 1, 1, 1]).await;
    let operator = &floor.desk.operator;
    for number in 1..=5 {
        floor
            .make_batch(&[&format!("DEMO-1-{number}")])
            .await
            .unwrap();
    }
    let closed = batch("4");
    floor
        .production
        .close_batch(operator, &closed)
        .await
        .unwrap();
    let (mut cursor, mut walked) = (Field::Absent, Vec::new());
    loop {
        let draft = BatchesDraft {
            open: true.into(),
            paging: PageDraft {
                size: 2.into(),
                cursor,
                ..PageDraft::default()
            },
        };
        let found = floor.production.search_batches(operator, &draft).await;
        let page = found.unwrap().page;
        walked.push(
            page.entries
                .iter()
                .map(|header| header.number.get())
                .collect::<Vec<_>>(),
        );
        let Some(next) = page.next_cursor else { break };
        cursor = Field::Value(next);
    }
    assert_eq!(walked, [vec![5, 3], vec![2, 1]]);
}
