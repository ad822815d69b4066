//! Cases about skipping the counters of a restored database.

use std::collections::BTreeSet;

use pressline_backoffice::restore::{Margins, Restore, SkippedRange, StoreSkip};
use pressline_domain::event::{FeedEvent, FeedFilter, FeedQuery, at_version};
use pressline_domain::order::Order;
use pressline_domain::value::{StoreId, Timestamp};

use crate::check::{holds, is_stale, same};
use crate::operator::sessions::{opened, operator};
use crate::order::{Shop, create, held, released, update};
use crate::production::{new_batch, places, stored};
use crate::random::Random;
use crate::samples::{NOW, made};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    the_time_of_the_newest_event_is_read,
    a_restore_is_open_until_it_is_closed,
    a_restored_store_goes_on_behind_the_skipped_counters,
    the_first_event_behind_a_gap_is_found,
    counters_are_skipped_once_for_a_restore,
    an_order_gets_a_new_version_after_a_restore,
    batch_numbers_are_skipped_once_for_a_restore,
    a_restore_is_finished_with_the_shared_counters,
    sessions_end_with_a_restore,
    an_identity_is_recorded,
];

const MARGINS: Margins = Margins {
    numbers: 1000,
    sequences: 5_000_000_000,
    versions: 70,
    batches: 100,
};

/// Returns the restore that began `millis` after `NOW`.
pub(crate) fn restore(millis: i64) -> Restore {
    Restore {
        at: Timestamp::from_millis(NOW + millis),
        margins: MARGINS,
    }
}

async fn place(shop: &mut Shop, store: StoreId, order_id: &str) -> Result<Order, CaseError> {
    let parts = shop.random.order(store, order_id)?;
    Ok(create(&shop.orders, parts).await??)
}

async fn hold(shop: &Shop, order: &Order) -> Result<Order, CaseError> {
    Ok(update(&shop.orders, &made(held(order)?)?).await?)
}

async fn skip(shop: &Shop, store: StoreId, millis: i64) -> Result<StoreSkip, CaseError> {
    Ok(shop
        .adapters
        .restored
        .skip_store(&restore(millis), store)
        .await?)
}

/// Returns the sequences of all events of `store`.
async fn sequences(shop: &Shop, store: StoreId) -> Result<Vec<u64>, CaseError> {
    let query = FeedQuery {
        after: 0,
        filter: FeedFilter::default(),
        examined: u32::MAX,
        limit: 500,
        bytes: u64::MAX,
        whole_orders: false,
    };
    let mut sequences = Vec::new();
    let mut after = 0;
    while let Some(first) = shop.adapters.feed.first_after(store, after).await? {
        let query = FeedQuery {
            after: first.saturating_sub(1),
            ..query.clone()
        };
        let batch = shop.adapters.feed.read(store, &query).await?;
        sequences.extend(batch.events.iter().map(FeedEvent::sequence));
        after = batch.examined(&query);
    }
    Ok(sequences)
}

async fn the_time_of_the_newest_event_is_read(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (store, restored) = (shop.store, shop.adapters.restored.clone());
    same(
        "without events",
        &restored.newest_event(store).await?,
        &None,
    )?;
    let order = place(&mut shop, store, "T-1").await?;
    let created = Some(order.state.updated_at);
    same(
        "a new order",
        &restored.newest_event(store).await?,
        &created,
    )?;
    let held = hold(&shop, &order).await?;
    let updated = Some(held.state.updated_at);
    same("a change", &restored.newest_event(store).await?, &updated)
}

async fn a_restore_is_open_until_it_is_closed(adapters: Adapters) -> CaseResult {
    let restored = adapters.restored;
    same("at first", &restored.opened().await?, &None)?;
    for millis in [1, 2] {
        restored.open(&restore(millis)).await?;
        same("opened", &restored.opened().await?, &Some(restore(millis)))?;
    }
    for _ in 0..2 {
        restored.close().await?;
        same("closed", &restored.opened().await?, &None)?;
    }
    Ok(())
}

async fn a_restored_store_goes_on_behind_the_skipped_counters(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let (store, other) = (shop.store, shop.another("OTHER").await?);
    for number in 1..=3 {
        place(&mut shop, store, &format!("T-{number}")).await?;
    }
    place(&mut shop, other, "T-1").await?;
    let expected = StoreSkip {
        numbers: SkippedRange {
            after: 3,
            last: 1003,
        },
        sequences: SkippedRange {
            after: 3,
            last: 5_000_000_003,
        },
    };
    same("the ranges", &skip(&shop, store, 1).await?, &expected)?;
    let last = shop
        .adapters
        .feed
        .last_sequences(&BTreeSet::from([store]))
        .await?;
    same("the last sequence", &last, &[(store, 5_000_000_003)].into())?;
    let first = place(&mut shop, store, "T-4").await?;
    let second = place(&mut shop, store, "T-5").await?;
    let elsewhere = place(&mut shop, other, "T-2").await?;
    let numbers = [&first, &second, &elsewhere].map(|order| order.service_order_id.number);
    same("numbers", &numbers, &[1004, 1005, 2])?;
    let all = sequences(&shop, store).await?;
    same(
        "sequences",
        &all,
        &vec![1, 2, 3, 5_000_000_004, 5_000_000_005],
    )?;
    same(
        "the other store",
        &sequences(&shop, other).await?,
        &vec![1, 2],
    )
}

