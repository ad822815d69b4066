//! Cases about the delivery log.

use std::collections::BTreeSet;

use pressline_backoffice::webhook::{
    Delivery, DeliveryFilter, DeliveryStatus, EndpointOwner, EndpointScope, OpenMessage,
    RecoverFrom, SubscriptionKey,
};
use pressline_domain::event::EventType;
use pressline_domain::order::Order;
use pressline_domain::value::{DeliveryId, EndpointId, StoreId};
use uuid::Uuid;

use super::{Hooks, MINUTE, WebhookAdapters, at, message, subscription_of};
use crate::check::{holds, same};
use crate::{Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case<WebhookAdapters>] = cases![
    deliveries_of_other_owners_are_not_found,
    an_added_delivery_is_found_as_given,
    deliveries_are_found_newest_first,
    deliveries_are_filtered,
    a_resent_event_is_due_now,
    what_was_not_taken_is_recovered,
    old_deliveries_are_removed,
];

fn ids(deliveries: &[Delivery]) -> Vec<DeliveryId> {
    deliveries.iter().map(|delivery| delivery.id).collect()
}

async fn deliveries_of_other_owners_are_not_found(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let order = hooks.place(hooks.store).await?;
    let subscriptions = hooks.of_three_owners(other).await?;
    let mut added = Vec::new();
    for (owner, subscription) in subscriptions {
        let delivery = hooks.random.failed(subscription, &order, 0);
        hooks.to.deliveries.add(&delivery).await?;
        added.push((owner, delivery));
    }
    for (owner, delivery) in &added {
        let found = hooks.deliveries(*owner).await?;
        same(
            "of an owner",
            &found.as_slice(),
            &std::slice::from_ref(delivery),
        )?;
        for (asking, _) in subscriptions {
            let found = hooks.to.deliveries.find(asking, delivery.id).await?;
            let wanted = Some(delivery).filter(|_| asking == *owner);
            same("by its id", &found.as_ref(), &wanted)?;
        }
    }
    // An event of a store outside the endpoint's scope cannot be resent to it.
    let [_, _, (_, neighbour)] = subscriptions;
    let foreign = SubscriptionKey {
        store: hooks.store,
        ..neighbour
    };
    holds(
        "it is sent again",
        !hooks.to.deliveries.resend(foreign, 1, at(0)).await?,
    )
}

async fn an_added_delivery_is_found_as_given(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let own = hooks.add_own().await?;
    let shop = hooks.add(EndpointScope::AllStores).await?;
    // Test deliveries of the print shop's endpoints belong to no store.
    let nowhere = subscription_of(&shop, StoreId::new(Uuid::nil()));
    let order = hooks.place(hooks.store).await?;
    let deliveries = [
        (
            EndpointOwner::Store(hooks.store),
            hooks.random.test_delivery(own, 0),
        ),
        (EndpointOwner::Shop, hooks.random.test_delivery(nowhere, 1)),
        (
            EndpointOwner::Store(hooks.store),
            hooks.random.failed(own, &order, 2),
        ),
    ];
    for (owner, delivery) in &deliveries {
        let log = &hooks.to.deliveries;
        log.add(delivery).await?;
        let found = log.find(*owner, delivery.id).await?;
        same("the delivery", &found.as_ref(), &Some(delivery))?;
    }
    let owner = EndpointOwner::Store(hooks.store);
    let unknown = DeliveryId::new(hooks.random.uuid());
    let found = hooks.to.deliveries.find(owner, unknown).await?;
    same("an unknown delivery", &found, &None)
}

async fn deliveries_are_found_newest_first(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscriptions = [hooks.add_own().await?, hooks.add_own().await?];
    let order = hooks.place(hooks.store).await?;
    let mut added = Vec::new();
    for number in 0..20 {
        for subscription in subscriptions {
            // Several deliveries share a millisecond.
            let delivery = hooks.random.failed(subscription, &order, number % 5);
            hooks.to.deliveries.add(&delivery).await?;
            added.push(delivery.id);
        }
    }
    added.sort();
    added.reverse();
    let owner = EndpointOwner::Store(hooks.store);
    same("all", &ids(&hooks.deliveries(owner).await?), &added)?;
    let (mut walked, mut before) = (Vec::new(), None);
    let filter = DeliveryFilter::default();
    loop {
        let log = &hooks.to.deliveries;
        let page = log.search(owner, &filter, before, 7).await?;
        holds("a page is too large", page.len() <= 7)?;
        let Some(last) = page.last() else {
            break;
        };
        before = Some(last.id);
        walked.extend(ids(&page));
    }
    same("page by page", &walked, &added)
}

