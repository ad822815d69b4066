//! Cases about the open messages of a subscription.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::{
    EndpointOwner, EndpointState, OpenMessage, Pause, SubscriptionOutcome,
};
use pressline_domain::value::{EndpointId, OrderId};

use super::{Hooks, MINUTE, WebhookAdapters, at, message, outcome, waiting};
use crate::check::same;
use crate::{Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case<WebhookAdapters>] = cases![
    due_messages_are_of_different_orders,
    the_oldest_message_is_found,
    orders_with_open_messages_are_found,
    a_settled_message_releases_the_next_of_its_order,
    a_stores_own_endpoints_are_moved_nearer,
];

/// Returns the sequence numbers of `messages`.
fn sequences(messages: &[OpenMessage]) -> Vec<u64> {
    messages.iter().map(|message| message.sequence).collect()
}

async fn due_messages_are_of_different_orders(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let unrelated = hooks.add_own().await?;
    let first = hooks.place(hooks.store).await?;
    let second = hooks.place(hooks.store).await?;
    let first_later = hooks.hold_and_release(&first).await?;
    let third = hooks.place(hooks.store).await?;
    // Messages about no order do not wait for each other.
    let of_none = |sequence| OpenMessage {
        order: None,
        sequence,
        ..message(&third, 2_000)
    };
    let open = [
        message(&first, 3_000),
        message(&second, 1_000),
        waiting(&first_later, 2_000),
        of_none(7),
        of_none(8),
    ];
    hooks.store(subscription, 8, &open).await?;
    let due = async |millis, limit| -> Result<Vec<u64>, CaseError> {
        let due = hooks
            .to
            .subscriptions
            .due(subscription, at(millis), limit)
            .await?;
        Ok(sequences(&due))
    };
    same("before any is due", &due(999, 9).await?, &Vec::new())?;
    same("the first", &due(1_000, 9).await?, &vec![2])?;
    same("those due", &due(2_000, 9).await?, &vec![2, 4, 7, 8])?;
    // The first order's earlier event is sent first, although its later event was due before.
    same("all", &due(3_000, 9).await?, &vec![2, 7, 8, 1])?;
    same("at most two", &due(3_000, 2).await?, &vec![2, 7])?;
    same(
        "another subscription",
        &hooks.messages(unrelated).await?,
        &Vec::new(),
    )
}

async fn the_oldest_message_is_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let oldest = hooks.to.subscriptions.oldest(subscription).await?;
    same("without messages", &oldest, &None)?;
    let orders = hooks.place_many(3).await?;
    let dues = [9_000, 2_000, 1_000];
    let open: Vec<_> = orders
        .iter()
        .zip(dues)
        .skip(1)
        .map(|(order, due)| message(order, due))
        .collect();
    hooks.store(subscription, 3, &open).await?;
    let oldest = hooks.to.subscriptions.oldest(subscription).await?;
    same("of the later two", &oldest.as_ref(), &open.first())?;
    let first = orders.first().map(|order| message(order, 9_000));
    let all: Vec<_> = first.into_iter().collect();
    hooks.store(subscription, 3, &all).await?;
    same(
        "of all",
        &hooks.to.subscriptions.oldest(subscription).await?,
        &first,
    )
}

async fn orders_with_open_messages_are_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let elsewhere = hooks.add_own().await?;
    let orders = hooks.place_many(4).await?;
    let ids: Vec<OrderId> = orders.iter().map(|order| order.content.id).collect();
    let open: Vec<_> = orders.iter().map(|order| message(order, MINUTE)).collect();
    let open_of = |places: [usize; 2]| -> Vec<OpenMessage> {
        let open = places.into_iter().filter_map(|place| open.get(place));
        open.copied().collect()
    };
    hooks.store(subscription, 4, &open_of([0, 2])).await?;
    hooks.store(elsewhere, 4, &open_of([1, 3])).await?;
    let blocked = async |asked: &[OrderId]| -> Result<Vec<OrderId>, CaseError> {
        let asked: BTreeSet<OrderId> = asked.iter().copied().collect();
        let blocked = hooks.to.subscriptions.blocked(subscription, &asked).await?;
        Ok(blocked.into_iter().collect())
    };
    let wanted: BTreeSet<OrderId> = open_of([0, 2]).iter().filter_map(|m| m.order).collect();
    let wanted: Vec<OrderId> = wanted.into_iter().collect();
    same("of all", &blocked(&ids).await?, &wanted)?;
    let (first, others) = ids.split_at(1);
    same("of one", &blocked(first).await?, &first.to_vec())?;
    let free: Vec<_> = others.iter().step_by(2).copied().collect();
    same("of free ones", &blocked(&free).await?, &Vec::new())?;
    same("of none", &blocked(&[]).await?, &Vec::new())
}

