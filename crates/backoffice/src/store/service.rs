//! Use cases of the store administration: creating and changing stores, and rotating their keys.

use std::sync::Arc;

use crate::audit::{AuditAction, AuditRecorder, audited};
use crate::store::StoreChange;
use pressline_domain::check::Report;
use pressline_domain::error::RepositoryError;
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::store::{
    KeyIssuer, KeyOwner, LIVE_KEYS, MasterKeyId, ResealReport, SealError, SecretKey, Store,
    StoreDirectory, StoreKey, StoreRecord, StoreSettings, StoresByPrefix,
};
use pressline_domain::value::{Currency, KeyId, Prefix, StoreId};
use pressline_kit::boxed;

type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Maximum number of generated prefixes to try before the caller must choose one.
const PREFIX_ATTEMPTS: u32 = 100;
/// A concurrent change, or a rotation of the master key, makes an attempt fail.
const ATTEMPTS: usize = 5;
const NAME: usize = 255;

/// Values with which a new store is created.
#[derive(Debug, Clone)]
pub struct NewStore {
    /// Display name, 1 to 255 characters.
    pub name: String,
    /// Prefix of the order numbers; `None` generates a prefix from `name`.
    pub prefix: Option<Prefix>,
    /// Currency of the orders.
    pub currency: Currency,
    /// `true` for a test store: its orders are not produced.
    pub test: bool,
    /// Settings that can be changed later, such as `cooling_off_seconds`.
    pub settings: StoreSettings,
}

/// Store with a new key. The `secret` cannot be read again later.
#[derive(Debug, Clone)]
pub struct StoreWithSecret {
    /// Store with its live keys.
    pub record: StoreRecord,
    /// Id of the new key.
    pub key_id: KeyId,
    /// Secret of the new key in plain text, to be shown once.
    pub secret: SecretKey,
}

/// Error of the store administration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No store has this id.
    #[error("there is no store {0}")]
    NotFound(StoreId),
    /// The store has no live key with this id.
    #[error("the store has no live key {0}")]
    NoSuchKey(KeyId),
    /// The store was changed since it was read.
    #[error("the store is at version {current}; read it again before you change it")]
    VersionConflict {
        /// Current version of the store.
        current: u32,
    },
    /// Another store uses the prefix.
    #[error("another store has the prefix {0}; choose another prefix")]
    PrefixTaken(Prefix),
    /// The name is empty, too long, or contains control characters.
    #[error("the store's name must have 1 to {NAME} characters")]
    Name,
    /// The request has invalid fields.
    #[error("the request has invalid fields")]
    Invalid(Report),
    /// The operator has access to some stores only, and so cannot create a store.
    #[error("this operator is bound to some stores and cannot create others")]
    Bound,
    /// The key could not be created, or the current master key is not configured.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// A query failed.
    #[error("the store directory failed")]
    Repository(#[from] RepositoryError),
}

/// Administers stores and their keys.
#[derive(Clone)]
pub struct StoreAdmin {
    directory: Arc<dyn StoreDirectory>,
    issuer: Arc<dyn KeyIssuer>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    by_prefix: Arc<StoresByPrefix>,
    recorder: AuditRecorder,
}

audited!(StoreAdmin);

impl StoreAdmin {
    /// Creates the service over `directory`. `issuer` creates keys; `ids` generates all ids.
    pub fn new(
        directory: Arc<dyn StoreDirectory>,
        issuer: Arc<dyn KeyIssuer>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
    ) -> Self {
        let by_prefix = StoresByPrefix::new(directory.clone(), clock.clone());
        Self {
            directory,
            issuer,
            clock,
            ids,
            by_prefix: Arc::new(by_prefix),
            recorder: AuditRecorder::default(),
        }
    }

