//! Endpoints of the print shop and of its stores, within an operator's scope.

use super::states::paused;
use super::*;

#[tokio::test]
async fn an_endpoint_of_the_shop_subscribes_to_all_stores_or_some() {
    let hooks = Hooks::open().await;
    let other = hooks.shop.add_store("OTHER", currency("USD")).await;
    let all = hooks.create_for_shop(&[]).await;
    assert_eq!(all.endpoint.scope, EndpointScope::AllStores);
    let some = hooks.create_for_shop(&[other.id]).await;
    assert_eq!(
        some.endpoint.scope,
        EndpointScope::Stores(BTreeSet::from([other.id]))
    );
    let update = EndpointDraft {
        webhook_id: some.endpoint.id.to_string().into(),
        stores: texts([]),
        ..EndpointDraft::default()
    };
    let changed = hooks.endpoints.update(SHOP, &update).await.unwrap();
    assert_eq!(changed.view.record.endpoint.scope, EndpointScope::AllStores);
    // The print shop's own endpoints may use local networks.
    let local = EndpointDraft {
        url: "http://127.0.0.1:8080/p".into(),
        ..draft()
    };
    hooks.endpoints.create(SHOP, &local).await.unwrap();
    let unknown = EndpointDraft {
        stores: texts([Uuid::nil().to_string(), "7".to_owned()]),
        ..draft()
    };
    let wanted = [
        ("stores[1]".to_owned(), IssueCode::InvalidFormat),
        ("stores".to_owned(), IssueCode::InvalidFormat),
    ];
    assert_eq!(
        problems(hooks.endpoints.create(SHOP, &unknown).await),
        wanted
    );
    let enable = EnableDraft {
        which: which(&all),
        after_sequence: 1.into(),
        ..EnableDraft::default()
    };
    let problems = problems(hooks.endpoints.enable(SHOP, &enable).await);
    assert_eq!(
        problems,
        [("afterSequence".to_owned(), IssueCode::Conflict)]
    );
    let listed = hooks
        .endpoints
        .list(SHOP, &EndpointIdDraft::default())
        .await;
    assert_eq!(listed.unwrap().len(), 3);
}

#[tokio::test]
async fn operators_manage_endpoints_of_the_named_store() {
    let hooks = Hooks::open().await;
    let store = hooks.shop.store.id;
    let own = hooks.create().await;
    let endpoints = &hooks.endpoints;
    let of_store = EndpointIdDraft {
        store_id: store.to_string().into(),
        ..EndpointIdDraft::default()
    };
    let listed = endpoints.list(SHOP, &of_store).await.unwrap();
    assert_eq!(listed[0].record, own);
    assert_refused!(
        endpoints.list(SHOP, &which(&own)).await,
        WebhookError::NotFound
    );
    let disabled = endpoints
        .disable(SHOP, &which_of(&own, store))
        .await
        .unwrap();
    assert!(disabled.view.record.state.disabled.is_some());
    let created = EndpointDraft {
        store_id: store.to_string().into(),
        url: "http://127.0.0.1:8080/p".into(),
        stores: texts([store.to_string()]),
        ..EndpointDraft::default()
    };
    // Endpoints of stores may not use local networks.
    let wanted = [
        ("url".to_owned(), IssueCode::AddressNotAllowed),
        ("stores".to_owned(), IssueCode::Conflict),
    ];
    assert_eq!(problems(endpoints.create(SHOP, &created).await), wanted);
    let unknown = EndpointIdDraft {
        store_id: Uuid::nil().to_string().into(),
        ..EndpointIdDraft::default()
    };
    assert_refused!(
        endpoints.list(SHOP, &unknown).await,
        WebhookError::StoreNotFound(_)
    );
}