async fn a_settled_message_releases_the_next_of_its_order(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let (one, other) = (
        hooks.place(hooks.store).await?,
        hooks.place(hooks.store).await?,
    );
    let one_later = hooks.hold_and_release(&one).await?;
    let one_last = hooks.hold_and_release(&one_later).await?;
    let other_later = hooks.hold_and_release(&other).await?;
    let far = 15 * MINUTE;
    let open = [
        message(&one, 0),
        message(&other, far),
        waiting(&one_later, far),
        waiting(&one_last, far),
        waiting(&other_later, far),
    ];
    hooks.store(subscription, 8, &open).await?;
    let release = async |settled: &[u64], millis| -> CaseResult {
        let leased = hooks.lease(subscription, 0).await?;
        let outcome = SubscriptionOutcome {
            at: at(millis),
            settled: settled.to_vec(),
            released: vec![one.content.id, other.content.id],
            ..outcome(leased)
        };
        hooks.record(&outcome).await
    };
    let due = async |millis| hooks.due(subscription, millis).await;
    // The other order's first message still fails, so its later messages keep waiting.
    release(&[1], 1_000).await?;
    let released = OpenMessage {
        waits: false,
        due: at(1_000),
        ..waiting(&one_later, far)
    };
    same("what is released", &due(far - 1).await?, &vec![released])?;
    // While the released message is unresolved, releasing again has no effect.
    release(&[], 2_000).await?;
    same("the same again", &due(far - 1).await?, &vec![released])?;
    release(&[4], 3_000).await?;
    let last = OpenMessage {
        waits: false,
        due: at(3_000),
        ..waiting(&one_last, far)
    };
    same("the next", &due(far - 1).await?, &vec![last])?;
    let all = sequences(&due(far).await?);
    same("those of other orders", &all, &vec![6, 2])
}

async fn a_stores_own_endpoints_are_moved_nearer(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let order = hooks.place(hooks.store).await?;
    let subscriptions = hooks
        .of_three_owners(other)
        .await?
        .map(|(_, subscription)| subscription);
    let [own, _, neighbour] = subscriptions;
    for subscription in subscriptions {
        let failed = hooks.random.failed(subscription, &order, 0);
        hooks
            .store(subscription, 1, &[message(&order, MINUTE)])
            .await?;
        hooks.log(subscription, &[failed]).await?;
        let mut record = hooks.find(subscription).await?;
        record.state = EndpointState {
            failing_since: Some(at(0)),
            pause: Some(Pause {
                until: at(MINUTE),
                probing: None,
            }),
            ..EndpointState::default()
        };
        hooks.replace(&record).await?;
    }
    let before = hooks.find(own).await?;
    hooks.to.clock.advance(hooks.store, 50).await?;
    // Only the store's own endpoint moves.
    for (subscription, millis) in subscriptions.into_iter().zip([50_000, 0, 0]) {
        let due = vec![message(&order, MINUTE - millis)];
        same("its message", &hooks.messages(subscription).await?, &due)?;
        let state = hooks.find(subscription).await?.state;
        let until = state.pause.map(|pause| pause.until);
        same("its pause", &until, &Some(at(MINUTE - millis)))?;
        same("its failures", &state.failing_since, &Some(at(-millis)))?;
        let owner = hooks.find(subscription).await?.endpoint.scope.owner();
        let found = hooks.deliveries(owner).await?;
        let next: Vec<_> = found.iter().map(|found| found.next_attempt_at).collect();
        same("its next attempt", &next, &vec![Some(at(5_000 - millis))])?;
    }
    let after = hooks.find(own).await?;
    same("its version", &after.version, &(before.version + 1))?;
    let owner = EndpointOwner::Store(other);
    let listed = hooks.to.endpoints.list(owner).await?;
    let ids: Vec<EndpointId> = listed.iter().map(|record| record.endpoint.id).collect();
    same("the neighbour", &ids, &vec![neighbour.endpoint])
}
