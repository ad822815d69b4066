//! Setup of a store's own endpoints.

use pressline_backoffice::limits::ENDPOINTS;
use pressline_domain::check::limits;
use pressline_domain::event::EventType;

use super::states::{MINUTE, enable, paused, rotate};
use super::*;

#[tokio::test]
async fn a_new_endpoint_gets_all_events_in_full_and_a_secret_of_its_own() {
    let hooks = Hooks::open().await;
    hooks.place("T-1").await;
    let store = &hooks.shop.store;
    let created = hooks.endpoints.create(store, &draft()).await.unwrap();
    let view = &created.outcome.view;
    let endpoint = &view.record.endpoint;
    assert_eq!(endpoint.scope, EndpointScope::Store(store.id));
    assert_eq!(endpoint.url, "https://hooks.example.com/p");
    assert!(endpoint.types.is_empty() && endpoint.description.is_none());
    assert_eq!(endpoint.payload, EndpointPayload::Full);
    assert_eq!((view.lag.events, view.oldest_seconds()), (0, 0));
    assert_eq!(view.record.state, EndpointState::default());
    let owner = format!(
        "{}",
        pressline_domain::store::KeyOwner::Endpoint(endpoint.id)
    );
    assert!(created.secret.expose().ends_with(&owner));
    // Events after the creation count as its lag until they are sent.
    hooks.place("T-2").await;
    hooks.shop.clock.advance(90_500);
    let all = EndpointIdDraft::default();
    let listed = hooks.endpoints.list(store, &all).await.unwrap();
    let lag: Vec<_> = listed
        .iter()
        .map(|view| (view.lag.events, view.oldest_seconds()))
        .collect();
    assert_eq!(lag, [(1, 90)]);
}

#[tokio::test]
async fn all_problems_of_a_request_are_reported_together() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let wrong = EndpointDraft {
        url: "http://127.0.0.1/p".into(),
        types: texts(["order.created".to_owned(), "order.eaten".to_owned()]),
        payload: "thick".into(),
        description: "x".repeat(limits::TEXT + 1).into(),
        ..EndpointDraft::default()
    };
    let wanted = [
        ("description".to_owned(), IssueCode::TooLong),
        ("url".to_owned(), IssueCode::AddressNotAllowed),
        ("types[1]".to_owned(), IssueCode::InvalidFormat),
        ("payload".to_owned(), IssueCode::InvalidFormat),
    ];
    assert_eq!(
        problems(hooks.endpoints.create(store, &wrong).await),
        wanted
    );
    let update = EndpointDraft {
        webhook_id: "7".into(),
        url: "https://a.example:9".into(),
        ..EndpointDraft::default()
    };
    let wanted = [
        ("webhookId".to_owned(), IssueCode::InvalidFormat),
        ("url".to_owned(), IssueCode::PortNotAllowed),
    ];
    assert_eq!(
        problems(hooks.endpoints.update(store, &update).await),
        wanted
    );
    for (url, code) in [
        (Field::Absent, IssueCode::Required),
        (" ".into(), IssueCode::Required),
        ("ftp://a.example".into(), IssueCode::InvalidFormat),
        ("https://a:b@a.example".into(), IssueCode::InvalidFormat),
        ("https://localhost./".into(), IssueCode::AddressNotAllowed),
    ] {
        let draft = EndpointDraft { url, ..draft() };
        let problems = problems(hooks.endpoints.create(store, &draft).await);
        assert_eq!(problems, [("url".to_owned(), code)], "{:?}", draft.url);
    }
    let all = EndpointIdDraft::default();
    let listed = hooks.endpoints.list(store, &all).await;
    assert_eq!(listed.unwrap(), []);
}

