//! Cases about endpoints as set up by their owners.

use std::collections::BTreeSet;
use std::sync::Arc;

use pressline_backoffice::limits;
use pressline_backoffice::webhook::{
    EndpointOwner, EndpointRecord, EndpointScope, SubscriptionStart,
};
use pressline_domain::store::{KeyOwner, MasterKeyId};
use pressline_domain::value::EndpointId;

use super::{Hooks, WebhookAdapters, at, message, subscription_of};
use crate::at_once::at_once;
use crate::check::{holds, is_stale, same};
use crate::samples::MASTER_KEY;
use crate::store::{BROKEN, OTHER, Sealing};
use crate::{Case, CaseResult, cases};

pub(crate) const CASES: &[Case<WebhookAdapters>] = cases![
    an_added_endpoint_is_found_as_given,
    an_owner_has_a_limited_number_of_endpoints,
    a_secret_of_another_master_key_is_refused,
    an_unknown_endpoint_is_none,
    endpoints_are_listed_by_owner_oldest_first,
    endpoints_of_all_owners_are_read_by_pages,
    a_stale_endpoint_change_is_refused,
    a_removed_endpoint_leaves_nothing,
    resealing_changes_the_secrets_of_endpoints,
];

/// Number of concurrent calls.
const CONCURRENT_CALLS: usize = 12;

async fn an_added_endpoint_is_found_as_given(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let both = BTreeSet::from([hooks.store, other]);
    let scopes = [
        EndpointScope::Store(hooks.store),
        EndpointScope::AllStores,
        EndpointScope::Stores(both),
        EndpointScope::Stores(BTreeSet::from([other])),
    ];
    for number in 0..20 {
        let scope = scopes.get(number % 4).cloned();
        let scope = scope.unwrap_or(EndpointScope::AllStores);
        let record = hooks.random.endpoint(scope)?;
        let endpoints = &hooks.to.endpoints;
        holds("it was added", endpoints.add(&record, 100).await?)?;
        let found = endpoints.find(record.endpoint.id).await?;
        same(&format!("endpoint {number}"), &found, &Some(record))?;
    }
    Ok(())
}

async fn an_owner_has_a_limited_number_of_endpoints(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let store = hooks.store;
    for scope in [EndpointScope::Store(store), EndpointScope::AllStores] {
        let mut calls = Vec::new();
        for _ in 0..CONCURRENT_CALLS {
            let record = hooks.random.endpoint(scope.clone())?;
            let endpoints = hooks.to.endpoints.clone();
            calls.push(async move { endpoints.add(&record, limits::ENDPOINTS).await });
        }
        let mut added = 0;
        for is_added in at_once(calls).await? {
            added += usize::from(is_added?);
        }
        same("endpoints added", &added, &limits::ENDPOINTS)?;
        let listed = hooks.to.endpoints.list(scope.owner()).await?;
        same("endpoints listed", &listed.len(), &limits::ENDPOINTS)?;
        let refused = hooks.random.endpoint(scope)?;
        let is_added = hooks.to.endpoints.add(&refused, limits::ENDPOINTS).await?;
        holds("one more was added", !is_added)?;
        let found = hooks.to.endpoints.find(refused.endpoint.id).await?;
        same("the refused endpoint", &found, &None)?;
    }
    // Each owner has its own limit.
    let other = hooks.another("OTHER").await?;
    hooks.add(EndpointScope::Store(other)).await?;
    Ok(())
}

async fn a_secret_of_another_master_key_is_refused(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other_key = MasterKeyId::new([2; 8]);
    let scope = EndpointScope::Store(hooks.store);
    let mut refused = hooks.random.endpoint(scope.clone())?;
    for secret in &mut refused.secrets {
        secret.key.sealed_with = other_key;
    }
    let endpoints = hooks.to.endpoints.clone();
    let added = endpoints.add(&refused, limits::ENDPOINTS).await;
    is_stale("a new endpoint", added)?;
    let found = endpoints.find(refused.endpoint.id).await?;
    same("the refused endpoint", &found, &None)?;

    let record = hooks.add(scope).await?;
    let mut change = record.clone();
    change.secrets.truncate(1);
    let mut secret = hooks.random.secret(at(0), None);
    secret.key.sealed_with = other_key;
    change.secrets.insert(0, secret);
    is_stale(
        "a changed endpoint",
        endpoints.replace(&change, 1, None).await,
    )?;
    let found = endpoints.find(record.endpoint.id).await?;
    same("the endpoint", &found, &Some(record))
}

