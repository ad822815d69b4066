//! Cases about finding and leasing subscriptions.

use pressline_backoffice::webhook::{
    Disabled, DisabledReason, EndpointScope, EndpointState, Pause, Probing, RESTART_PAUSES,
    Subscription, SubscriptionKey, SubscriptionOutcome,
};
use pressline_domain::value::EndpointId;

use super::{Hooks, MINUTE, WebhookAdapters, at, message, outcome, subscription_of};
use crate::at_once::at_once;
use crate::check::{holds, same};
use crate::{Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case<WebhookAdapters>] = cases![
    a_subscription_with_news_is_found,
    a_subscription_that_pauses_is_not_found,
    a_subscription_that_probes_is_found,
    a_leased_subscription_is_not_found,
    of_concurrent_leases_one_wins,
    leases_are_numbered,
    a_lease_ends,
    all_leases_can_be_ended,
    each_restart_without_progress_pauses_a_subscription_longer,
];

/// Number of concurrent calls.
const CONCURRENT_CALLS: usize = 12;

/// Replaces the state of a subscription's endpoint.
async fn set(hooks: &Hooks, subscription: SubscriptionKey, state: EndpointState) -> CaseResult {
    let mut record = hooks.find(subscription).await?;
    record.state = state;
    hooks.replace(&record).await?;
    Ok(())
}

/// Returns a pause that ends `until` milliseconds after `NOW`; the subscription `probing` then
/// probes.
fn paused(until: i64, probing: Option<SubscriptionKey>) -> EndpointState {
    EndpointState {
        failures: 5,
        pause: Some(Pause {
            until: at(until),
            probing: probing.map(|subscription| Probing {
                attempts: 1,
                store: subscription.store,
            }),
        }),
        ..EndpointState::default()
    }
}

async fn a_subscription_with_news_is_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let subscription = hooks.add_own().await?;
    let shop = hooks.add(EndpointScope::AllStores).await?;
    hooks.add(EndpointScope::Store(other)).await?;
    same("without events", &hooks.news(0).await?, &Vec::new())?;
    let order = hooks.place(hooks.store).await?;
    let mut both = vec![subscription, subscription_of(&shop, hooks.store)];
    both.sort();
    same("with an event", &hooks.news(0).await?, &both)?;
    let limited = hooks.to.subscriptions.with_pending_events(at(0), 1).await?;
    same("at most one", &limited.len(), &1)?;
    hooks
        .store(subscription_of(&shop, hooks.store), 1, &[])
        .await?;
    hooks
        .store(subscription, 1, &[message(&order, 5_000)])
        .await?;
    same("before it is due", &hooks.news(4_999).await?, &Vec::new())?;
    same(
        "when it is due",
        &hooks.news(5_000).await?,
        &vec![subscription],
    )?;
    let leased = hooks.lease(subscription, 0).await?;
    let settled = SubscriptionOutcome {
        settled: vec![1],
        ..outcome(leased)
    };
    hooks.record(&settled).await?;
    same("when it is settled", &hooks.news(5_000).await?, &Vec::new())
}

async fn a_subscription_that_pauses_is_not_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let shop = hooks.add(EndpointScope::AllStores).await?;
    let subscription = subscription_of(&shop, hooks.store);
    let probing = subscription_of(&shop, other);
    let order = hooks.place(hooks.store).await?;
    hooks.place(hooks.store).await?;
    hooks.place(other).await?;
    hooks.store(subscription, 1, &[message(&order, 0)]).await?;
    let mut both = vec![subscription, probing];
    both.sort();
    same("at first", &hooks.news(0).await?, &both)?;
    set(&hooks, subscription, paused(1_000, None)).await?;
    same("while it pauses", &hooks.news(999).await?, &Vec::new())?;
    same("after the pause", &hooks.news(1_000).await?, &both)?;
    set(&hooks, subscription, paused(1_000, Some(probing))).await?;
    same("while it pauses", &hooks.news(999).await?, &Vec::new())?;
    same("what probes", &hooks.news(1_000).await?, &vec![probing])?;
    let disabled = EndpointState {
        disabled: Some(Disabled {
            reason: DisabledReason::Gone,
            at: at(0),
        }),
        ..EndpointState::default()
    };
    set(&hooks, subscription, disabled).await?;
    same(
        "when it is disabled",
        &hooks.news(MINUTE).await?,
        &Vec::new(),
    )?;
    set(&hooks, subscription, EndpointState::default()).await?;
    same("at the end", &hooks.news(0).await?, &both)
}

async fn a_subscription_that_probes_is_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let shop = hooks.add(EndpointScope::AllStores).await?;
    let subscription = subscription_of(&shop, hooks.store);
    hooks.place(other).await?;
    set(&hooks, subscription, paused(1_000, Some(subscription))).await?;
    same("while it pauses", &hooks.news(999).await?, &Vec::new())?;
    // A probe is found even without pending events.
    same(
        "without events",
        &hooks.news(1_000).await?,
        &vec![subscription],
    )?;
    let order = hooks.place(hooks.store).await?;
    hooks
        .store(subscription, 1, &[message(&order, MINUTE)])
        .await?;
    same(
        "before it is due",
        &hooks.news(1_000).await?,
        &vec![subscription],
    )?;
    hooks.lease(subscription, 1_000).await?;
    same("while it is leased", &hooks.news(1_000).await?, &Vec::new())
}

