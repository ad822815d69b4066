//! Seals all keys of stores or of webhook endpoints with another master key, page by page.

use pressline_domain::store::{KeyIssuer, MasterKeyId, ResealReport};

use crate::cold_store::Db;
use crate::failure::Failure;
use crate::sealed_row::SealedRow;

/// Maximum number of stores or webhook endpoints per page. Their keys are in memory at the same
/// time: about 50 KB, with two keys of 100 bytes per owner.
const PAGE: i64 = 200;

/// Seals all keys in the table of `R` with the master key `with`, and counts the outcomes in
/// `report`. A key that cannot be opened stays as it is, and `report` counts it as unreadable.
/// Increments the version of each store or webhook endpoint that owns a key.
pub(crate) fn reseal<R: SealedRow>(
    db: &mut Db<'_>,
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
    report: &mut ResealReport,
) -> Result<(), Failure> {
    let (keys, owner) = (R::KEYS, R::OWNER);
    let owners = format!(
        "SELECT DISTINCT {owner} FROM {keys} WHERE {owner} > :after ORDER BY {owner} LIMIT :limit"
    );
    let mut after = String::new();
    loop {
        let values = [("after", after.clone().into()), ("limit", PAGE.into())];
        let Some(last) = db.load::<String>(&owners, &values)?.pop() else {
            return Ok(());
        };
        reseal_page::<R>(db, (&after, &last), with, issuer, report)?;
        after = last;
    }
}

/// Seals the keys of the owners with ids greater than `after`, up to and including `last`.
fn reseal_page<R: SealedRow>(
    db: &mut Db<'_>,
    (after, last): (&str, &str),
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
    report: &mut ResealReport,
) -> Result<(), Failure> {
    let (keys, owners, owner) = (R::KEYS, R::OWNERS, R::OWNER);
    let range = format!("{owner} > :after AND {owner} <= :last");
    let page = [("after", after.into()), ("last", last.into())];
    // Lock the owners before their keys are read: a change of one owner locks in the same order.
    let lock = format!(
        "UPDATE {owners} SET version = version + 1 WHERE {range} AND {owner} IN (SELECT {owner} FROM {keys})"
    );
    db.execute(&lock, &page)?;
    let rows = db.load::<R>(&format!("SELECT {keys}.* FROM {keys} WHERE {range}"), &page)?;
    let update = format!(
        "UPDATE {keys} SET sealed = :sealed, sealed_with = :sealed_with \
         WHERE {owner} = :owner AND key_id = :key_id"
    );
    for row in rows {
        let [owner, key_id] = row.ids();
        let (of, key) = row.sealed()?;
        let Some(sealed) = report.reseal(of, &key, with, issuer) else {
            // The key could not be opened; `report` contains it now.
            continue;
        };
        db.execute(
            &update,
            &[
                ("sealed", sealed.clone().into()),
                ("sealed_with", with.into()),
                ("owner", owner),
                ("key_id", key_id),
            ],
        )?;
    }
    Ok(())
}
