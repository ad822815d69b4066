//! Operators' notes on orders.

use std::sync::Arc;

use pressline_backoffice::limits;
use pressline_backoffice::memory::MemoryNotes;
use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::note::NoteDraft;
use pressline_backoffice::note::NoteService;
use pressline_backoffice::operator::{OperatorAdmin, OperatorDirectory, OperatorRecord};
use pressline_domain::order::OrderError;

use super::{Desk, named};
use crate::fixture::*;

async fn notes(shop: &Shop, desk: &Desk) -> NoteService {
    let directory = MemoryOperators::default();
    let record = OperatorRecord {
        operator: desk.operator.clone(),
        tokens: Vec::new(),
    };
    directory.add(&record).await.unwrap();
    let operators = OperatorAdmin::new(
        Arc::new(directory),
        Arc::new(crate::operators::Secrets),
        shop.clock.clone(),
        Arc::new(CountedIds::default()),
    );
    let repository = Arc::new(MemoryNotes::default());
    NoteService {
        orders: shop.service.read.clone(),
        notes: repository,
        operators,
        clock: shop.clock.clone(),
        ids: Arc::new(CountedIds::default()),
    }
}

fn note(text: &str) -> NoteDraft {
    NoteDraft {
        order_id: "DEMO-1".into(),
        text: text.into(),
    }
}

#[tokio::test]
async fn notes_are_shown_with_their_authors_and_change_no_order() {
    let shop = Shop::open().await;
    let order = shop.place("T-1", vec![item("MUG-11", 1)]).await.order;
    let desk = Desk::new(&shop);
    let notes = notes(&shop, &desk).await;
    let add = async |text: &str| notes.add(desk.scope(), &note(text), &desk.operator).await;
    add("plain box").await.unwrap();
    let noted = add("two\nlines").await.unwrap();
    assert_eq!(noted.order, order);
    let texts: Vec<&str> = noted.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(texts, ["plain box", "two\nlines"]);
    assert_eq!(noted.names[&noted.notes[0].operator], "Ana");
    let read = notes.get(desk.scope(), &named("DEMO-1")).await.unwrap();
    assert_eq!(read.notes, noted.notes);
    assert_eq!(shop.stored("T-1").await, Some(order));
}

#[tokio::test]
async fn notes_are_bounded_in_size_and_number() {
    let shop = Shop::open().await;
    shop.place("T-1", vec![item("MUG-11", 1)]).await;
    let desk = Desk::new(&shop);
    let notes = notes(&shop, &desk).await;
    let add = async |text: &str| notes.add(desk.scope(), &note(text), &desk.operator).await;
    for wrong in [" ".to_owned(), "x".repeat(limits::NOTE + 1)] {
        let refused = add(&wrong).await;
        assert!(matches!(refused, Err(OrderError::Invalid { .. })));
    }
    for _ in 0..limits::NOTES {
        add("again").await.unwrap();
    }
    let refused = add("one more").await;
    assert!(matches!(refused, Err(OrderError::Invalid { .. })));
}
