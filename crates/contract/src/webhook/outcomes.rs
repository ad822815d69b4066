//! Cases about storing the results of a worker's delivery run.

use pressline_backoffice::webhook::{
    Disabled, DisabledReason, EndpointChange, EndpointOwner, EndpointRecord, EndpointScope,
    EndpointState, RecordResult, Subscription, SubscriptionKey, SubscriptionOutcome,
};
use pressline_domain::event::{FeedEvent, FeedFilter, FeedQuery};
use pressline_domain::order::Order;

use super::{Hooks, MINUTE, WebhookAdapters, at, message, outcome, subscription_of, waiting};
use crate::check::{holds, same};
use crate::{Case, CaseResult, cases};

pub(crate) const CASES: &[Case<WebhookAdapters>] = cases![
    an_outcome_needs_the_latest_lease,
    an_outcome_needs_the_endpoint_as_it_was,
    an_outcome_is_read_back_as_it_was_stored,
    a_later_attempt_supersedes_earlier_ones,
    a_disabled_endpoint_is_announced,
];

/// Returns an outcome that stores a message, a delivery and a state of the endpoint, which has the
/// version `expected`.
fn full_outcome(
    hooks: &mut Hooks,
    leased: Subscription,
    order: &Order,
    expected: u32,
) -> SubscriptionOutcome {
    SubscriptionOutcome {
        open: vec![message(order, 0)],
        deliveries: vec![hooks.random.failed(leased.key, order, 0)],
        endpoint: Some(EndpointChange {
            state: hooks.random.state(),
            expected,
            announced: None,
        }),
        ..outcome(leased)
    }
}

/// Checks that the endpoint is still `record`, without messages and deliveries.
async fn nothing_is_stored(
    hooks: &Hooks,
    subscription: SubscriptionKey,
    record: &EndpointRecord,
) -> CaseResult {
    same("the endpoint", &hooks.find(subscription).await?, record)?;
    let messages = hooks.messages(subscription).await?;
    same("messages", &messages, &Vec::new())?;
    same("deliveries", &hooks.next_attempts().await?, &Vec::new())
}

async fn an_outcome_needs_the_latest_lease(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let order = hooks.place(hooks.store).await?;
    let mut late = hooks.lease(subscription, 0).await?;
    // The first lease has expired by then.
    let latest = hooks.lease(subscription, MINUTE).await?;
    late.cursor = 1;
    let before = hooks.find(subscription).await?;
    let refused = full_outcome(&mut hooks, late, &order, before.version);
    let recorded = hooks.to.subscriptions.record(&refused).await?;
    same("a late outcome", &recorded, &RecordResult::LeaseLost)?;
    nothing_is_stored(&hooks, subscription, &before).await?;
    hooks.record(&outcome(latest)).await?;
    same("the cursor", &hooks.cursor(subscription).await?, &0)?;
    // The subscriptions of a removed endpoint are removed too.
    let leased = hooks.lease(subscription, 0).await?;
    hooks.to.endpoints.remove(subscription.endpoint).await?;
    let recorded = hooks.to.subscriptions.record(&outcome(leased)).await?;
    holds("it was stored", recorded != RecordResult::Done)
}

async fn an_outcome_needs_the_endpoint_as_it_was(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let order = hooks.place(hooks.store).await?;
    let record = hooks.find(subscription).await?;
    let mut leased = hooks.lease(subscription, 0).await?;
    // The replacement raises the endpoint's version.
    let changed = hooks.replace(&record).await?;
    leased.cursor = 1;
    let mut change = full_outcome(&mut hooks, leased, &order, record.version);
    let recorded = hooks.to.subscriptions.record(&change).await?;
    same(
        "of an earlier version",
        &recorded,
        &RecordResult::EndpointChanged,
    )?;
    nothing_is_stored(&hooks, subscription, &changed).await?;
    // A result without a change of the endpoint does not depend on its version.
    let kept = SubscriptionOutcome {
        leased_until: Some(at(MINUTE)),
        endpoint: None,
        ..change.clone()
    };
    hooks.record(&kept).await?;
    if let Some(endpoint) = &mut change.endpoint {
        endpoint.expected = changed.version;
    }
    // `kept` has logged the deliveries already.
    change.deliveries.clear();
    hooks.record(&change).await?;
    let state = change.endpoint.map_or(changed.state, |change| change.state);
    let found = hooks.find(subscription).await?;
    same("its state", &found.state, &state)?;
    same("its version", &found.version, &(changed.version + 1))?;
    same("what else it is", &found.endpoint, &changed.endpoint)
}

