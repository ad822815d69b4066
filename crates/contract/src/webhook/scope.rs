//! Cases about the stores in an endpoint's scope, and the start of its subscriptions.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::{
    EndpointRecord, EndpointScope, Lag, RecordResult, SubscriptionOutcome, SubscriptionStart,
};
use pressline_domain::value::{EndpointId, StoreId};

use super::{Hooks, WebhookAdapters, at, message, outcome, subscription_of, waiting};
use crate::check::same;
use crate::{Case, CaseResult, cases};

pub(crate) const CASES: &[Case<WebhookAdapters>] = cases![
    an_endpoint_gets_events_from_now_on,
    a_later_store_is_subscribed_from_its_first_event,
    an_endpoint_can_hear_other_stores,
    a_start_moves_the_cursors_and_drops_messages,
    a_start_ends_the_leases,
    dropped_messages_have_no_next_attempt,
    the_lag_counts_events_and_open_messages,
];

/// Scope of a print shop's endpoint that subscribes to `stores`.
fn stores<const N: usize>(stores: [StoreId; N]) -> EndpointScope {
    EndpointScope::Stores(BTreeSet::from(stores))
}

async fn an_endpoint_gets_events_from_now_on(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    hooks.place_many(3).await?;
    let own = hooks.add(EndpointScope::Store(hooks.store)).await?;
    let all = hooks.add(EndpointScope::AllStores).await?;
    let some = hooks.add(stores([hooks.store, other])).await?;
    let one = hooks.add(stores([other])).await?;
    same("news before", &hooks.news(0).await?, &Vec::new())?;
    // Subscriptions start after the three existing events.
    for record in [&own, &all, &some] {
        let cursor = hooks.cursor(subscription_of(record, hooks.store)).await?;
        same("the cursor", &cursor, &3)?;
    }
    for record in [&all, &some, &one] {
        let cursor = hooks.cursor(subscription_of(record, other)).await?;
        same("the other store's cursor", &cursor, &0)?;
    }
    hooks.place(hooks.store).await?;
    let mut wanted = [&own, &all, &some].map(|record| subscription_of(record, hooks.store));
    wanted.sort();
    same("news after", &hooks.news(0).await?, &wanted.to_vec())?;
    // There is no subscription to stores outside the scope.
    for (record, store) in [(&own, other), (&one, hooks.store)] {
        let subscription = subscription_of(record, store);
        let leased = hooks
            .to
            .subscriptions
            .lease(subscription, at(0), at(1))
            .await?;
        same("the subscription of another store", &leased, &None)?;
    }
    Ok(())
}

async fn a_later_store_is_subscribed_from_its_first_event(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    // Neither of the first two endpoints has the later store in its scope.
    hooks.add(EndpointScope::Store(hooks.store)).await?;
    hooks.add(stores([hooks.store])).await?;
    let all = hooks.add(EndpointScope::AllStores).await?;
    let later = hooks.another("LATER").await?;
    let subscription = subscription_of(&all, later);
    hooks.place(later).await?;
    hooks.place(later).await?;
    same("news", &hooks.news(0).await?, &vec![subscription])?;
    let lag = hooks.to.endpoints.lag(all.endpoint.id).await?;
    same("the lag", &lag.events, &2)?;
    same("the cursor", &hooks.cursor(subscription).await?, &0)?;
    hooks.store(subscription, 2, &[]).await?;
    same("news at the end", &hooks.news(0).await?, &Vec::new())?;
    same(
        "the cursor at the end",
        &hooks.cursor(subscription).await?,
        &2,
    )
}

async fn an_endpoint_can_hear_other_stores(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let (first, second) = (hooks.store, hooks.another("SECOND").await?);
    let mut record = hooks.add(stores([first])).await?;
    let order = hooks.place(first).await?;
    hooks.place(second).await?;
    let of_first = subscription_of(&record, first);
    hooks.store(of_first, 1, &[message(&order, 0)]).await?;

    // The subscription to the first store is unchanged.
    record.endpoint.scope = stores([first, second]);
    let mut record = hooks.replace(&record).await?;
    let of_second = subscription_of(&record, second);
    same(
        "the new store's cursor",
        &hooks.cursor(of_second).await?,
        &1,
    )?;
    let kept = vec![message(&order, 0)];
    same("messages", &hooks.messages(of_first).await?, &kept)?;

    record.endpoint.scope = stores([second]);
    let mut record = hooks.replace(&record).await?;
    same("news", &hooks.news(1).await?, &Vec::new())?;
    let leased = hooks.to.subscriptions.lease(of_first, at(0), at(1)).await?;
    same("the subscription that is gone", &leased, &None)?;
    let lag = hooks.to.endpoints.lag(record.endpoint.id).await?;
    same("the lag", &lag, &Lag::default())?;

    // The first store is in scope again; its subscription starts with new events only.
    hooks.place(first).await?;
    hooks.place(second).await?;
    record.endpoint.scope = EndpointScope::AllStores;
    let record = hooks.replace(&record).await?;
    same("the cursor", &hooks.cursor(of_first).await?, &2)?;
    same("messages", &hooks.messages(of_first).await?, &Vec::new())?;
    same("the second cursor", &hooks.cursor(of_second).await?, &1)?;

    // A store that has not been leased yet also keeps its position.
    let third = hooks.another("THIRD").await?;
    hooks.place(third).await?;
    let mut record = record;
    record.endpoint.scope = stores([third]);
    let record = hooks.replace(&record).await?;
    same(
        "news",
        &hooks.news(0).await?,
        &vec![subscription_of(&record, third)],
    )
}

