//! The master keys that the configuration names, and the key file next to an SQLite database.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pressline_auth::{KeyFiles, MasterKey, MasterKeyError, Sealer};
use pressline_backoffice::audit::Author;
use pressline_cli::CommandError;
use pressline_cli::services::{Rotation, Services as _};

use crate::config::{Auth, Backend, NO_MASTER_KEY, Settings};

use super::Adapters;

#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// The configuration names it, or a file that holds it.
    Configured(Auth),
    /// It is in a file next to the database; the configuration may name the previous key.
    NextToDatabase(Auth, KeyFiles),
}

impl Source {
    pub(crate) fn from_settings(settings: &Settings) -> Result<Self, CommandError> {
        let auth = settings.auth.clone();
        if !auth.master_key.is_empty() || !auth.master_key_file.is_empty() {
            return Ok(Self::Configured(auth));
        }
        match settings.backend()? {
            Backend::Sqlite(path) => {
                Ok(Self::NextToDatabase(auth, KeyFiles::new(&key_file(&path))))
            }
            Backend::Postgres(_) => Err(CommandError::Usage(NO_MASTER_KEY.to_owned())),
        }
    }

    /// Returns the master key, and those that a rotation needs as well. Empty where the file next to the
    /// database is missing.
    pub(crate) fn load(&self) -> Result<Vec<MasterKey>, MasterKeyError> {
        let (auth, mut keys) = match self {
            Self::Configured(auth) => (
                auth,
                one(&auth.master_key, &auth.master_key_file)?
                    .into_iter()
                    .collect(),
            ),
            Self::NextToDatabase(auth, files) => (auth, files.load()?),
        };
        // The previous key alone must not pass for the master key.
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

/// Returns what seals and opens the stores' secret keys. Creates the key file next to a database in
/// which nothing is sealed yet.
pub(crate) async fn sealer(adapters: &Adapters) -> Result<Arc<Sealer>, CommandError> {
    let source = Source::from_settings(&adapters.settings)?;
    let mut keys = source.loaded()?;
    if let (true, Source::NextToDatabase(_, files)) = (keys.is_empty(), &source) {
        let sealed_with = adapters.stores().sealing_key().await?;
        // A new key would open nothing, and would have the name of the file that is to be restored.
        if let Some(id) = sealed_with {
            return Err(CommandError::Usage(format!(
                "the master key file {} is missing; restore the one with the id {id}, which seals the stores' keys",
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
        .with_reload(move || source.load());
    Ok(Arc::new(sealer))
}

fn unusable(error: MasterKeyError) -> CommandError {
    CommandError::configuration("auth: the master key", error)
}

/// `data/pressline.db` has its master key in `data/pressline.db.master-key`.
fn key_file(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".master-key");
    PathBuf::from(name)
}

/// Seals all keys with the configured master key, or with a new key that replaces the file next to the database.
pub(super) async fn rotate(adapters: &Adapters) -> Result<Rotation, CommandError> {
    let admin = adapters.store_admin().await?.by(Author::COMMAND_LINE);
    // The key that seals the database must be known before a new one is created.
    admin.require_master_key().await?;
    let source = Source::from_settings(&adapters.settings)?;
    let current = source.loaded()?.first().map(MasterKey::id);
    let seals = adapters.stores().sealing_key().await?;
    let (master_key, report, previous_key_file) = match (&source, current) {
        // The file's key seals: it is to be replaced. Where it does not seal yet, it is the new key
        // itself; where the next one seals already, an earlier rotation was interrupted.
        (Source::NextToDatabase(_, files), Some(id))
            if seals.is_none_or(|seals| seals == id) || files.is_begun() =>
        {
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
