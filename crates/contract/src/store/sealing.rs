//! Cases about the master key that seals the keys of stores.

use std::sync::Arc;

use pressline_domain::store::{
    IssuedKey, KeyIssuer, KeyOwner, MasterKeyId, SealError, StoreRecord,
};

use super::{is_stored, is_unknown};
use crate::at_once::winners;
use crate::check::{is_stale, same};
use crate::random::Random;
use crate::samples::{MASTER_KEY, at};
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    the_first_key_decides_the_master_key,
    of_concurrent_first_keys_one_decides,
    a_key_of_another_master_key_is_refused,
    resealing_changes_every_key,
    resealing_makes_earlier_reads_stale,
    resealing_leaves_what_it_cannot_open,
    resealing_from_another_master_key_is_refused,
];

/// Number of concurrent calls.
const CONCURRENT_CALLS: u8 = 12;
pub(crate) const OTHER: MasterKeyId = MasterKeyId::new([2; 8]);

/// Test sealing: appends the id of the master key to a key. Cannot open keys that end with
/// [`BROKEN`].
pub(crate) struct Sealing;

pub(crate) const BROKEN: u8 = 99;

impl KeyIssuer for Sealing {
    fn issue(&self, _: KeyOwner, _: Option<MasterKeyId>) -> Result<IssuedKey, SealError> {
        Err(SealError::Failed {
            reason: "no case issues a key".into(),
            source: None,
        })
    }

    fn reseal(&self, _: KeyOwner, sealed: &[u8], with: MasterKeyId) -> Result<Vec<u8>, SealError> {
        match sealed.last() {
            Some(&BROKEN) => Err(SealError::Failed {
                reason: "broken".into(),
                source: None,
            }),
            _ => Ok([sealed, with.as_bytes()].concat()),
        }
    }

    fn require(&self, _: MasterKeyId) -> Result<(), SealError> {
        Ok(())
    }
}

/// Returns a random store with keys sealed with the master key `id`.
fn sealed_with(
    random: &mut Random,
    prefix: &str,
    id: MasterKeyId,
) -> Result<StoreRecord, crate::CaseError> {
    let mut record = random.store(prefix)?;
    record.keys.iter_mut().for_each(|key| key.sealed_with = id);
    Ok(record)
}

/// Checks the master key that seals the stored keys.
async fn seals(adapters: &Adapters, what: &str, key: Option<MasterKeyId>) -> CaseResult {
    same(what, &adapters.stores.sealing_key().await?, &key)
}

async fn the_first_key_decides_the_master_key(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    seals(&adapters, "before the first key", None).await?;
    let mut keyless = random.store("KEYLESS")?;
    keyless.keys.clear();
    adapters.stores.add(&keyless).await?;
    seals(&adapters, "with a store that has no key", None).await?;
    adapters.stores.add(&random.store("SHOP")?).await?;
    seals(&adapters, "after the first key", Some(MASTER_KEY)).await
}

async fn of_concurrent_first_keys_one_decides(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut calls = Vec::new();
    for number in 0..CONCURRENT_CALLS {
        let record = sealed_with(
            random,
            &format!("SHOP{number}"),
            MasterKeyId::new([number; 8]),
        )?;
        let stores = adapters.stores.clone();
        calls.push(async move { stores.add(&record).await.map(|()| record) });
    }
    let refused = |refused| is_stale("a key of another master key", refused);
    let added = winners(calls, refused).await?;
    same("stores added", &added.len(), &1)?;
    same("stores listed", &adapters.stores.list().await?, &added)?;
    let key = added
        .first()
        .and_then(|record| record.keys.first())
        .map(|key| key.sealed_with);
    seals(&adapters, "the master key that seals", key).await
}

async fn a_key_of_another_master_key_is_refused(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut first = random.added_store(&adapters.stores, "SHOP").await?;
    let second = sealed_with(random, "OTHER", OTHER)?;
    is_stale("a new store", adapters.stores.add(&second).await)?;
    is_unknown(&adapters, "the refused store", second.store.id).await?;

    let mut change = first.clone();
    let mut key = random.key(at(1));
    key.sealed_with = OTHER;
    change.keys.push(key);
    change.version = 2;
    is_stale("a new key", adapters.stores.replace(&change, 1).await)?;
    is_stored(&adapters, "the store", &first).await?;

    // Without any key left, the master key stays decided.
    first.keys.clear();
    first.version = 2;
    adapters.stores.replace(&first, 1).await?;
    seals(&adapters, "the master key that seals", Some(MASTER_KEY)).await
}