async fn the_first_event_behind_a_gap_is_found(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let store = shop.store;
    let feed = shop.adapters.feed.clone();
    same("of no event", &feed.first_after(store, 0).await?, &None)?;
    place(&mut shop, store, "T-1").await?;
    place(&mut shop, store, "T-2").await?;
    skip(&shop, store, 1).await?;
    same(
        "before the next order",
        &feed.first_after(store, 2).await?,
        &None,
    )?;
    place(&mut shop, store, "T-3").await?;
    let behind = 5_000_000_003;
    for (after, expected) in [
        (0, Some(1)),
        (1, Some(2)),
        (2, Some(behind)),
        (700, Some(behind)),
        (behind - 1, Some(behind)),
        (behind, None),
    ] {
        let what = format!("after {after}");
        same(&what, &feed.first_after(store, after).await?, &expected)?;
    }
    Ok(())
}

async fn counters_are_skipped_once_for_a_restore(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let store = shop.store;
    place(&mut shop, store, "T-1").await?;
    let first = skip(&shop, store, 1).await?;
    same("repeated", &skip(&shop, store, 1).await?, &first)?;
    let order = place(&mut shop, store, "T-2").await?;
    same("the number", &order.service_order_id.number, &1002)?;
    same("after an order", &skip(&shop, store, 1).await?, &first)?;
    let second = skip(&shop, store, 2).await?;
    same("another restore", &second.numbers.after, &1002)?;
    let order = place(&mut shop, store, "T-3").await?;
    same("the number", &order.service_order_id.number, &2003)
}

async fn an_order_gets_a_new_version_after_a_restore(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let store = shop.store;
    let placed = place(&mut shop, store, "T-1").await?;
    let held_before = hold(&shop, &placed).await?;
    skip(&shop, store, 1).await?;
    // A change that was decided before the restore.
    let stale = update(&shop.orders, &released(&held_before)?).await;
    is_stale("a change from before the restore", stale)?;
    let restored = shop
        .all(store)
        .await?
        .pop()
        .ok_or_else(|| CaseError::new("no order"))?;
    same("the version", &restored.state.version, &72)?;
    let changed = update(&shop.orders, &released(&restored)?).await?;
    same("the next version", &changed.state.version, &73)?;
    let (id, latest) = (changed.content.id, changed.state.last_sequence);
    let events = shop.orders.events(store, id, latest, 9).await?;
    let versions: Vec<u32> = events.iter().map(|event| event.event.version).collect();
    same("versions of events", &versions, &vec![73, 2, 1])?;
    for (version, expected) in [(73, &changed), (2, &held_before), (1, &placed)] {
        let what = format!("version {version}");
        same(&what, &at_version(&changed, &events, version)?, expected)?;
    }
    holds(
        "a skipped version",
        at_version(&changed, &events, 40).is_err(),
    )
}

async fn batch_numbers_are_skipped_once_for_a_restore(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    for (skipped_for, expected) in [(None, 1), (Some(1), 102), (Some(1), 103), (Some(2), 204)] {
        if let Some(millis) = skipped_for {
            let restore = restore(millis);
            // A repeated command opens the restore only once.
            if adapters.restored.opened().await? != Some(restore) {
                adapters.restored.open(&restore).await?;
            }
            adapters.restored.skip_shared(&restore).await?;
        }
        let items = places(random, 1);
        let batch = new_batch(random, items);
        let header = stored(&adapters.batches, &batch).await?;
        same("the number", &header.number.get(), &expected)?;
    }
    Ok(())
}

async fn a_restore_is_finished_with_the_shared_counters(adapters: Adapters) -> CaseResult {
    let restored = &adapters.restored;
    for millis in [1, 2] {
        let restore = restore(millis);
        restored.open(&restore).await?;
        let is_finished = restored.is_finished(&restore).await?;
        holds("shared counters are not skipped yet", !is_finished)?;
        restored.skip_shared(&restore).await?;
        let is_finished = restored.is_finished(&restore).await?;
        holds("shared counters are skipped", is_finished)?;
    }
    Ok(())
}

async fn sessions_end_with_a_restore(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let operator = operator(&adapters, random, "ann").await?;
    let session = random.session(operator.id, NOW);
    opened(&adapters, random, &session).await?;
    adapters.restored.open(&restore(1)).await?;
    adapters.restored.skip_shared(&restore(1)).await?;
    let found = adapters.sessions.find(session.digest).await?;
    holds("the session ended", found.is_none())?;
    // A session after the restore stays open when the command is repeated.
    let later = random.session(operator.id, NOW);
    opened(&adapters, random, &later).await?;
    adapters.restored.skip_shared(&restore(1)).await?;
    let found = adapters.sessions.find(later.digest).await?;
    holds("the later session is open", found.is_some())
}

async fn an_identity_is_recorded(adapters: Adapters) -> CaseResult {
    let restored = adapters.restored;
    let at_first = restored.identities().await?;
    same("at first", &at_first.recorded, &None)?;
    for identity in ["one", "two"] {
        restored.record_identity(identity).await?;
        let identities = restored.identities().await?;
        same("recorded", &identities.recorded.as_deref(), &Some(identity))?;
        same(
            "the present identity",
            &identities.present,
            &at_first.present,
        )?;
    }
    Ok(())
}