async fn deliveries_are_filtered(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscriptions = [hooks.add_own().await?, hooks.add_own().await?];
    let orders = hooks.place_many(2).await?;
    let mut added = Vec::new();
    for (place, subscription) in subscriptions.into_iter().enumerate() {
        let millis = i64::try_from(place)?;
        for order in &orders {
            added.push(hooks.random.failed(subscription, order, millis));
            added.push(hooks.random.succeeded(subscription, order, 10 + millis));
        }
        added.push(hooks.random.test_delivery(subscription, 20 + millis));
    }
    for delivery in &added {
        hooks.to.deliveries.add(delivery).await?;
    }
    added.sort_by_key(|delivery| delivery.id);
    added.reverse();
    let owner = EndpointOwner::Store(hooks.store);
    for _ in 0..200 {
        let random = &mut hooks.random;
        let some = random
            .pick(&added)
            .cloned()
            .ok_or_else(|| CaseError::new("no delivery"))?;
        let order = some.event.order.as_ref().map(|order| order.id);
        let filter = DeliveryFilter {
            endpoint: random.maybe(|_| some.endpoint),
            order: random.maybe(|_| order).flatten(),
            sequence: random.maybe(|_| some.event.sequence).flatten(),
            status: random
                .maybe(|random| random.pick(&DeliveryStatus::ALL).copied())
                .flatten(),
            from: random.maybe(|_| some.started_at),
            to: random.maybe(|_| some.started_at),
        };
        let wanted = added.iter().filter(|delivery| filter.matches(delivery));
        let found = hooks.search(owner, &filter).await?;
        same(
            &format!("{filter:?}"),
            &found.iter().collect::<Vec<_>>(),
            &wanted.collect(),
        )?;
    }
    let none = DeliveryFilter {
        endpoint: Some(EndpointId::new(hooks.random.uuid())),
        ..DeliveryFilter::default()
    };
    let found = hooks.search(owner, &none).await?;
    same("of an unknown endpoint", &found, &Vec::new())
}

async fn a_resent_event_is_due_now(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let orders = hooks.place_many(3).await?;
    let [first, second, _] = orders.as_slice() else {
        return Ok(());
    };
    hooks
        .store(subscription, 2, &[message(second, 9 * MINUTE)])
        .await?;
    let resend = async |subscription: SubscriptionKey, sequence| {
        let log = &hooks.to.deliveries;
        log.resend(subscription, sequence, at(MINUTE)).await
    };
    for sequence in [1, 2] {
        holds("it is not sent", resend(subscription, sequence).await?)?;
    }
    let again = |order| OpenMessage {
        attempts: 0,
        ..message(order, MINUTE)
    };
    let due = hooks.due(subscription, MINUTE).await?;
    same("what is due", &due, &vec![again(first), again(second)])?;
    // An event after the cursor is sent anyway.
    holds("it is not sent", resend(subscription, 3).await?)?;
    same("messages", &hooks.messages(subscription).await?.len(), &2)?;
    same("the cursor", &hooks.cursor(subscription).await?, &2)?;
    // There are three events, numbered from 1.
    for unknown in [0, 4, u64::from(u32::MAX)] {
        holds(
            "an unknown event is sent",
            !resend(subscription, unknown).await?,
        )?;
    }
    let unknown = SubscriptionKey {
        endpoint: EndpointId::new(hooks.random.uuid()),
        ..subscription
    };
    holds("to an unknown endpoint", !resend(unknown, 1).await?)
}