async fn an_outcome_is_read_back_as_it_was_stored(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let shop = hooks.add(EndpointScope::AllStores).await?;
    let orders = hooks.place_many(4).await?;
    let [first, second, third, fourth] = orders.as_slice() else {
        return Ok(());
    };
    let mut leased = hooks.lease(subscription, 0).await?;
    leased.cursor = 3;
    let deliveries = vec![
        hooks.random.failed(subscription, first, 0),
        hooks.random.succeeded(subscription, second, 1),
    ];
    let mut stored = SubscriptionOutcome {
        leased_until: Some(at(2 * MINUTE)),
        open: vec![message(first, 5_000), waiting(third, MINUTE)],
        deliveries: deliveries.clone(),
        ..outcome(leased)
    };
    hooks.record(&stored).await?;
    let messages = hooks.messages(subscription).await?;
    same("messages", &messages, &stored.open)?;
    let owner = EndpointOwner::Store(hooks.store);
    let found = hooks.deliveries(owner).await?;
    let newest_first: Vec<_> = deliveries.into_iter().rev().collect();
    same("deliveries", &found, &newest_first)?;
    let subscriptions = &hooks.to.subscriptions;
    let held = subscriptions
        .lease(subscription, at(2 * MINUTE - 1), at(9 * MINUTE))
        .await?;
    same("while it is leased", &held, &None)?;

    // One message is resolved, one has new values, one is new.
    leased.cursor = 4;
    stored = SubscriptionOutcome {
        open: vec![
            pressline_backoffice::webhook::OpenMessage {
                attempts: 2,
                ..message(third, 2 * MINUTE)
            },
            message(fourth, 3 * MINUTE),
        ],
        settled: vec![first.state.last_sequence],
        ..outcome(leased)
    };
    hooks.record(&stored).await?;
    let messages = hooks.messages(subscription).await?;
    same("messages later", &messages, &stored.open)?;
    let again = hooks.lease(subscription, 0).await?;
    same("the cursor", &again.cursor, &4)?;
    let unrelated = subscription_of(&shop, hooks.store);
    same("another subscription", &hooks.cursor(unrelated).await?, &0)
}

async fn a_later_attempt_supersedes_earlier_ones(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let (subscription, other) = (hooks.add_own().await?, hooks.add_own().await?);
    let orders = hooks.place_many(2).await?;
    let [one, two] = orders.as_slice() else {
        return Ok(());
    };
    let first = hooks.random.failed(subscription, one, 0);
    let unrelated = hooks.random.failed(subscription, two, 1);
    let elsewhere = hooks.random.failed(other, one, 2);
    hooks
        .log(subscription, &[first.clone(), unrelated.clone()])
        .await?;
    hooks.log(other, std::slice::from_ref(&elsewhere)).await?;
    let second = hooks.random.failed(subscription, one, 3);
    hooks
        .log(subscription, std::slice::from_ref(&second))
        .await?;
    let next = |delivery: &pressline_backoffice::webhook::Delivery| delivery.next_attempt_at;
    let wanted = vec![
        (second.id, next(&second)),
        (elsewhere.id, next(&elsewhere)),
        (unrelated.id, next(&unrelated)),
        (first.id, None),
    ];
    same("after a failure", &hooks.next_attempts().await?, &wanted)?;
    let third = hooks.random.succeeded(subscription, one, 4);
    hooks
        .log(subscription, std::slice::from_ref(&third))
        .await?;
    let found = hooks.next_attempts().await?;
    let of_one = found
        .iter()
        .filter(|(id, _)| [first.id, second.id, third.id].contains(id));
    let next: Vec<_> = of_one.map(|(_, next)| *next).collect();
    same("after a success", &next, &vec![None, None, None])
}

async fn a_disabled_endpoint_is_announced(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    hooks.place(hooks.store).await?;
    let disabled = Disabled {
        reason: DisabledReason::Gone,
        at: at(MINUTE),
    };
    let change = |record: &EndpointRecord| EndpointChange {
        state: EndpointState {
            disabled: Some(disabled),
            ..record.state
        },
        expected: record.version,
        announced: Some(disabled),
    };
    let record = hooks.find(subscription).await?;
    let leased = hooks.lease(subscription, 0).await?;
    // A refused result adds no event.
    let stale = EndpointChange {
        expected: record.version + 1,
        ..change(&record)
    };
    let refused = SubscriptionOutcome {
        endpoint: Some(stale),
        ..outcome(leased)
    };
    let recorded = hooks.to.subscriptions.record(&refused).await?;
    same("a stale change", &recorded, &RecordResult::EndpointChanged)?;
    hooks
        .record(&SubscriptionOutcome {
            endpoint: Some(change(&record)),
            ..outcome(leased)
        })
        .await?;
    let query = FeedQuery {
        after: 1,
        filter: FeedFilter::default(),
        examined: 10,
        limit: 10,
        bytes: 1 << 20,
        whole_orders: false,
    };
    let batch = hooks.to.adapters.feed.read(hooks.store, &query).await?;
    let expected = FeedEvent::EndpointDisabled {
        sequence: 2,
        event: disabled.event(subscription.endpoint),
    };
    same("the event", &batch.events, &vec![expected])?;
    let found = hooks.find(subscription).await?;
    same("the state", &found.state.disabled, &Some(disabled))
}