async fn an_unknown_endpoint_is_none(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let unknown = EndpointId::new(hooks.random.uuid());
    hooks.add_own().await?;
    same(
        "an unknown endpoint",
        &hooks.to.endpoints.find(unknown).await?,
        &None,
    )?;
    holds("it was removed", !hooks.to.endpoints.remove(unknown).await?)
}

async fn endpoints_are_listed_by_owner_oldest_first(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let other = hooks.another("OTHER").await?;
    let scopes = [
        EndpointScope::Store(hooks.store),
        EndpointScope::Store(other),
        EndpointScope::AllStores,
        EndpointScope::Stores(BTreeSet::from([hooks.store, other])),
    ];
    let mut records: Vec<EndpointRecord> = Vec::new();
    for number in 0..16_usize {
        let scope = scopes.get(number % 4).cloned();
        let scope = scope.unwrap_or(EndpointScope::AllStores);
        let mut record = hooks.random.endpoint(scope)?;
        // Some endpoints have the same creation time and are then sorted by id.
        record.endpoint.created_at = at(i64::try_from(hooks.random.below(4))?);
        hooks.to.endpoints.add(&record, 100).await?;
        records.push(record);
    }
    records.sort_by_key(|record| (record.endpoint.created_at, record.endpoint.id));
    for owner in [
        EndpointOwner::Store(hooks.store),
        EndpointOwner::Store(other),
        EndpointOwner::Shop,
    ] {
        let own = records
            .iter()
            .filter(|record| record.endpoint.scope.owner() == owner);
        let listed = hooks.to.endpoints.list(owner).await?;
        same(
            "the list",
            &listed.iter().collect::<Vec<_>>(),
            &own.collect(),
        )?;
    }
    Ok(())
}

async fn a_stale_endpoint_change_is_refused(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let scope = EndpointScope::Store(hooks.store);
    let record = hooks.add(scope.clone()).await?;
    let endpoints = hooks.to.endpoints.clone();
    let changed = EndpointRecord {
        endpoint: pressline_backoffice::webhook::Endpoint {
            id: record.endpoint.id,
            created_at: record.endpoint.created_at,
            ..hooks.random.endpoint(scope.clone())?.endpoint
        },
        state: hooks.random.state(),
        ..hooks.random.endpoint(scope.clone())?
    };
    // The stored version is 1.
    for wrong in [0, 2, u32::MAX - 1] {
        let replaced = endpoints.replace(&changed, wrong, Some(SubscriptionStart::Now));
        is_stale(&format!("version {wrong}"), replaced.await)?;
    }
    let id = record.endpoint.id;
    same("as added", &endpoints.find(id).await?, &Some(record))?;
    endpoints.replace(&changed, 1, None).await?;
    let wanted = EndpointRecord {
        version: 2,
        ..changed.clone()
    };
    same("as replaced", &endpoints.find(id).await?, &Some(wanted))?;
    is_stale("again", endpoints.replace(&changed, 1, None).await)?;
    let unknown = hooks.random.endpoint(scope)?;
    let replaced = endpoints.replace(&unknown, 1, None).await;
    is_stale("an unknown endpoint", replaced)
}