/// Leaves the events of the first and third order without a delivery.
async fn leave_untaken(
    hooks: &mut Hooks,
    subscription: SubscriptionKey,
    [first, second, third]: [&Order; 3],
) -> CaseResult {
    // Two more events of types that the endpoint excludes, and an event that the cursor has not
    // reached.
    hooks.hold_and_release(first).await?;
    hooks.place(hooks.store).await?;
    hooks
        .store(subscription, 5, &[message(third, 9 * MINUTE)])
        .await?;
    // An event that was accepted once counts as accepted, whatever a later attempt returns.
    let taken = [
        hooks.random.failed(subscription, first, 0),
        hooks.random.succeeded(subscription, second, 1),
        hooks.random.failed(subscription, second, 2),
    ];
    hooks.log(subscription, &taken).await
}

async fn what_was_not_taken_is_recovered(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let mut typed = hooks.find(subscription).await?;
    typed.endpoint.types = BTreeSet::from([EventType::OrderCreated]);
    let record = hooks.replace(&typed).await?;
    let orders = hooks.place_many(3).await?;
    let [first, second, third] = orders.as_slice() else {
        return Ok(());
    };
    leave_untaken(&mut hooks, subscription, [first, second, third]).await?;
    let recover = async |from, oldest| {
        let log = &hooks.to.deliveries;
        log.recover(&record, from, oldest, at(MINUTE)).await
    };
    let ever = at(-1_000 * MINUTE);
    // Neither events before the oldest log entry nor events of another time are resent.
    let later = at(MINUTE);
    same("too old", &recover(RecoverFrom::After(0), later).await?, &0)?;
    same(
        "later",
        &recover(RecoverFrom::Since(later), ever).await?,
        &0,
    )?;
    let before = hooks.messages(subscription).await?;
    same("messages", &before, &vec![message(third, 9 * MINUTE)])?;
    // The third event already has a message; it becomes due now.
    same("one", &recover(RecoverFrom::After(2), ever).await?, &1)?;
    let again = |order| OpenMessage {
        attempts: 0,
        ..message(order, MINUTE)
    };
    let after = hooks.messages(subscription).await?;
    same("messages", &after, &vec![again(third)])?;
    same("all", &recover(RecoverFrom::Since(ever), ever).await?, &2)?;
    let due = hooks.due(subscription, MINUTE).await?;
    same("what is due", &due, &vec![again(first), again(third)])?;
    same("the cursor", &hooks.cursor(subscription).await?, &5)?;
    // `Since` includes events at exactly this time.
    let time = second
        .content
        .created_at()
        .max(third.content.created_at())
        .max(first.content.created_at());
    let last = [first, third]
        .iter()
        .filter(|order| order.content.created_at() >= time)
        .count();
    let count = recover(RecoverFrom::Since(time), ever).await?;
    same("since a moment", &count, &u64::try_from(last)?)
}

async fn old_deliveries_are_removed(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let subscription = hooks.add_own().await?;
    let shop = hooks.add(EndpointScope::AllStores).await?;
    let of_shop = subscription_of(&shop, hooks.store);
    let order = hooks.place(hooks.store).await?;
    for millis in 0..10 {
        let subscription = if millis % 2 == 0 {
            subscription
        } else {
            of_shop
        };
        let delivery = hooks.random.failed(subscription, &order, millis);
        hooks.to.deliveries.add(&delivery).await?;
    }
    let left = async || -> Result<Vec<i64>, CaseError> {
        let mut left = Vec::new();
        for owner in [EndpointOwner::Store(hooks.store), EndpointOwner::Shop] {
            let found = hooks.deliveries(owner).await?;
            let started = found.iter().map(|found| found.started_at.as_millis());
            left.extend(started.map(|started| started - at(0).as_millis()));
        }
        left.sort_unstable();
        Ok(left)
    };
    let log = &hooks.to.deliveries;
    same("none is older", &log.prune(at(0), 9).await?, &0)?;
    same("at most four", &log.prune(at(6), 4).await?, &4)?;
    same("the oldest first", &left().await?, &(4..10).collect())?;
    same("the rest", &log.prune(at(6), 4).await?, &2)?;
    same("those left", &left().await?, &(6..10).collect())
}
