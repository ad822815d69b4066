//! Seals all keys of stores or of webhook endpoints with another master key, page by page.

use pressline_domain::error::Source;
use pressline_domain::store::{KeyIssuer, KeyOwner, MasterKeyId, ResealReport, StoreKey};
use pressline_domain::value::Timestamp;

use crate::cold_store::Db;
use crate::corrupt::StoredRow;
use crate::failure::Failure;

/// Maximum number of stores or webhook endpoints per page. Their keys are in memory at the same
/// time: about 50 KB, with two keys of 100 bytes per owner.
const PAGE: i64 = 200;

/// Table of sealed keys, with its statements.
pub(crate) struct SealedKeys {
    table: &'static str,
    /// Column with the id of a key's owner.
    owner: &'static str,
    read_owner: fn(&str) -> Result<KeyOwner, Source>,
    /// Selects the next owners of keys, a page of them.
    owners: &'static str,
    /// Increments the versions of the owners of a page, which also locks them.
    lock: &'static str,
    /// Selects the keys of the owners of a page.
    keys: &'static str,
    /// Replaces a sealed key.
    seal: &'static str,
}

pub(crate) const STORE_KEYS: SealedKeys = SealedKeys {
    table: "store_keys",
    owner: "store_id",
    read_owner: |id| Ok(KeyOwner::Store(id.parse()?)),
    owners: "SELECT DISTINCT store_id FROM store_keys WHERE store_id > :after ORDER BY store_id LIMIT :limit",
    lock: "UPDATE stores
         SET version = version + 1
         WHERE store_id > :after
           AND store_id <= :last
           AND store_id IN (SELECT store_id FROM store_keys)",
    keys: "SELECT store_id, key_id, sealed, sealed_with, created_at
         FROM store_keys
         WHERE store_id > :after
           AND store_id <= :last",
    seal: "UPDATE store_keys
         SET sealed = :sealed, sealed_with = :sealed_with
         WHERE store_id = :owner
           AND key_id = :key_id",
};

pub(crate) const WEBHOOK_SECRETS: SealedKeys = SealedKeys {
    table: "webhook_secrets",
    owner: "endpoint_id",
    read_owner: |id| Ok(KeyOwner::Endpoint(id.parse()?)),
    owners: "SELECT DISTINCT endpoint_id FROM webhook_secrets WHERE endpoint_id > :after ORDER BY endpoint_id LIMIT :limit",
    lock: "UPDATE webhook_endpoints
         SET version = version + 1
         WHERE endpoint_id > :after
           AND endpoint_id <= :last
           AND endpoint_id IN (SELECT endpoint_id FROM webhook_secrets)",
    keys: "SELECT endpoint_id, key_id, sealed, sealed_with, created_at
         FROM webhook_secrets
         WHERE endpoint_id > :after
           AND endpoint_id <= :last",
    seal: "UPDATE webhook_secrets
         SET sealed = :sealed, sealed_with = :sealed_with
         WHERE endpoint_id = :owner
           AND key_id = :key_id",
};

/// Owner id, key id, sealed key, id of its master key, and time of creation.
type KeyRow = (String, String, Vec<u8>, String, i64);

/// A key that cannot be opened stays as it is, and `report` counts it as unreadable. Increments the
/// version of each owner of a key.
pub(crate) fn reseal(
    db: &mut Db<'_>,
    table: &SealedKeys,
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
    report: &mut ResealReport,
) -> Result<(), Failure> {
    let mut after = String::new();
    loop {
        let values = [("after", after.clone().into()), ("limit", PAGE.into())];
        let Some(last) = db.load::<String>(table.owners, &values)?.pop() else {
            return Ok(());
        };
        reseal_page(db, table, (&after, &last), with, issuer, report)?;
        after = last;
    }
}

/// Seals the keys of the owners with ids greater than `after`, up to and including `last`.
fn reseal_page(
    db: &mut Db<'_>,
    table: &SealedKeys,
    (after, last): (&str, &str),
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
    report: &mut ResealReport,
) -> Result<(), Failure> {
    let page = [("after", after.into()), ("last", last.into())];
    // Lock the owners before their keys are read: a change of one owner locks in the same order.
    db.execute(table.lock, &page)?;
    let rows = db.load::<KeyRow>(table.keys, &page)?;
    for (owner, key_id, sealed, sealed_with, created_at) in rows {
        let stored = StoredRow(table.table, &[&owner, &key_id]);
        let of = stored.read(table.owner, (table.read_owner)(&owner))?;
        let key = StoreKey {
            id: stored.read("key_id", key_id.parse())?,
            sealed,
            sealed_with: stored.read("sealed_with", sealed_with.parse())?,
            created_at: Timestamp::from_millis(created_at),
            last_used_at: None,
        };
        let Some(sealed) = report.reseal(of, &key, with, issuer) else {
            continue;
        };
        db.execute(
            table.seal,
            &[
                ("sealed", sealed.into()),
                ("sealed_with", with.into()),
                ("owner", owner.into()),
                ("key_id", key_id.into()),
            ],
        )?;
    }
    Ok(())
}
