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

pub(crate) struct SealedKeys {
    keys: &'static str,
    /// Table with the stores or webhook endpoints that own the keys.
    owners: &'static str,
    /// Column with the id of a key's owner, in both tables.
    owner: &'static str,
    read_owner: fn(&str) -> Result<KeyOwner, Source>,
}

pub(crate) const STORE_KEYS: SealedKeys = SealedKeys {
    keys: "store_keys",
    owners: "stores",
    owner: "store_id",
    read_owner: |id| Ok(KeyOwner::Store(id.parse()?)),
};

pub(crate) const WEBHOOK_SECRETS: SealedKeys = SealedKeys {
    keys: "webhook_secrets",
    owners: "webhook_endpoints",
    owner: "endpoint_id",
    read_owner: |id| Ok(KeyOwner::Endpoint(id.parse()?)),
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
    let SealedKeys { keys, owner, .. } = table;
    let owners = format!(
        "SELECT DISTINCT {owner} FROM {keys} WHERE {owner} > :after ORDER BY {owner} LIMIT :limit"
    );
    let mut after = String::new();
    loop {
        let values = [("after", after.clone().into()), ("limit", PAGE.into())];
        let Some(last) = db.load::<String>(&owners, &values)?.pop() else {
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
    let SealedKeys {
        keys,
        owners,
        owner,
        read_owner,
    } = table;
    let range = format!("{owner} > :after AND {owner} <= :last");
    let page = [("after", after.into()), ("last", last.into())];
    // Lock the owners before their keys are read: a change of one owner locks in the same order.
    let lock = format!(
        "UPDATE {owners} SET version = version + 1 WHERE {range} AND {owner} IN (SELECT {owner} FROM {keys})"
    );
    db.execute(&lock, &page)?;
    let select = format!(
        "SELECT {owner}, key_id, sealed, sealed_with, created_at FROM {keys} WHERE {range}"
    );
    let rows = db.load::<KeyRow>(&select, &page)?;
    let update = format!(
        "UPDATE {keys} SET sealed = :sealed, sealed_with = :sealed_with \
         WHERE {owner} = :owner AND key_id = :key_id"
    );
    for (owner, key_id, sealed, sealed_with, created_at) in rows {
        let stored = StoredRow(keys, &[&owner, &key_id]);
        let of = stored.read(table.owner, read_owner(&owner))?;
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
            &update,
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
