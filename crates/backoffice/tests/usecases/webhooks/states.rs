//! Enabling, disabling and testing endpoints, and their secrets.

use super::*;

pub(super) const MINUTE: i64 = 60_000;

pub(super) fn enable(record: &EndpointRecord, from: &str) -> EnableDraft {
    EnableDraft {
        which: which(record),
        from: from.into(),
        after_sequence: Field::Absent,
    }
}

pub(super) fn rotate(record: &EndpointRecord, keep_old_seconds: Field<i64>) -> RotateSecretDraft {
    RotateSecretDraft {
        which: which(record),
        keep_old_seconds,
    }
}

/// State of an endpoint that is paused for `until` ms after [`NOW`] and probed with events of
/// `store`.
pub(super) fn paused(until: i64, store: StoreId) -> EndpointState {
    EndpointState {
        failures: 9,
        failing_since: Some(Timestamp::from_millis(NOW)),
        pause: Some(Pause {
            until: Timestamp::from_millis(NOW + until),
            probing: Some(Probing { attempts: 4, store }),
        }),
        ..EndpointState::default()
    }
}

#[tokio::test]
async fn repeated_disabling_and_enabling_changes_nothing() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let record = hooks.create().await;
    let (endpoints, which) = (&hooks.endpoints, which(&record));
    let disabled = endpoints.disable(store, &which).await.unwrap();
    let reason = disabled
        .view
        .record
        .state
        .disabled
        .map(|disabled| disabled.reason);
    assert_eq!(
        (reason, disabled.replayed),
        (Some(DisabledReason::Requested), false)
    );
    hooks.shop.clock.advance(1000);
    let again = endpoints.disable(store, &which).await.unwrap();
    assert_eq!(
        (&again.view.record, again.replayed),
        (&disabled.view.record, true)
    );

    hooks.place("T-1").await;
    let enabled = endpoints.enable(store, &enable(&record, "stopped")).await;
    let enabled = enabled.unwrap();
    assert_eq!(enabled.view.record.state, EndpointState::default());
    assert_eq!((enabled.view.lag.events, enabled.replayed), (1, false));
    let again = endpoints
        .enable(store, &enable(&record, "now"))
        .await
        .unwrap();
    assert_eq!((again.view.lag.events, again.replayed), (1, true));
    assert_eq!(again.view.record, enabled.view.record);
}

#[tokio::test]
async fn an_endpoint_is_enabled_from_the_chosen_event() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let record = hooks.create().await;
    for order_id in ["T-1", "T-2", "T-3"] {
        hooks.place(order_id).await;
    }
    let after = |sequence: i64| EnableDraft {
        from: Field::Absent,
        after_sequence: sequence.into(),
        ..enable(&record, "")
    };
    let endpoints = &hooks.endpoints;
    for (draft, events) in [
        (after(2), 1),
        (enable(&record, "now"), 0),
        (after(0), 3),
        (after(3), 0),
    ] {
        endpoints.disable(store, &which(&record)).await.unwrap();
        let enabled = endpoints.enable(store, &draft).await.unwrap();
        assert_eq!(enabled.view.lag.events, events, "{draft:?}");
    }
    endpoints.disable(store, &which(&record)).await.unwrap();
    let both = EnableDraft {
        from: "now".into(),
        ..after(1)
    };
    for (draft, field, code) in [
        (after(4), "afterSequence", IssueCode::OutOfRange),
        (after(-1), "afterSequence", IssueCode::OutOfRange),
        (both, "afterSequence", IssueCode::Conflict),
        (enable(&record, ""), "from", IssueCode::Required),
        (
            enable(&record, "yesterday"),
            "from",
            IssueCode::InvalidFormat,
        ),
    ] {
        let problems = problems(endpoints.enable(store, &draft).await);
        assert_eq!(problems, [(field.to_owned(), code)], "{draft:?}");
    }
}

#[tokio::test]
async fn enabling_a_paused_endpoint_retries_immediately() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let record = hooks.create().await;
    let record = hooks
        .set(&record, paused(MINUTE, hooks.shop.store.id))
        .await;
    let enabled = hooks
        .endpoints
        .enable(store, &enable(&record, "stopped"))
        .await;
    let enabled = enabled.unwrap();
    assert_eq!(
        (enabled.view.paused_until(), enabled.replayed),
        (None, false)
    );
    let state = enabled.view.record.state;
    assert_eq!(
        (state.failures, state.failing_since),
        (4, record.state.failing_since)
    );
}

#[tokio::test]
async fn at_most_two_secrets_sign_and_the_old_secret_expires() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let record = hooks.create().await;
    let first = record.secrets[0].clone();
    let endpoints = &hooks.endpoints;
    let rotated = endpoints
        .rotate_secret(store, &rotate(&record, Field::Absent))
        .await;
    let rotated = rotated.unwrap();
    let view = &rotated.outcome.view;
    let day = Timestamp::from_millis(NOW + 24 * 60 * MINUTE);
    assert_eq!(view.old_secret_until(), Some(day));
    let secrets = &view.record.secrets;
    assert_eq!((secrets.len(), secrets[0].expires_at), (2, None));
    assert_eq!(
        (&secrets[1].key, secrets[1].expires_at),
        (&first.key, Some(day))
    );
    assert_eq!(secrets[0].key.sealed, rotated.secret.expose().as_bytes());

    // A further rotation removes the oldest secret.
    let again = endpoints
        .rotate_secret(store, &rotate(&record, 60.into()))
        .await;
    let again = again.unwrap().outcome.view;
    assert_eq!(again.record.secrets[1].key, secrets[0].key);
    assert_eq!(again.record.secrets.len(), 2);
    hooks.shop.clock.advance(MINUTE);
    let listed = endpoints.list(store, &which(&record)).await.unwrap();
    assert_eq!(listed[0].old_secret_until(), None);
    assert_eq!(listed[0].record.live_secrets(listed[0].at).count(), 1);

    let last = endpoints
        .rotate_secret(store, &rotate(&record, 0.into()))
        .await;
    assert_eq!(last.unwrap().outcome.view.record.secrets.len(), 1);
    for seconds in [-1, 604_801] {
        let problems = problems(
            endpoints
                .rotate_secret(store, &rotate(&record, seconds.into()))
                .await,
        );
        assert_eq!(
            problems,
            [("keepOldSeconds".to_owned(), IssueCode::OutOfRange)]
        );
    }
}

#[tokio::test]
async fn tests_are_sent_even_to_disabled_endpoints() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let record = hooks.create().await;
    hooks
        .endpoints
        .disable(store, &which(&record))
        .await
        .unwrap();
    let before = hooks.found(&record).await;
    let delivery = hooks.endpoints.test(store, &which(&record)).await.unwrap();
    assert_eq!((delivery.attempt, delivery.event.sequence), (1, None));
    assert_eq!(
        (delivery.event.kind.as_str(), delivery.store),
        (TEST_TYPE, store.id)
    );
    let prefix = format!("evt_{}_test_", store.id);
    assert!(delivery.event.id.starts_with(&prefix), "{delivery:?}");
    let sent = hooks.sender.sent.lock().unwrap().clone();
    let (url, id) = (&record.endpoint.url, &record.endpoint.id);
    assert_eq!(sent, [format!("{url} {} {id}", delivery.event.id)]);
    assert_eq!(hooks.found(&record).await, before);
    let found = hooks
        .endpoints
        .deliveries(store, &DeliveryDraft::default())
        .await;
    assert_eq!(found.unwrap().page.entries, [delivery]);
}