/// Uses more stores than a page of the resealing has.
async fn resealing_changes_every_key(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut records = Vec::new();
    for number in 0..450 {
        let mut record = random.store(&format!("S{number}"))?;
        record.store.created_at = at(i64::from(number));
        if number % 3 == 0 {
            record.keys.push(random.key(at(0)));
        } else if number % 50 == 1 {
            record.keys.clear();
        }
        adapters.stores.add(&record).await?;
        records.push(record);
    }
    let report = adapters
        .stores
        .reseal(Some(MASTER_KEY), OTHER, Arc::new(Sealing))
        .await?;
    let mut keys = 0;
    for record in &mut records {
        // Only stores with keys get a new version.
        record.version += u32::from(!record.keys.is_empty());
        for key in &mut record.keys {
            keys += 1;
            key.sealed.extend(OTHER.as_bytes());
            key.sealed_with = OTHER;
        }
    }
    same(
        "the report",
        &(report.resealed, report.unchanged, report.unreadable),
        &(keys, 0, 0),
    )?;
    same("the stores", &adapters.stores.list().await?, &records)?;
    seals(&adapters, "the master key that seals", Some(OTHER)).await?;
    let again = adapters
        .stores
        .reseal(Some(OTHER), OTHER, Arc::new(Sealing))
        .await?;
    same(
        "the second report",
        &(again.resealed, again.unchanged, again.unreadable),
        &(0, keys, 0),
    )
}

async fn resealing_makes_earlier_reads_stale(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut record = random.added_store(&adapters.stores, "SHOP").await?;
    adapters
        .stores
        .reseal(Some(MASTER_KEY), OTHER, Arc::new(Sealing))
        .await?;
    record.store.enabled = false;
    record.version = 2;
    is_stale(
        "a change of what was read before",
        adapters.stores.replace(&record, 1).await,
    )?;
    let found = adapters.stores.find(record.store.id).await?;
    let sealed_with = found.and_then(|found| found.keys.first().map(|key| key.sealed_with));
    same("the key", &sealed_with, &Some(OTHER))
}

async fn resealing_leaves_what_it_cannot_open(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut record = random.store("SHOP")?;
    record
        .keys
        .iter_mut()
        .for_each(|key| key.sealed.push(BROKEN));
    adapters.stores.add(&record).await?;
    random.added_store(&adapters.stores, "OTHER").await?;
    let report = adapters
        .stores
        .reseal(Some(MASTER_KEY), OTHER, Arc::new(Sealing))
        .await?;
    same("the report", &(report.resealed, report.unreadable), &(1, 1))?;
    let named: Vec<_> = report
        .examples
        .iter()
        .map(|(owner, key, _)| (*owner, *key))
        .collect();
    let broken: Vec<_> = record
        .keys
        .iter()
        .map(|key| (KeyOwner::Store(record.store.id), key.id))
        .collect();
    same("the keys that it names", &named, &broken)?;
    record.version = 2;
    is_stored(&adapters, "the store", &record).await?;
    // A key that cannot be opened must not prevent its store from getting a new key.
    let mut key = random.key(at(1));
    key.sealed_with = OTHER;
    record.keys.push(key);
    record.version = 3;
    adapters.stores.replace(&record, 2).await?;
    is_stored(&adapters, "the store with a new key", &record).await
}

async fn resealing_from_another_master_key_is_refused(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let record = random.added_store(&adapters.stores, "SHOP").await?;
    for wrong in [None, Some(OTHER)] {
        is_stale(
            &format!("from {wrong:?}"),
            adapters
                .stores
                .reseal(wrong, OTHER, Arc::new(Sealing))
                .await,
        )?;
    }
    is_stored(&adapters, "the store", &record).await
}
