//! Sealing all keys of all stores with another master key, page by page within one transaction.

use pressline_domain::error::RepositoryError;
use pressline_domain::store::{KeyIssuer, MasterKeyId, ResealReport};

use super::row::KeyRow;

/// Stores whose keys are in memory at once. Two keys of 100 bytes each make some 50 KB a page.
const PAGE: i64 = 200;

/// The keys of all stores, within a transaction that keeps other writers of keys out.
pub trait SealedKeys {
    /// What ends the transaction early.
    type Failure: From<RepositoryError>;

    /// The ids of stores that have keys, in ascending order, from after this id, at most `limit`.
    ///
    /// # Errors
    /// As the database fails.
    fn stores(&mut self, after: &str, limit: i64) -> Result<Vec<String>, Self::Failure>;

    /// Gives these stores a new version.
    ///
    /// # Errors
    /// As the database fails.
    fn renew(&mut self, stores: &[String]) -> Result<(), Self::Failure>;

    /// The keys of these stores.
    ///
    /// # Errors
    /// As the database fails.
    fn keys(&mut self, stores: &[String]) -> Result<Vec<KeyRow>, Self::Failure>;

    /// Stores `sealed` and `sealed_with` of a key that is stored.
    ///
    /// # Errors
    /// As the database fails.
    fn update(&mut self, key: &KeyRow) -> Result<(), Self::Failure>;
}

/// Seals all keys with the master key `with` and answers what came of it.
///
/// # Errors
/// What the table answers, and [`RepositoryError::Corrupt`] where a key's row does not hold what it
/// should.
pub fn reseal_all<T: SealedKeys>(
    table: &mut T,
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
) -> Result<ResealReport, T::Failure> {
    let mut report = ResealReport::default();
    let mut after = String::new();
    loop {
        let stores = table.stores(&after, PAGE)?;
        let Some(last) = stores.last() else {
            return Ok(report);
        };
        // Before the keys: this locks the stores, in the order in which a change of one store
        // locks.
        table.renew(&stores)?;
        for mut row in table.keys(&stores)? {
            let (store, key) = row.clone().restore_with_store()?;
            if let Some(sealed) = report.reseal(store, &key, with, issuer) {
                row.sealed = sealed;
                row.sealed_with = with.to_string();
                table.update(&row)?;
            }
        }
        after.clone_from(last);
    }
}
