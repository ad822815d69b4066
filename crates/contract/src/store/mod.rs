//! Cases about a directory of stores.

mod sealing;
mod signer;

use pressline_domain::store::{KeyUses, StoreRecord};
use pressline_domain::value::{Currency, KeyId, StoreId, Timestamp};

use crate::at_once::winners;
use crate::check::{is_duplicate, is_stale, same};
use crate::random::Random;
use crate::samples::{NOW, at};
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) use sealing::{BROKEN, CASES as SEALING, OTHER, Sealing};
pub(crate) use signer::CASES as SIGNER;

pub(crate) const CASES: &[Case] = cases![
    an_added_store_is_found_as_given,
    a_prefix_is_unique,
    of_concurrent_adds_of_a_prefix_one_wins,
    an_unknown_store_is_none,
    a_store_is_found_by_its_prefix,
    stores_are_listed_oldest_first,
    a_stale_store_change_is_refused,
    a_store_change_replaces_its_keys,
    a_store_stays_what_it_was_created_as,
    of_concurrent_store_changes_one_wins,
    the_latest_use_of_a_key_is_kept,
    uses_of_unknown_keys_are_ignored,
];

/// Number of concurrent calls.
const CONCURRENT_CALLS: usize = 12;

/// Checks that the directory finds `record` as it is.
async fn is_stored(adapters: &Adapters, what: &str, record: &StoreRecord) -> CaseResult {
    let found = adapters.stores.find(record.store.id).await?;
    same(what, &found.as_ref(), &Some(record))
}

async fn is_unknown(adapters: &Adapters, what: &str, store: StoreId) -> CaseResult {
    same(what, &adapters.stores.find(store).await?, &None)
}

async fn an_added_store_is_found_as_given(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    for number in 0..20 {
        let mut record = random.store(&format!("SHOP{number}"))?;
        if number == 0 {
            record.keys.clear();
        } else if number % 2 == 0 {
            record.keys.push(random.key(at(0)));
        }
        adapters.stores.add(&record).await?;
        let found = adapters.stores.find(record.store.id).await?;
        same(&format!("store {number} ({random})"), &found, &Some(record))?;
    }
    Ok(())
}

async fn a_prefix_is_unique(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let first = random.store("SHOP")?;
    let second = random.store("SHOP")?;
    let longer = random.store("SHOP2")?;
    adapters.stores.add(&first).await?;
    is_duplicate("the same prefix", adapters.stores.add(&second).await)?;
    is_unknown(&adapters, "the refused store", second.store.id).await?;
    is_stored(&adapters, "the store that has it", &first).await?;
    Ok(adapters.stores.add(&longer).await?)
}

async fn of_concurrent_adds_of_a_prefix_one_wins(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut calls = Vec::new();
    for _ in 0..CONCURRENT_CALLS {
        let (record, stores) = (random.store("SHOP")?, adapters.stores.clone());
        calls.push(async move { stores.add(&record).await.map(|()| record) });
    }
    let added = winners(calls, |refused| is_duplicate("the same prefix", refused)).await?;
    same("stores added", &added.len(), &1)?;
    same("stores listed", &adapters.stores.list().await?, &added)
}

async fn an_unknown_store_is_none(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let unknown = StoreId::new(random.uuid());
    is_unknown(&adapters, "in an empty directory", unknown).await?;
    same("the list", &adapters.stores.list().await?, &Vec::new())?;
    adapters.stores.add(&random.store("SHOP")?).await?;
    is_unknown(&adapters, "next to another", unknown).await
}

async fn a_store_is_found_by_its_prefix(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let prefixes = ["SHOP", "SHOP2", "SHO"];
    let mut records = Vec::new();
    for prefix in prefixes {
        let record = random.added_store(&adapters.stores, prefix).await?;
        records.push(record);
    }
    for record in records {
        let store = record.store;
        let found = adapters.stores.with_prefix(&store.prefix).await?;
        same("the store", &found, &Some(store))?;
    }
    let unknown = adapters.stores.with_prefix(&"SH".parse()?).await?;
    same("a prefix of no store", &unknown, &None)
}

async fn stores_are_listed_oldest_first(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut records = Vec::new();
    for number in 0..12 {
        let mut record = random.store(&format!("SHOP{number}"))?;
        // Some stores have the same creation time and are then sorted by id.
        record.store.created_at = Timestamp::from_millis(NOW - i64::try_from(random.below(6))?);
        adapters.stores.add(&record).await?;
        records.push(record);
    }
    records.sort_by_key(|record| (record.store.created_at, record.store.id));
    same(
        &format!("the list ({random})"),
        &adapters.stores.list().await?,
        &records,
    )
}

async fn a_stale_store_change_is_refused(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let record = random.added_store(&adapters.stores, "SHOP").await?;
    let mut change = record.clone();
    change.store.name = "Another name".to_owned();
    change.keys.clear();
    // The stored version is 1.
    for wrong in [0, 2, u32::MAX - 1] {
        change.version = wrong + 1;
        is_stale(
            &format!("version {wrong}"),
            adapters.stores.replace(&change, wrong).await,
        )?;
    }
    is_stored(&adapters, "the store", &record).await?;
    let unknown = random.store("OTHER")?;
    is_stale(
        "an unknown store",
        adapters.stores.replace(&unknown, 1).await,
    )?;
    is_unknown(&adapters, "the unknown store", unknown.store.id).await
}

