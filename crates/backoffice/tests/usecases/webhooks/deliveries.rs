//! Searching deliveries, and resending events.

use super::*;

fn of(record: &EndpointRecord) -> Field<String> {
    record.endpoint.id.to_string().into()
}

fn search(edit: impl FnOnce(&mut DeliveryDraft)) -> DeliveryDraft {
    let mut draft = DeliveryDraft::default();
    edit(&mut draft);
    draft
}

#[tokio::test]
async fn deliveries_are_searched_page_by_page() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let (one, two) = (hooks.create().await, hooks.create().await);
    let mut all = Vec::new();
    for number in 0..5 {
        let order = hooks.place(&format!("T-{number}")).await;
        all.push(hooks.fail(&one, &order).await);
        all.push(hooks.fail(&two, &order).await);
    }
    all.reverse();
    let mut draft = DeliveryDraft::default();
    draft.paging.size = 4.into();
    let (mut found, mut sizes) = (Vec::new(), Vec::new());
    loop {
        let found_page = hooks.endpoints.deliveries(store, &draft).await.unwrap();
        let page = found_page.page;
        assert_eq!((page.number, page.has_previous), (None, !found.is_empty()));
        sizes.push(page.entries.len());
        found.extend(page.entries);
        let Some(cursor) = page.next_cursor else {
            break;
        };
        draft.paging.cursor = cursor.into();
    }
    assert_eq!((found, sizes), (all.clone(), vec![4, 4, 2]));
    // A cursor is valid for its own search only.
    draft.webhook_id = of(&one);
    let problem = problems(hooks.endpoints.deliveries(store, &draft).await);
    assert_eq!(problem, [("cursor".to_owned(), IssueCode::InvalidFormat)]);
    let other = hooks.shop.add_store("OTHER", currency("USD")).await;
    draft.webhook_id = Field::Absent;
    let problem = problems(hooks.endpoints.deliveries(&other, &draft).await);
    assert_eq!(problem, [("cursor".to_owned(), IssueCode::InvalidFormat)]);
    let all = DeliveryDraft::default();
    let found = hooks.endpoints.deliveries(&other, &all).await;
    assert_eq!(found.unwrap().page.entries, []);
}

#[tokio::test]
async fn deliveries_are_found_by_each_filter() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let (one, two) = (hooks.create().await, hooks.create().await);
    let (first, second) = (hooks.place("T-1").await, hooks.place("T-2").await);
    let of_one = hooks.fail(&one, &first).await;
    let of_two = hooks.fail(&two, &second).await;
    let number = second.service_order_id.to_string();
    let millis = of_two.started_at.as_millis();
    for (draft, wanted) in [
        (search(|draft| draft.webhook_id = of(&one)), vec![&of_one]),
        (search(|draft| draft.order_id = "T-1".into()), vec![&of_one]),
        (
            search(|draft| draft.order_id = number.into()),
            vec![&of_two],
        ),
        (search(|draft| draft.sequence = 2.into()), vec![&of_two]),
        (search(|draft| draft.status = "succeeded".into()), vec![]),
        (
            search(|draft| draft.status = "failed".into()),
            vec![&of_two, &of_one],
        ),
        (
            search(|draft| draft.from_time = millis.into()),
            vec![&of_two],
        ),
        (
            search(|draft| draft.to_time = (millis - 1).into()),
            vec![&of_one],
        ),
    ] {
        let found = hooks.endpoints.deliveries(store, &draft).await.unwrap();
        let found: Vec<_> = found.page.entries.iter().collect();
        assert_eq!(found, wanted, "{draft:?}");
    }
}

#[tokio::test]
async fn invalid_values_and_unknown_ids_in_a_search_are_refused() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let wrong = DeliveryDraft {
        sequence: 0.into(),
        status: "lost".into(),
        from_time: 7.into(),
        ..DeliveryDraft::default()
    };
    let problem = problems(hooks.endpoints.deliveries(store, &wrong).await);
    let fields: Vec<_> = problem.iter().map(|(field, _)| field.as_str()).collect();
    assert_eq!(fields, ["sequence", "fromTime", "status"]);
    let unknown = search(|draft| draft.order_id = "T-9".into());
    let found = hooks.endpoints.deliveries(store, &unknown).await;
    assert_refused!(found, WebhookError::OrderNotFound);
    let foreign = hooks.create_for_shop(&[]).await;
    let unknown = search(|draft| draft.webhook_id = of(&foreign));
    let found = hooks.endpoints.deliveries(store, &unknown).await;
    assert_refused!(found, WebhookError::NotFound);
}