async fn a_leased_subscription_is_not_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let (subscription, free) = (hooks.add_own().await?, hooks.add_own().await?);
    hooks.place(hooks.store).await?;
    hooks.lease(subscription, 0).await?;
    same("while leased", &hooks.news(MINUTE - 1).await?, &vec![free])?;
    let mut both = vec![subscription, free];
    both.sort();
    same("when it has ended", &hooks.news(MINUTE).await?, &both)?;
    let leased = hooks.lease(subscription, MINUTE).await?;
    hooks.record(&outcome(leased)).await?;
    same("when it is given back", &hooks.news(MINUTE).await?, &both)
}

async fn of_concurrent_leases_one_wins(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let all = hooks.add(EndpointScope::AllStores).await?;
    // The subscription to a store created later has no row before its first lease.
    let later = hooks.another("LATER").await?;
    for subscription in [
        subscription_of(&all, hooks.store),
        subscription_of(&all, later),
    ] {
        let calls = (0..CONCURRENT_CALLS).map(|_| {
            let subscriptions = hooks.to.subscriptions.clone();
            async move { subscriptions.lease(subscription, at(0), at(MINUTE)).await }
        });
        let mut leases = 0;
        for lease in at_once(calls).await? {
            leases += usize::from(lease?.is_some());
        }
        same("leases", &leases, &1)?;
    }
    let subscription = SubscriptionKey {
        store: later,
        endpoint: EndpointId::new(hooks.random.uuid()),
    };
    let leased = hooks
        .to
        .subscriptions
        .lease(subscription, at(0), at(1))
        .await?;
    same("of an unknown endpoint", &leased, &None)
}

async fn leases_are_numbered(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let mut last = hooks.lease(subscription, 0).await?;
    for number in 1..6 {
        // Half of the leases are returned, the other half expire.
        if number % 2 == 0 {
            hooks.record(&outcome(last)).await?;
        }
        let next = hooks.lease(subscription, number * MINUTE).await?;
        same("the subscription", &next.key, &subscription)?;
        holds("the number is not higher", next.lease > last.lease)?;
        last = next;
    }
    Ok(())
}

async fn a_lease_ends(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let subscriptions = hooks.to.subscriptions.clone();
    let leased = hooks.lease(subscription, 0).await?;
    let is_held = async |millis| -> Result<bool, CaseError> {
        let leased = subscriptions
            .lease(subscription, at(millis), at(millis + 1))
            .await?;
        Ok(leased.is_none())
    };
    holds("it is not held", is_held(MINUTE - 1).await?)?;
    let renewed = SubscriptionOutcome {
        leased_until: Some(at(3 * MINUTE)),
        ..outcome(leased)
    };
    hooks.record(&renewed).await?;
    holds("it is not renewed", is_held(3 * MINUTE - 1).await?)?;
    holds("it has not ended", !is_held(3 * MINUTE).await?)
}

async fn all_leases_can_be_ended(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let (one, other) = (hooks.add_own().await?, hooks.add_own().await?);
    let before = hooks.lease(one, 0).await?;
    hooks.lease(other, 0).await?;
    hooks.to.subscriptions.end_leases(at(0)).await?;
    let [first, ..] = RESTART_PAUSES;
    let early = hooks
        .to
        .subscriptions
        .lease(one, at(first - 1), at(MINUTE))
        .await?;
    holds("it has ended without a pause", early.is_none())?;
    let after = hooks.lease(one, first).await?;
    hooks.lease(other, first).await?;
    holds("the number is not higher", after.lease > before.lease)
}

async fn each_restart_without_progress_pauses_a_subscription_longer(
    to: WebhookAdapters,
) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let subscriptions = hooks.to.subscriptions.clone();
    let [first, .., last] = RESTART_PAUSES;
    let mut now = 0;
    hooks.lease(subscription, now).await?;
    // The last pause repeats.
    for pause in RESTART_PAUSES.into_iter().chain([last]) {
        subscriptions.end_leases(at(now)).await?;
        // Another restart during the pause has no effect.
        subscriptions.end_leases(at(now + 1)).await?;
        let early = subscriptions
            .lease(subscription, at(now + pause - 1), at(MINUTE))
            .await?;
        holds("the pause is too short", early.is_none())?;
        now += pause;
        hooks.lease(subscription, now).await?;
    }
    now += MINUTE;
    let leased = hooks.lease(subscription, now).await?;
    // Moving the cursor is progress.
    let moved = SubscriptionOutcome {
        subscription: Subscription {
            cursor: leased.cursor + 1,
            ..leased
        },
        leased_until: Some(at(now + MINUTE)),
        ..outcome(leased)
    };
    hooks.record(&moved).await?;
    subscriptions.end_leases(at(now)).await?;
    let after = subscriptions
        .lease(subscription, at(now + first), at(now + MINUTE))
        .await?;
    holds("progress does not shorten the pause", after.is_some())
}