#[tokio::test]
async fn an_update_changes_only_its_fields() {
    let hooks = Hooks::open().await;
    let store = &hooks.shop.store;
    let record = hooks.create().await;
    hooks.shop.clock.advance(1000);
    let change = EndpointDraft {
        webhook_id: record.endpoint.id.to_string().into(),
        types: texts(["order.held".to_owned()]),
        description: "ERP".into(),
        ..EndpointDraft::default()
    };
    let changed = hooks.endpoints.update(store, &change).await.unwrap();
    let changed = changed.view.record;
    assert_eq!(changed, hooks.found(&record).await);
    let wanted = EndpointRecord {
        endpoint: Endpoint {
            types: BTreeSet::from([EventType::OrderHeld]),
            description: Some("ERP".to_owned()),
            updated_at: Timestamp::from_millis(NOW + 1000),
            ..record.endpoint.clone()
        },
        version: 2,
        ..record.clone()
    };
    assert_eq!(changed, wanted);
    // A repeated update changes nothing, not even `version`.
    let again = hooks.endpoints.update(store, &change).await.unwrap();
    assert_eq!((again.view.record, again.replayed), (wanted, false));
    let cleared = EndpointDraft {
        types: texts([]),
        description: "".into(),
        ..change
    };
    let cleared = hooks.endpoints.update(store, &cleared).await.unwrap();
    let cleared = cleared.view.record.endpoint;
    assert!(cleared.types.is_empty() && cleared.description.is_none());
}

#[tokio::test]
async fn another_url_ends_a_pause() {
    let hooks = Hooks::open().await;
    let record = hooks.create().await;
    let record = hooks
        .set(&record, paused(MINUTE, hooks.shop.store.id))
        .await;
    let mut change = EndpointDraft {
        webhook_id: record.endpoint.id.to_string().into(),
        payload: "thin".into(),
        ..EndpointDraft::default()
    };
    let store = &hooks.shop.store;
    let changed = hooks.endpoints.update(store, &change).await.unwrap();
    assert_eq!(changed.view.record.state, record.state);
    assert_eq!(
        changed.view.paused_until(),
        Some(Timestamp::from_millis(NOW + MINUTE))
    );
    change.url = "https://other.example.com/".into();
    let changed = hooks.endpoints.update(store, &change).await.unwrap();
    let state = changed.view.record.state;
    // The next failure pauses the endpoint again; `failing_since` is not reset.
    assert_eq!((state.pause, state.failures), (None, 4));
    assert_eq!(state.failing_since, record.state.failing_since);
}

#[tokio::test]
async fn a_store_has_ten_endpoints_at_most() {
    let hooks = Hooks::open().await;
    let mut last = hooks.create().await;
    for _ in 1..ENDPOINTS {
        last = hooks.create().await;
    }
    let store = &hooks.shop.store;
    assert_refused!(
        hooks.endpoints.create(store, &draft()).await,
        WebhookError::TooMany
    );
    hooks.create_for_shop(&[]).await;
    hooks.endpoints.delete(store, &which(&last)).await.unwrap();
    assert_refused!(
        hooks.endpoints.delete(store, &which(&last)).await,
        WebhookError::NotFound
    );
    hooks.create().await;
}

#[tokio::test]
async fn endpoints_of_other_stores_are_not_found() {
    let hooks = Hooks::open().await;
    let other = hooks.shop.add_store("OTHER", currency("USD")).await;
    let own = hooks.create().await;
    let of_shop = hooks.create_for_shop(&[]).await;
    let endpoints = &hooks.endpoints;
    for foreign in [&own, &of_shop] {
        let which = which(foreign);
        let change = EndpointDraft {
            webhook_id: which.webhook_id.clone(),
            ..draft()
        };
        assert_refused!(endpoints.list(&other, &which).await, WebhookError::NotFound);
        assert_refused!(
            endpoints.update(&other, &change).await,
            WebhookError::NotFound
        );
        assert_refused!(
            endpoints.disable(&other, &which).await,
            WebhookError::NotFound
        );
        assert_refused!(
            endpoints.delete(&other, &which).await,
            WebhookError::NotFound
        );
        assert_refused!(
            hooks.endpoints.test(&other, &which).await,
            WebhookError::NotFound
        );
        let enable = enable(foreign, "now");
        assert_refused!(
            endpoints.enable(&other, &enable).await,
            WebhookError::NotFound
        );
        let rotate = rotate(foreign, Field::Absent);
        assert_refused!(
            endpoints.rotate_secret(&other, &rotate).await,
            WebhookError::NotFound
        );
    }
    let listed = endpoints.list(&other, &EndpointIdDraft::default()).await;
    assert_eq!(listed.unwrap(), []);
    // A store's request must not name another store.
    let named = which_of(&own, hooks.shop.store.id);
    assert_refused!(
        endpoints.disable(&other, &named).await,
        WebhookError::NotFound
    );
}