async fn a_removed_endpoint_leaves_nothing(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let removed = hooks.add_own().await?;
    let kept = hooks.add_own().await?;
    let order = hooks.place(hooks.store).await?;
    for subscription in [removed, kept] {
        let failed = hooks.random.failed(subscription, &order, 0);
        hooks.store(subscription, 1, &[message(&order, 0)]).await?;
        hooks.log(subscription, &[failed]).await?;
    }
    let endpoints = hooks.to.endpoints.clone();
    holds("it was removed", endpoints.remove(removed.endpoint).await?)?;
    holds(
        "it was removed twice",
        !endpoints.remove(removed.endpoint).await?,
    )?;
    same("as found", &endpoints.find(removed.endpoint).await?, &None)?;
    let owner = EndpointOwner::Store(hooks.store);
    let listed = endpoints.list(owner).await?;
    let listed = listed
        .iter()
        .map(|record| subscription_of(record, hooks.store));
    same("the list", &listed.collect::<Vec<_>>(), &vec![kept])?;
    let found = hooks.deliveries(owner).await?;
    let of: Vec<_> = found.iter().map(|found| found.endpoint).collect();
    same("endpoints of deliveries", &of, &vec![kept.endpoint])?;
    same(
        "subscriptions with news",
        &hooks.news(1).await?,
        &vec![kept],
    )?;
    same("its messages", &hooks.messages(removed).await?, &Vec::new())?;
    let leased = hooks.to.subscriptions.lease(removed, at(0), at(1)).await?;
    same("its subscription", &leased, &None)?;
    let lag = endpoints.lag(removed.endpoint).await?;
    same("its lag", &lag.events, &0)
}

/// Uses more endpoints than a page of the resealing has, of the store and of the print shop.
async fn resealing_changes_the_secrets_of_endpoints(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let own = EndpointScope::Store(hooks.store);
    let mut records = Vec::new();
    for number in 0..220 {
        let scope = if number % 2 == 0 {
            own.clone()
        } else {
            EndpointScope::AllStores
        };
        let mut record = hooks.random.endpoint(scope)?;
        if number == 7 {
            let secrets = record.secrets.iter_mut();
            secrets.for_each(|secret| secret.key.sealed.push(BROKEN));
        }
        hooks.to.endpoints.add(&record, 1000).await?;
        records.push(record);
    }
    // Resealing includes the keys of stores.
    let stores = hooks.to.adapters.stores.clone();
    let of_stores = stores.list().await?;
    let of_stores: usize = of_stores.iter().map(|record| record.keys.len()).sum();
    let report = stores
        .reseal(Some(MASTER_KEY), OTHER, Arc::new(Sealing))
        .await?;
    let (mut resealed, mut unreadable) = (of_stores, Vec::new());
    for (number, record) in records.iter_mut().enumerate() {
        // Resealing has given every endpoint a new version.
        let stale = hooks.to.endpoints.replace(record, 1, None).await;
        is_stale("a change of what was read before", stale)?;
        record.version = 2;
        for secret in &mut record.secrets {
            if number == 7 {
                unreadable.push((KeyOwner::Endpoint(record.endpoint.id), secret.key.id));
                continue;
            }
            resealed += 1;
            secret.key.sealed.extend(OTHER.as_bytes());
            secret.key.sealed_with = OTHER;
        }
        let found = hooks.to.endpoints.find(record.endpoint.id).await?;
        same("the endpoint", &found.as_ref(), &Some(&*record))?;
    }
    same("keys resealed", &report.resealed, &u64::try_from(resealed)?)?;
    let named = report.examples.iter();
    let mut named: Vec<_> = named.map(|(owner, key, _)| (*owner, *key)).collect();
    named.sort();
    unreadable.sort();
    same("the keys that it names", &named, &unreadable)
}

async fn endpoints_of_all_owners_are_read_by_pages(to: WebhookAdapters) -> CaseResult {
    let mut hooks = Hooks::open(to).await?;
    let scopes = [EndpointScope::Store(hooks.store), EndpointScope::AllStores];
    let mut added = Vec::new();
    for number in 0..5 {
        let scope = scopes.get(number % 2).cloned();
        let scope = scope.unwrap_or(EndpointScope::AllStores);
        let record = hooks.random.endpoint(scope)?;
        hooks.to.endpoints.add(&record, 100).await?;
        added.push(record);
    }
    added.sort_by_key(|record| record.endpoint.id);
    let (mut read, mut after) = (Vec::new(), None);
    loop {
        let page = hooks.to.endpoints.page(after, 2).await?;
        holds("at most two", page.len() <= 2)?;
        let Some(last) = page.last() else { break };
        after = Some(last.endpoint.id);
        read.extend(page);
    }
    same("all endpoints", &read, &added)
}