#[tokio::test]
async fn bound_operators_manage_endpoints_of_their_stores_only() {
    let hooks = Hooks::open().await;
    let other = hooks.shop.add_store("OTHER", currency("USD")).await;
    let store = hooks.shop.store.id;
    let operator = bound(&[store]);
    let all = hooks.create_for_shop(&[]).await;
    let both = hooks.create_for_shop(&[store, other.id]).await;
    let one = hooks.create_for_shop(&[store]).await;
    let endpoints = &hooks.endpoints;
    let listed = endpoints.list(&operator, &EndpointIdDraft::default()).await;
    let listed: Vec<_> = listed
        .unwrap()
        .into_iter()
        .map(|view| view.record)
        .collect();
    assert_eq!(listed.as_slice(), std::slice::from_ref(&one));
    for hidden in [&all, &both] {
        let disabled = endpoints.disable(&operator, &which(hidden)).await;
        assert_refused!(disabled, WebhookError::NotFound);
    }
    for (stores, code) in [
        (Field::Absent, IssueCode::Required),
        (texts([other.id.to_string()]), IssueCode::InvalidFormat),
    ] {
        let draft = EndpointDraft { stores, ..draft() };
        let problems = problems(endpoints.create(&operator, &draft).await);
        assert_eq!(problems, [("stores".to_owned(), code)]);
    }
    let widened = EndpointDraft {
        webhook_id: one.endpoint.id.to_string().into(),
        stores: texts([]),
        ..EndpointDraft::default()
    };
    let problems = problems(endpoints.update(&operator, &widened).await);
    assert_eq!(problems, [("stores".to_owned(), IssueCode::Required)]);
    let of_other = EndpointIdDraft {
        store_id: other.id.to_string().into(),
        ..EndpointIdDraft::default()
    };
    let listed = endpoints.list(&operator, &of_other).await;
    assert_refused!(listed, WebhookError::StoreNotFound(_));
}

#[tokio::test]
async fn bound_operators_see_deliveries_of_their_stores_only() {
    let hooks = Hooks::open().await;
    let other = hooks.shop.add_store("OTHER", currency("USD")).await;
    let store = hooks.shop.store.id;
    let operator = bound(&[store]);
    let (all, one) = (
        hooks.create_for_shop(&[]).await,
        hooks.create_for_shop(&[store, other.id]).await,
    );
    let order = hooks.place("T-1").await;
    let draft = order_of("T-1", vec![item("MUG-11", 1)]);
    let of_other = hooks
        .shop
        .service
        .place
        .create(&other, &draft, &caller())
        .await;
    let of_other = of_other.unwrap().order;
    let hidden = hooks.fail(&all, &order).await;
    let mut visible = Vec::new();
    for order in [&order, &of_other, &order, &of_other, &order] {
        visible.push(hooks.fail(&one, order).await);
    }
    let narrowed = EndpointDraft {
        webhook_id: one.endpoint.id.to_string().into(),
        stores: texts([store.to_string()]),
        ..EndpointDraft::default()
    };
    hooks.endpoints.update(SHOP, &narrowed).await.unwrap();
    let test = hooks.endpoints.test(&operator, &which(&one)).await.unwrap();
    let mut wanted = vec![test];
    visible.retain(|delivery| delivery.store == store);
    wanted.extend(visible.into_iter().rev());
    let mut draft = DeliveryDraft::default();
    draft.paging.size = 3.into();
    let found = hooks.endpoints.deliveries(&operator, &draft).await;
    let page = found.unwrap().page;
    assert_eq!(page.entries, wanted[..3]);
    draft.paging.cursor = page.next_cursor.into();
    let found = hooks.endpoints.deliveries(&operator, &draft).await;
    let page = found.unwrap().page;
    assert_eq!(
        (page.entries.as_slice(), page.next_cursor),
        (&wanted[3..], None)
    );
    let resend = ResendDraft {
        delivery_id: hidden.id.to_string().into(),
        ..ResendDraft::default()
    };
    let resent = hooks.endpoints.resend(&operator, &resend).await;
    assert_refused!(resent, WebhookError::DeliveryNotFound);
    assert_eq!(hooks.endpoints.resend(SHOP, &resend).await.unwrap(), 1);
}

#[tokio::test]
async fn removing_the_probing_store_ends_the_pause() {
    let hooks = Hooks::open().await;
    let other = hooks.shop.add_store("OTHER", currency("USD")).await;
    let store = hooks.shop.store.id;
    for (silent, is_paused) in [(other.id, false), (store, true)] {
        let record = hooks.create_for_shop(&[store, other.id]).await;
        let record = hooks.set(&record, paused(1000, silent)).await;
        let narrowed = EndpointDraft {
            webhook_id: record.endpoint.id.to_string().into(),
            stores: texts([store.to_string()]),
            ..EndpointDraft::default()
        };
        let changed = hooks.endpoints.update(SHOP, &narrowed).await.unwrap();
        assert_eq!(changed.view.paused_until().is_some(), is_paused);
    }
}
