//! The configuration: embedded defaults, then a file, then the environment.

mod check;
mod console;
mod database_url;
mod egress;
mod listen;
mod schema;
mod sections;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use pressline_host::settings::{Origins, Problem, SettingsError, environment};
use pressline_store_postgres::{check_url, without_password};
use serde::{Deserialize, Serialize};

pub(crate) use egress::{Egress, with_sources};
pub(crate) use schema::SCHEMA;
pub(crate) use sections::{
    Auth, Cluster, Database, Demo, Events, Http, InFlight, Log, Operator, Orders, Production,
    RateLimit, Webhooks,
};

pub(crate) const DEFAULT_FILE: &str = "data/pressline.db";
/// Maximum time that a read or write of a command waits for others, in milliseconds.
const PATIENCE_MS: u64 = 60_000;
pub(crate) const NO_MASTER_KEY: &str = "PostgreSQL needs a master key, which seals the stores' secret keys: set \
    PRESSLINE__AUTH__MASTER_KEY to 64 hex digits (openssl rand -hex 32), or PRESSLINE__AUTH__MASTER_KEY_FILE to a file \
    that holds them";

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) http: Http,
    pub(crate) operator: Operator,
    pub(crate) database: Database,
    pub(crate) auth: Auth,
    pub(crate) rate_limit: RateLimit,
    pub(crate) in_flight: InFlight,
    pub(crate) orders: Orders,
    pub(crate) production: Production,
    pub(crate) events: Events,
    pub(crate) egress: Egress,
    pub(crate) webhooks: Webhooks,
    pub(crate) demo: Demo,
    pub(crate) log: Log,
    /// True if neither the file nor the environment names a database. Only the default database
    /// gets demo data.
    #[serde(skip)]
    pub(crate) is_default_database: bool,
    #[serde(skip)]
    pub(crate) origins: Origins,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Backend {
    Sqlite(PathBuf),
    Postgres(String),
}

impl Settings {
    pub(crate) fn load(file: Option<&Path>) -> Result<Self, SettingsError> {
        let (variables, problems) = environment();
        Self::read(file, variables, problems)
    }

    /// Also checks the files that settings name. The error has all problems.
    pub(crate) fn check_all(file: Option<&Path>) -> Result<Self, SettingsError> {
        let (variables, environment_problems) = environment();
        let (settings, mut problems) = Self::parse(file, variables, environment_problems)?;
        problems.extend(settings.check_environment());
        SettingsError::refuse(problems).map(|()| settings)
    }

    /// Refuses what [`check_all`](Self::check_all) would find besides the problems of
    /// [`load`](Self::load).
    pub(crate) fn require_environment(&self) -> Result<(), SettingsError> {
        SettingsError::refuse(self.check_environment())
    }

    /// Waits longer for the database, as commands should: nobody repeats a failed command.
    pub(crate) fn patient(mut self) -> Self {
        self.database.pool_wait_ms = PATIENCE_MS;
        self.database.backlog_ms = PATIENCE_MS;
        self
    }

    /// Reads the settings. The error lists `problems` and the problems of all settings.
    fn read(
        file: Option<&Path>,
        variables: HashMap<String, String>,
        problems: Vec<Problem>,
    ) -> Result<Self, SettingsError> {
        let (settings, problems) = Self::parse(file, variables, problems)?;
        SettingsError::refuse(problems).map(|()| settings)
    }

    /// Adds the problems to `problems`. A setting with a value of the wrong type has its default.
    fn parse(
        file: Option<&Path>,
        variables: HashMap<String, String>,
        mut problems: Vec<Problem>,
    ) -> Result<(Self, Vec<Problem>), SettingsError> {
        let (mut settings, origins) = SCHEMA.read::<Self>(file, variables, &mut problems)?;
        settings.origins = origins;
        problems.extend(settings.read_url_file());
        settings.is_default_database = settings.origins.is_default("database.url");
        problems.extend(settings.check());
        Ok((settings, problems))
    }

    /// Returns true also if `database.url` is set to [`DEFAULT_FILE`].
    pub(crate) fn names_default_file(&self) -> bool {
        self.backend()
            .is_ok_and(|backend| backend == Backend::Sqlite(PathBuf::from(DEFAULT_FILE)))
    }

    pub(crate) fn backend(&self) -> Result<Backend, SettingsError> {
        let url = self.database.url.trim();
        let wrong = |problem| Err(SettingsError::new("database.url", problem));
        match url.split_once("://") {
            Some(("sqlite", path)) => match database_url::sqlite_problem(path) {
                Some(problem) => Err(SettingsError::new("database.url", problem)),
                None => Ok(Backend::Sqlite(PathBuf::from(path))),
            },
            None if url.starts_with("sqlite:") => wrong(database_url::SQLITE_FORM),
            // Here, because libpq's message would quote the unreadable part of the URL, which may
            // belong to the password.
            Some(("postgres" | "postgresql", _)) => match check_url(url) {
                Ok(()) => Ok(Backend::Postgres(url.to_owned())),
                Err(problem) => Err(SettingsError::new("database.url", problem)),
            },
            _ => wrong("begins neither with sqlite:// nor with postgres://"),
        }
    }

    pub(crate) fn masked(&self) -> Self {
        const MASK: &str = "********";
        let mut shown = self.clone();
        let auth = &mut shown.auth;
        for key in [&mut auth.master_key, &mut auth.previous_master_key] {
            if !key.is_empty() {
                MASK.clone_into(key);
            }
        }
        shown.database.url = without_password(&self.database.url, MASK);
        shown
    }
}