#[tokio::test]
async fn a_delivery_is_sent_again_unless_its_endpoint_is_disabled() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let record = hooks.create().await;
    let order = hooks.place("T-1").await;
    let failed = hooks.fail(&record, &order).await;
    let draft = |delivery: &Delivery| ResendDraft {
        delivery_id: delivery.id.to_string().into(),
        ..ResendDraft::default()
    };
    assert_eq!(
        hooks
            .endpoints
            .resend(store, &draft(&failed))
            .await
            .unwrap(),
        1
    );
    let message = hooks
        .webhooks
        .oldest(failed.subscription())
        .await
        .unwrap()
        .unwrap();
    assert_eq!((message.sequence, message.attempts), (1, 0));
    assert_eq!(message.due.as_millis(), NOW);
    let other = hooks.shop.add_store("OTHER", currency("USD")).await;
    let foreign = hooks.endpoints.resend(&other, &draft(&failed)).await;
    assert_refused!(foreign, WebhookError::DeliveryNotFound);
    let test = hooks.endpoints.test(store, &which(&record)).await.unwrap();
    let problem = problems(hooks.endpoints.resend(store, &draft(&test)).await);
    assert_eq!(
        problem,
        [("deliveryId".to_owned(), IssueCode::InvalidFormat)]
    );
    hooks
        .endpoints
        .disable(store, &which(&record))
        .await
        .unwrap();
    let resent = hooks.endpoints.resend(store, &draft(&failed)).await;
    assert_refused!(resent, WebhookError::Disabled);
}

#[tokio::test]
async fn commands_that_make_events_due_notify_the_observer() {
    let (hooks, record) = missed().await;
    let store = &hooks.shop.store;
    let changes = || std::mem::take(&mut *hooks.changes.0.lock().unwrap());
    let enable = EnableDraft {
        which: which(&record),
        from: "stopped".into(),
        ..EnableDraft::default()
    };
    let enable = || hooks.endpoints.enable(store, &enable);
    // Already enabled, so the observer is not called.
    enable().await.unwrap();
    assert_eq!(changes(), []);
    let disabled = hooks.endpoints.disable(store, &which(&record)).await;
    disabled.unwrap();
    enable().await.unwrap();
    let own = record.endpoint.id;
    assert_eq!(changes(), [own, own]);
    let all = after(&record, 0);
    hooks.endpoints.recover(store, &all).await.unwrap();
    assert_eq!(changes(), [own]);
    let every = DeliveryDraft::default();
    let found = hooks.endpoints.deliveries(store, &every);
    let resend = ResendDraft {
        delivery_id: found.await.unwrap().page.entries[0].id.to_string().into(),
        ..ResendDraft::default()
    };
    hooks.endpoints.resend(store, &resend).await.unwrap();
    assert_eq!(changes(), [own]);
}

/// Retention of the delivery log in this file: 30 days, in milliseconds.
const MONTH: i64 = 30 * 24 * 60 * 60 * 1000;

/// Creates an endpoint that rejected three events, a second apart.
async fn missed() -> (Hooks, EndpointRecord) {
    let hooks = Hooks::open().await;
    let record = hooks.create().await;
    for number in 0..3 {
        let order = hooks.place(&format!("T-{number}")).await;
        hooks.fail(&record, &order).await;
        hooks.shop.clock.advance(1000);
    }
    (hooks, record)
}

fn recover(record: &EndpointRecord) -> RecoverDraft {
    RecoverDraft {
        webhook_id: of(record),
        ..RecoverDraft::default()
    }
}

fn after(record: &EndpointRecord, sequence: i64) -> RecoverDraft {
    RecoverDraft {
        after_sequence: sequence.into(),
        ..recover(record)
    }
}

fn since(record: &EndpointRecord, millis: i64) -> RecoverDraft {
    RecoverDraft {
        from_time: millis.into(),
        ..recover(record)
    }
}

#[tokio::test]
async fn missed_events_are_sent_again() {
    let (hooks, record) = missed().await;
    let store = &hooks.shop.store;
    for (draft, count) in [
        (after(&record, 1), 2),
        (since(&record, NOW + 2000), 1),
        (since(&record, NOW + 3000 - MONTH), 3),
    ] {
        let queued = hooks.endpoints.recover(store, &draft).await;
        assert_eq!(queued.unwrap(), count, "{draft:?}");
    }
    // Events from before the start of the log are not resent.
    hooks.shop.clock.advance(MONTH - 2000);
    let all = after(&record, 0);
    assert_eq!(hooks.endpoints.recover(store, &all).await.unwrap(), 2);
    let disabled = hooks.endpoints.disable(store, &which(&record)).await;
    disabled.unwrap();
    let recovered = hooks.endpoints.recover(store, &all).await;
    assert_refused!(recovered, WebhookError::Disabled);
}

#[tokio::test]
async fn recovering_needs_exactly_one_start_within_the_log() {
    let (hooks, record) = missed().await;
    let store = &hooks.shop.store;
    let too_old = since(&record, NOW + 2999 - MONTH);
    let both = RecoverDraft {
        after_sequence: 1.into(),
        ..too_old.clone()
    };
    let too_early = ("fromTime".to_owned(), IssueCode::OutOfRange);
    let conflict = ("afterSequence".to_owned(), IssueCode::Conflict);
    let missing = ("fromTime".to_owned(), IssueCode::Required);
    for (draft, wanted) in [
        (recover(&record), vec![missing]),
        (too_old, vec![too_early.clone()]),
        (both, vec![too_early, conflict.clone()]),
    ] {
        let problem = problems(hooks.endpoints.recover(store, &draft).await);
        assert_eq!(problem, wanted);
    }
    let shop = hooks.create_for_shop(&[]).await;
    let problem = problems(hooks.endpoints.recover(SHOP, &after(&shop, 0)).await);
    assert_eq!(problem, [conflict]);
}
