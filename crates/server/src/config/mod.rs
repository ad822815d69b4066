//! The configuration: embedded defaults, then a file, then the environment.

mod check;
mod console;
mod egress;
mod keys;
mod origin;
mod print;
mod problem;
mod production;
mod sections;
mod sources;
#[cfg(test)]
mod tests;
mod types;
mod webhooks;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::Duration;

use origin::Origin;
use problem::{Problem, wrong};
use serde::{Deserialize, Serialize};

pub(crate) use egress::Egress;
pub(crate) use print::lines;
pub(crate) use problem::ConfigError;
pub(crate) use production::Production;
pub(crate) use sections::{
    Auth, Database, Demo, Distribution, Events, Http, Log, Operator, Orders, RateLimit,
};
pub(crate) use types::DEFAULTS;
pub(crate) use webhooks::Webhooks;

pub(crate) const DEFAULT_FILE: &str = "data/pressline.db";
/// Maximum time that a read or write of a command waits for other reads and writes, in
/// milliseconds.
const PATIENCE_MS: u64 = 60_000;
pub(crate) const NO_MASTER_KEY: &str = "PostgreSQL needs a master key, which seals the stores' secret keys: set \
    PRESSLINE__AUTH__MASTER_KEY to 64 hex digits (openssl rand -hex 32), or PRESSLINE__AUTH__MASTER_KEY_FILE to a file \
    that holds them";
/// Environment variable that lifts the limits on a store's concurrent calls. Only `cargo xtask
/// bench` sets it, to measure throughput with calls of one store. It is not a setting: it has no
/// default and is not documented. Revisions of the program that do not know this variable refuse to
/// start with it.
const UNBOUNDED: &str = "PRESSLINE__BENCH__UNBOUNDED";

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) http: Http,
    pub(crate) operator: Operator,
    pub(crate) database: Database,
    pub(crate) auth: Auth,
    pub(crate) rate_limit: RateLimit,
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
    /// Maximum time for which writes may be waiting without a break, before further writes fail;
    /// `None` for the default of the database backend.
    #[serde(skip)]
    pub(crate) write_backlog: Option<Duration>,
    /// True if a store's concurrent calls are not limited.
    #[serde(skip)]
    pub(crate) is_unbounded: bool,
    #[serde(skip)]
    origins: BTreeMap<String, Origin>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Backend {
    Sqlite(PathBuf),
    Postgres(String),
}

impl Settings {
    pub(crate) fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        let (mut variables, problems) = environment();
        let is_unbounded = variables.remove(UNBOUNDED).is_some();
        let mut settings = Self::read(file, variables, problems)?;
        if is_unbounded {
            settings.is_unbounded = true;
            settings.write_backlog = Some(Duration::from_millis(PATIENCE_MS));
        }
        Ok(settings)
    }

    /// Checks the files that settings name, too. The error has all problems.
    pub(crate) fn check_all(file: Option<&Path>) -> Result<(), ConfigError> {
        let (mut variables, problems) = environment();
        variables.remove(UNBOUNDED);
        let (settings, mut problems) = Self::parse(file, variables, problems)?;
        problems.extend(settings.check_files());
        refuse(problems)
    }

    /// Returns the settings with longer waits for the database, as commands need them: nobody
    /// repeats a failed command, but stores repeat a failed call.
    pub(crate) fn patient(mut self) -> Self {
        self.database.pool_wait_ms = PATIENCE_MS;
        self.write_backlog = Some(Duration::from_millis(PATIENCE_MS));
        self
    }

    /// Reads the settings. The error lists `problems` and the problems of all settings.
    fn read(
        file: Option<&Path>,
        variables: HashMap<String, String>,
        problems: Vec<Problem>,
    ) -> Result<Self, ConfigError> {
        let (settings, problems) = Self::parse(file, variables, problems)?;
        refuse(problems).map(|()| settings)
    }

    /// Reads the settings, and adds their problems to `problems`. A setting with a value of the
    /// wrong type has its default.
    fn parse(
        file: Option<&Path>,
        variables: HashMap<String, String>,
        mut problems: Vec<Problem>,
    ) -> Result<(Self, Vec<Problem>), ConfigError> {
        let unusable = |error: config::ConfigError| ConfigError(vec![Problem::new("", error)]);
        let values = sources::read(file, variables, &mut problems).map_err(unusable)?;
        let mut settings: Self = sources::sections(&values)
            .try_deserialize()
            .map_err(unusable)?;
        settings.origins = values
            .into_iter()
            .map(|(key, (_, origin))| (key, origin))
            .collect();
        problems.extend(settings.read_url_file());
        settings.is_default_database = settings.is_default("database.url");
        problems.extend(settings.check());
        Ok((settings, problems))
    }

    /// Returns whether no file and no environment variable sets `key`.
    pub(crate) fn is_default(&self, key: &str) -> bool {
        self.origins.get(key) == Some(&Origin::Default)
    }

    /// Returns `true` for the default and for a configured [`DEFAULT_FILE`].
    pub(crate) fn names_default_file(&self) -> bool {
        self.backend()
            .is_ok_and(|backend| backend == Backend::Sqlite(PathBuf::from(DEFAULT_FILE)))
    }

    pub(crate) fn backend(&self) -> Result<Backend, ConfigError> {
        let url = self.database.url.trim();
        match url.split_once("://") {
            Some(("sqlite", "")) => Err(wrong(
                "database.url",
                "names no file, such as sqlite://data/pressline.db",
            )),
            Some(("sqlite", path)) => Ok(Backend::Sqlite(PathBuf::from(path))),
            // libpq's error quotes the unreadable part of a URL, which may belong to the password.
            Some(("postgres" | "postgresql", _))
                if url.contains(|c: char| c.is_whitespace() || c.is_control()) =>
            {
                Err(wrong(
                    "database.url",
                    "contains a space or a control character; write a space as %20",
                ))
            }
            Some(("postgres" | "postgresql", _)) => Ok(Backend::Postgres(url.to_owned())),
            _ => Err(wrong(
                "database.url",
                "begins neither with sqlite:// nor with postgres://",
            )),
        }
    }
}

/// Leaves out values that are not UTF-8, with a problem for each setting among them.
fn environment() -> (HashMap<String, String>, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut variables = HashMap::new();
    for (name, value) in std::env::vars_os() {
        // A name that is not UTF-8 is not the name of a setting.
        let Ok(name) = name.into_string() else {
            continue;
        };
        match value.into_string() {
            Ok(value) => drop(variables.insert(name, value)),
            Err(_) if keys::of_variable(&name).is_some() => {
                problems.push(Problem::new(&name, "the value is not UTF-8"));
            }
            Err(_) => {}
        }
    }
    (variables, problems)
}

fn refuse(problems: Vec<Problem>) -> Result<(), ConfigError> {
    if problems.is_empty() {
        Ok(())
    } else {
        Err(ConfigError(problems))
    }
}