async fn a_store_stays_what_it_was_created_as(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    for (prefix, test) in [("LIVE", false), ("TEST", true)] {
        let mut record = random.store(prefix)?;
        record.store.test = test;
        adapters.stores.add(&record).await?;
        // Neither the prefix nor the test flag may change.
        let mut change = record.clone();
        change.store.test = !test;
        change.store.prefix = "OTHER".parse()?;
        change.store.name = "Another name".to_owned();
        change.version = 2;
        adapters.stores.replace(&change, 1).await?;
        let found = adapters.stores.find(record.store.id).await?;
        let found = found.map(|found| (found.store.name, found.store.prefix, found.store.test));
        let wanted = (change.store.name, record.store.prefix, test);
        same("name, prefix, test", &found, &Some(wanted))?;
    }
    Ok(())
}

async fn a_store_change_replaces_its_keys(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut record = random.store("SHOP")?;
    let other = random.store("OTHER")?;
    adapters.stores.add(&record).await?;
    adapters.stores.add(&other).await?;
    for keys in [2, 1, 0, 2] {
        let expected = record.version;
        record.version += 1;
        record.store.name = random.text();
        record.store.currency = "KWD".parse().unwrap_or(Currency::USD);
        record.store.enabled = !record.store.enabled;
        let settings = &mut record.store.settings;
        settings.strict_catalog = !settings.strict_catalog;
        settings.require_timestamp = random.one_in(2);
        settings.allow_unsigned_search = random.one_in(2);
        settings.slip_note = random.one_in(2).then(|| random.text());
        // Keeps at most one of the previous keys, and fills up with new keys.
        record.keys.drain(..record.keys.len().saturating_sub(1));
        record.keys.truncate(keys);
        for later in (0..).take(keys.saturating_sub(record.keys.len())) {
            let created_at = at(i64::from(record.version) * 10 + later);
            record.keys.push(random.key(created_at));
        }
        adapters.stores.replace(&record, expected).await?;
        let found = adapters.stores.find(record.store.id).await?;
        same(
            &format!("with {keys} keys ({random})"),
            &found,
            &Some(record.clone()),
        )?;
    }
    is_stored(&adapters, "the other store", &other).await
}

async fn of_concurrent_store_changes_one_wins(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let record = random.added_store(&adapters.stores, "SHOP").await?;
    let mut calls = Vec::new();
    for number in 0..CONCURRENT_CALLS {
        let mut change = record.clone();
        change.store.name = format!("Shop {number}");
        change.keys = vec![random.key(at(0))];
        change.version = 2;
        let stores = adapters.stores.clone();
        calls.push(async move { stores.replace(&change, 1).await.map(|()| change) });
    }
    let refused = |refused| is_stale("a change that came later", refused);
    let won = winners(calls, refused).await?;
    same("changes that won", &won.len(), &1)?;
    same("the store", &adapters.stores.list().await?, &won)
}

async fn the_latest_use_of_a_key_is_kept(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut records = Vec::new();
    for prefix in ["SHOP", "OTHER"] {
        let mut record = random.store(prefix)?;
        record.keys = vec![random.key(at(0)), random.key(at(1))];
        adapters.stores.add(&record).await?;
        records.push(record);
    }
    // Each call has a use of each key. Uses may arrive out of order.
    let minutes = [[2, 4, 0, 9], [5, 3, 0, 9], [5, 8, 1, 9], [3, 7, 2, 9]];
    for of_keys in minutes {
        let keys = records.iter().flat_map(key_names);
        let uses = keys.zip(of_keys.map(|minute| at(minute * 60_000)));
        adapters.stores.note_key_uses(&uses.collect()).await?;
    }
    // A change based on a record that was read before the uses.
    for record in &records {
        adapters.stores.replace(record, 1).await?;
    }
    let latest = [5, 8, 2, 9].map(|minute| Some(at(minute * 60_000)));
    let keys = records.iter_mut().flat_map(|record| &mut record.keys);
    keys.zip(latest)
        .for_each(|(key, minute)| key.last_used_at = minute);
    for record in &mut records {
        record.version = 2;
        is_stored(&adapters, "a store with used keys", record).await?;
    }
    Ok(())
}

fn key_names(record: &StoreRecord) -> impl Iterator<Item = (StoreId, KeyId)> {
    let store = record.store.id;
    record.keys.iter().map(move |key| (store, key.id))
}

async fn uses_of_unknown_keys_are_ignored(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let (mut record, other) = (random.store("SHOP")?, random.store("OTHER")?);
    record.keys = vec![random.key(at(0))];
    adapters.stores.add(&record).await?;
    adapters.stores.add(&other).await?;
    let minute = at(5 * 60_000);
    let (store, used) = (record.store.id, key_names(&record));
    let uses = used.flat_map(|(store, key)| {
        let of_another_store = (other.store.id, key);
        [(store, key), of_another_store]
    });
    let unknown = (store, KeyId::new(random.uuid()));
    let uses: KeyUses = uses.chain([unknown]).map(|used| (used, minute)).collect();
    adapters.stores.note_key_uses(&uses).await?;
    adapters.stores.note_key_uses(&KeyUses::new()).await?;
    for key in &mut record.keys {
        key.last_used_at = Some(minute);
    }
    is_stored(&adapters, "the store of the key", &record).await?;
    is_stored(&adapters, "another store", &other).await
}