async fn a_start_moves_the_cursors_and_drops_messages(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let record = hooks.add(EndpointScope::AllStores).await?;
    let untouched = hooks.add_own().await?;
    let subscriptions = [hooks.store, other].map(|store| subscription_of(&record, store));
    for subscription in subscriptions {
        let order = hooks.place(subscription.store).await?;
        hooks.place(subscription.store).await?;
        hooks.store(subscription, 1, &[message(&order, 0)]).await?;
    }
    let (id, endpoints) = (record.endpoint.id, hooks.to.endpoints.clone());
    let starts = [
        (SubscriptionStart::Now, 2),
        (SubscriptionStart::After(1), 1),
        (SubscriptionStart::After(0), 0),
    ];
    for (expected, (start, cursor)) in (1..).zip(starts) {
        endpoints.replace(&record, expected, Some(start)).await?;
        for subscription in subscriptions {
            same("the cursor", &hooks.cursor(subscription).await?, &cursor)?;
            same(
                "messages",
                &hooks.messages(subscription).await?,
                &Vec::new(),
            )?;
        }
        let lag = endpoints.lag(id).await?;
        same("the lag", &lag.events, &(2 * (2 - cursor)))?;
    }
    same("another endpoint", &hooks.cursor(untouched).await?, &0)
}

async fn a_start_ends_the_leases(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    hooks.place_many(3).await?;
    let mut leased = hooks.lease(subscription, 0).await?;
    leased.cursor = 2;
    let record = hooks.find(subscription).await?;
    // A replacement without `start` keeps the lease.
    hooks.replace(&record).await?;
    let kept = SubscriptionOutcome {
        leased_until: Some(at(60_000)),
        ..outcome(leased)
    };
    hooks.record(&kept).await?;

    let record = hooks.find(subscription).await?;
    let start = Some(SubscriptionStart::After(1));
    let endpoints = &hooks.to.endpoints;
    endpoints.replace(&record, record.version, start).await?;
    leased.cursor = 3;
    let recorded = hooks.to.subscriptions.record(&outcome(leased)).await?;
    same("a late outcome", &recorded, &RecordResult::LeaseLost)?;
    let again = hooks.lease(subscription, 0).await?;
    same("the cursor", &again.cursor, &1)
}

async fn dropped_messages_have_no_next_attempt(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let order = hooks.place(hooks.store).await?;
    let failed = hooks.random.failed(subscription, &order, 0);
    hooks
        .store(subscription, 1, &[message(&order, 5_000)])
        .await?;
    hooks
        .log(subscription, std::slice::from_ref(&failed))
        .await?;
    let next = vec![(failed.id, failed.next_attempt_at)];
    // A replacement without `start` drops no message.
    let record = hooks.replace(&hooks.find(subscription).await?).await?;
    same("after a change", &hooks.next_attempts().await?, &next)?;
    let endpoints = &hooks.to.endpoints;
    let start = Some(SubscriptionStart::Now);
    endpoints.replace(&record, record.version, start).await?;
    let none = vec![(failed.id, None)];
    same("after a start", &hooks.next_attempts().await?, &none)
}

async fn the_lag_counts_events_and_open_messages(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let unknown = EndpointId::new(hooks.random.uuid());
    let endpoints = hooks.to.endpoints.clone();
    same("of none", &endpoints.lag(unknown).await?, &Lag::default())?;
    let mut typed = hooks.random.plain_endpoint(EndpointScope::AllStores)?;
    // Events of other types count too, because the cursor has to pass them.
    typed.endpoint.types = BTreeSet::from([pressline_domain::event::EventType::OrderHeld]);
    endpoints.add(&typed, 10).await?;
    let lag = async |record: &EndpointRecord| endpoints.lag(record.endpoint.id).await;
    same("before any event", &lag(&typed).await?, &Lag::default())?;

    let own = hooks.place_many(3).await?;
    let others = hooks.place(other).await?;
    let created = |order: &pressline_domain::order::Order| order.content.created_at();
    let times = own.iter().chain([&others]).map(created);
    let wanted = Lag {
        events: 4,
        oldest: times.min(),
    };
    same("of all types", &lag(&typed).await?, &wanted)?;

    // The first message is open, the second resolved, the third open and waiting.
    let open = match own.as_slice() {
        [first, _, third] => vec![message(first, 5_000), waiting(third, 5_000)],
        _ => Vec::new(),
    };
    hooks
        .store(subscription_of(&typed, hooks.store), 3, &open)
        .await?;
    let behind = [own.first(), own.last(), Some(&others)];
    let wanted = Lag {
        events: 3,
        oldest: behind.into_iter().flatten().map(created).min(),
    };
    same("with open messages", &lag(&typed).await?, &wanted)
}