    /// Creates the store `new` with its first key.
    ///
    /// # Errors
    /// [`StoreError::Name`] if the name is invalid, and [`StoreError::PrefixTaken`] if the given
    /// prefix is taken or all generated prefixes are.
    #[boxed]
    pub async fn create(&self, new: NewStore) -> Result<StoreWithSecret> {
        checked_name(&new.name)?;
        let now = self.clock.now();
        let id = StoreId::new(self.ids.next(now));
        let (mut key, mut secret) = self.issue(id).await?;
        let subject = format!("{id} {}", new.name);
        // Recorded first: a change that cannot be recorded must not be made.
        let action = AuditAction::StoreCreated;
        self.recorder.record(action, subject).await?;
        let made = new.prefix.is_none();
        let first = new.prefix.unwrap_or_else(|| Prefix::from_name(&new.name));
        let mut record = StoreRecord {
            store: Store {
                id,
                name: new.name,
                prefix: first.clone(),
                currency: new.currency,
                test: new.test,
                settings: new.settings,
                enabled: true,
                created_at: now,
            },
            keys: vec![key.clone()],
            version: 1,
        };
        let mut reissued = 0;
        let mut attempt = 2;
        while attempt <= PREFIX_ATTEMPTS + 1 {
            match self.directory.add(&record).await {
                Ok(()) => {
                    return Ok(StoreWithSecret {
                        record,
                        key_id: key.id,
                        secret,
                    });
                }
                // A generated prefix is taken: try the next number.
                Err(RepositoryError::Duplicate(_)) if made => {
                    record.store.prefix = first.numbered(attempt);
                    attempt += 1;
                }
                // A prefix chosen by the caller is never replaced.
                Err(RepositoryError::Duplicate(_)) => break,
                // The master key was rotated after the key was created.
                Err(RepositoryError::Stale) if reissued < ATTEMPTS => {
                    reissued += 1;
                    (key, secret) = self.issue(id).await?;
                    record.keys = vec![key.clone()];
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(StoreError::PrefixTaken(first))
    }

    /// Returns all stores, oldest first.
    #[boxed]
    pub async fn list(&self) -> Result<Vec<StoreRecord>> {
        Ok(self.directory.list().await?)
    }

    /// Returns the prefixes of all stores, including disabled stores.
    pub(crate) async fn prefixes(&self) -> Result<Vec<Prefix>, RepositoryError> {
        let records = self.directory.list().await?.into_iter();
        Ok(records.map(|record| record.store.prefix).collect())
    }

    /// Returns the store `id`.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the store does not exist.
    #[boxed]
    pub async fn show(&self, id: StoreId) -> Result<StoreRecord> {
        self.directory
            .find(id)
            .await?
            .ok_or(StoreError::NotFound(id))
    }

    /// Returns the cache that finds stores by the prefixes of their order numbers.
    pub fn by_prefix(&self) -> &StoresByPrefix {
        &self.by_prefix
    }

    /// Applies `change` to the store `id`.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the store does not exist, [`StoreError::Name`] if the new name
    /// is invalid, and [`StoreError::VersionConflict`] if the store has another version.
    #[boxed]
    pub async fn change(&self, id: StoreId, change: &StoreChange) -> Result<StoreRecord> {
        change.name.as_deref().map_or(Ok(()), checked_name)?;
        let fields = change.fields();
        self.edit(id, (AuditAction::StoreChanged, &fields), |record| {
            let current = record.version;
            if change.version.is_some_and(|expected| expected != current) {
                return Err(StoreError::VersionConflict { current });
            }
            change.apply(&mut record.store);
            Ok(())
        })
        .await
    }

    /// Adds a key to the store `id`. If the store then has more than [`LIVE_KEYS`] live keys, the
    /// oldest key is removed.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the store does not exist.
    #[boxed]
    pub async fn rotate_key(&self, id: StoreId) -> Result<StoreWithSecret> {
        for attempt in 0..ATTEMPTS {
            let mut record = self.show(id).await?;
            if attempt == 0 {
                // Only the first attempt writes an audit entry.
                let action = AuditAction::KeyRotated;
                self.recorder.record(action, subject(&record, "")).await?;
            }
            let expected = record.version;
            // The key is created in each attempt, because the master key may have been rotated.
            let (key, secret) = self.issue(id).await?;
            let key_id = key.id;
            record.keys.push(key);
            // The oldest key comes first.
            let surplus = record.keys.len().saturating_sub(LIVE_KEYS);
            record.keys.drain(..surplus);
            record.version = expected.saturating_add(1);
            match self.directory.replace(&record, expected).await {
                Ok(()) => {
                    return Ok(StoreWithSecret {
                        record,
                        key_id,
                        secret,
                    });
                }
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(RepositoryError::Stale.into())
    }

    /// Revokes the key `key` of the store `id`.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the store does not exist, and [`StoreError::NoSuchKey`] if it
    /// has no live key with this id.
    #[boxed]
    pub async fn revoke_key(&self, id: StoreId, key: KeyId) -> Result<StoreRecord> {
        let revoked = key.to_string();
        self.edit(id, (AuditAction::KeyRevoked, &revoked), |record| {
            let before = record.keys.len();
            record.keys.retain(|live| live.id != key);
            if record.keys.len() < before {
                Ok(())
            } else {
                Err(StoreError::NoSuchKey(key))
            }
        })
        .await
    }

    /// Encrypts all readable keys of stores and secrets of webhook endpoints with the master key
    /// `with`. Returns the numbers of changed, unchanged and unreadable keys and secrets.
    ///
    /// # Errors
    /// [`StoreError::Seal`] if `with` or the current master key is not configured.
    #[boxed]
    pub async fn reseal(&self, with: MasterKeyId) -> Result<ResealReport> {
        // Keys encrypted with an unconfigured master key could not be decrypted again.
        self.issuer.require(with)?;
        let action = AuditAction::MasterKeyRotated;
        self.recorder.record(action, with.to_string()).await?;
        for _ in 0..ATTEMPTS {
            let seals = self.directory.sealing_key().await?;
            if let Some(seals) = seals {
                self.issuer.require(seals)?;
            }
            let issuer = Arc::clone(&self.issuer);
            match self.directory.reseal(seals, with, issuer).await {
                Err(RepositoryError::Stale) => {}
                resealed => return Ok(resealed?),
            }
        }
        Err(RepositoryError::Stale.into())
    }

    /// Checks that the current master key is configured.
    ///
    /// # Errors
    /// [`StoreError::Seal`] if the current master key is not configured. The error contains the ids
    /// of this key and of the configured keys.
    #[boxed]
    pub async fn require_master_key(&self) -> Result<()> {
        match self.directory.sealing_key().await? {
            Some(seals) => Ok(self.issuer.require(seals)?),
            None => Ok(()),
        }
    }

    async fn issue(&self, store: StoreId) -> Result<(StoreKey, SecretKey)> {
        let seals = self.directory.sealing_key().await?;
        let issued = self.issuer.issue(KeyOwner::Store(store), seals)?;
        let created_at = self.clock.now();
        let id = KeyId::new(self.ids.next(created_at));
        let key = StoreKey {
            id,
            sealed: issued.sealed,
            sealed_with: issued.sealed_with,
            created_at,
            last_used_at: None,
        };
        Ok((key, issued.secret))
    }

    async fn edit(
        &self,
        id: StoreId,
        (action, details): (AuditAction, &str),
        edit: impl Fn(&mut StoreRecord) -> Result<()>,
    ) -> Result<StoreRecord> {
        for attempt in 0..ATTEMPTS {
            let mut record = self.show(id).await?;
            let expected = record.version;
            edit(&mut record)?;
            if attempt == 0 {
                self.recorder
                    .record(action, subject(&record, details))
                    .await?;
            }
            record.version = expected.saturating_add(1);
            match self.directory.replace(&record, expected).await {
                Ok(()) => {
                    // This process must not serve the old settings from its cache.
                    self.by_prefix.forget(&record.store.prefix);
                    return Ok(record);
                }
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(RepositoryError::Stale.into())
    }
}

pub(super) fn checked_name(name: &str) -> Result<()> {
    let fits = !name.trim().is_empty()
        && name.chars().count() <= NAME
        && !name.chars().any(char::is_control);
    if fits { Ok(()) } else { Err(StoreError::Name) }
}

fn subject(record: &StoreRecord, details: &str) -> String {
    let store = &record.store;
    let subject = format!("{} {} {details}", store.prefix, store.id);
    subject.trim_end().to_owned()
}
