//! Master keys in the configuration, and the key file next to an SQLite database.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pressline_auth::{KeyFiles, MasterKey, MasterKeyError, Sealer};
use pressline_backoffice::audit::AuditContext;
use pressline_cli::CommandError;
use pressline_cli::services::Rotation;

use crate::config::{Auth, Backend, NO_MASTER_KEY, Settings};

use super::Adapters;

#[derive(Debug)]
pub(crate) struct Source {
    auth: Auth,
    /// `None` if the master key is configured.
    files: Option<KeyFiles>,
}

impl Source {
    pub(crate) fn from_settings(settings: &Settings) -> Result<Self, CommandError> {
        let auth = settings.auth.clone();
        if !auth.master_key.is_empty() || !auth.master_key_file.is_empty() {
            return Ok(Self { auth, files: None });
        }
        match settings.backend()? {
            Backend::Sqlite(path) => {
                let files = Some(KeyFiles::new(&key_file(&path)));
                Ok(Self { auth, files })
            }
            Backend::Postgres(_) => Err(CommandError::Usage(NO_MASTER_KEY.to_owned())),
        }
    }

    /// Returns the master key first, then keys of a rotation; empty if the key file is missing.
    pub(crate) fn load(&self) -> Result<Vec<MasterKey>, MasterKeyError> {
        let auth = &self.auth;
        let mut keys: Vec<MasterKey> = match &self.files {
            Some(files) => files.load()?,
            None => Vec::from_iter(one(&auth.master_key, &auth.master_key_file)?),
        };
        // A previous key alone must not pass for the master key.
        if !keys.is_empty() {
            keys.extend(one(
                &auth.previous_master_key,
                &auth.previous_master_key_file,
            )?);
        }
        Ok(keys)
    }

    pub(crate) fn loaded(&self) -> Result<Vec<MasterKey>, CommandError> {
        self.load().map_err(unusable)
    }
}

fn one(text: &str, file: &str) -> Result<Option<MasterKey>, MasterKeyError> {
    if !text.is_empty() {
        return MasterKey::from_hex(text).map(Some);
    }
    if file.is_empty() {
        Ok(None)
    } else {
        MasterKey::load(Path::new(file)).map(Some)
    }
}

/// Creates a missing key file; returns an error if the database already has sealed keys.
pub(crate) async fn sealer(adapters: &Adapters) -> Result<Arc<Sealer>, CommandError> {
    let source = Source::from_settings(&adapters.settings)?;
    let mut keys = source.loaded()?;
    if let (true, Some(files)) = (keys.is_empty(), &source.files) {
        let sealed_with = adapters.stores().sealing_key().await?;
        // A new key could open nothing, and its file would have the name of the file to restore.
        if let Some(id) = sealed_with {
            return Err(CommandError::Usage(format!(
                "the master key file {} is missing; restore the key with the id {id}, which seals the stores' keys",
                files.path().display()
            )));
        }
        keys.push(MasterKey::create(files.path()).map_err(unusable)?);
    }
    let (first, others) = keys
        .split_first()
        .ok_or_else(|| CommandError::Usage("no master key is configured".into()))?;
    let sealer = Sealer::new(first)
        .with_others(others)
        // A rotation by another process may replace the key file.
        .with_reload(move || source.load());
    Ok(Arc::new(sealer))
}

fn unusable(error: MasterKeyError) -> CommandError {
    CommandError::configuration("auth: the master key", error)
}

/// Returns `data/pressline.db.master-key` for `data/pressline.db`.
fn key_file(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".master-key");
    PathBuf::from(name)
}

pub(crate) async fn rotate(adapters: &Adapters) -> Result<Rotation, CommandError> {
    let admin = adapters.store_admin().await?.by(AuditContext::COMMAND_LINE);
    // The key that seals the database must be known before a new key is created.
    admin.require_master_key().await?;
    let source = Source::from_settings(&adapters.settings)?;
    let current = source.loaded()?.first().map(MasterKey::id);
    let seals = adapters.stores().sealing_key().await?;
    let (master_key, report, previous_key_file) = match (&source.files, current) {
        // The key in the file seals the database, so it is replaced; or an interrupted rotation is
        // continued. A key in the file that does not seal yet is itself the new key.
        (Some(files), Some(id)) if seals.is_none_or(|seals| seals == id) || files.is_begun() => {
            let next = files.begin().map_err(unusable)?.id();
            let report = admin.reseal(next).await?;
            (next, report, files.finish(next).map_err(unusable)?)
        }
        (_, Some(id)) => (id, admin.reseal(id).await?, None),
        (_, None) => return Err(CommandError::Usage("no master key is configured".into())),
    };
    Ok(Rotation {
        master_key,
        report,
        previous_key_file,
    })
}
