//! The configuration: embedded defaults, then a file, then the environment.

mod keys;
mod print;
mod tariff;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use config::{Config, Environment, File, FileFormat};
use pressline_domain::limits;
use serde::{Deserialize, Serialize};

/// The commented defaults: what every key means, and its value where nobody sets another.
pub(crate) const DEFAULTS: &str = include_str!("default.toml");
/// What environment variables begin with; two underscores also part section and key.
const PREFIX: &str = "PRESSLINE";

/// All settings.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    pub(crate) http: Http,
    pub(crate) database: Database,
    pub(crate) auth: Auth,
    pub(crate) rate_limit: RateLimit,
    pub(crate) in_flight: InFlight,
    pub(crate) log: Log,
    pub(crate) shipping: Shipping,
    pub(crate) label: Label,
    /// True where the database is the embedded default, which nobody chose. Only that one gets demo data.
    #[serde(skip)]
    pub(crate) is_default_database: bool,
    /// True where nobody chose shipping rates or fees. Only then the demo brings its own.
    #[serde(skip)]
    pub(crate) has_default_prices: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Http {
    pub(crate) listen: String,
    pub(crate) workers: usize,
    pub(crate) body_deadline_seconds: u64,
    pub(crate) body_budget_bytes: usize,
    pub(crate) shutdown_seconds: u64,
    pub(crate) response_budget_bytes: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Database {
    pub(crate) url: String,
    pub(crate) migrate: bool,
    pub(crate) pool_size: u32,
    pub(crate) pool_wait_ms: u64,
    pub(crate) connect_timeout_ms: u64,
    pub(crate) statement_timeout_ms: u64,
    pub(crate) lock_timeout_ms: u64,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Auth {
    pub(crate) master_key: String,
    pub(crate) master_key_file: String,
    pub(crate) previous_master_key: String,
    pub(crate) previous_master_key_file: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateLimit {
    pub(crate) enabled: bool,
    pub(crate) per_minute: u32,
    pub(crate) burst: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InFlight {
    pub(crate) calls: u32,
    pub(crate) searches: u32,
    pub(crate) waiting: u32,
    pub(crate) wait_ms: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Log {
    pub(crate) level: String,
    pub(crate) format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    Auto,
    Text,
    Json,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shipping {
    pub(crate) currency: String,
    pub(crate) rates: Vec<Rate>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rate {
    pub(crate) class: String,
    #[serde(default)]
    pub(crate) countries: Vec<String>,
    pub(crate) first: String,
    pub(crate) further: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Label {
    pub(crate) handling_fee: BTreeMap<String, String>,
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auth")
            .field("master_key_file", &self.master_key_file)
            .field("previous_master_key_file", &self.previous_master_key_file)
            .finish_non_exhaustive()
    }
}

/// The database that the URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Backend {
    /// A file.
    Sqlite(PathBuf),
    /// The URL as it was given.
    Postgres(String),
}

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// A file is missing, or no TOML, or a value has the wrong type.
    #[error("configuration: {0}")]
    Read(#[from] config::ConfigError),
    /// Keys that do not exist.
    #[error("configuration: {0}")]
    Unknown(String),
    /// A value that cannot be.
    #[error("configuration: {key}: {problem}")]
    Value { key: &'static str, problem: String },
}

fn wrong(key: &'static str, problem: impl fmt::Display) -> ConfigError {
    ConfigError::Value { key, problem: problem.to_string() }
}

impl Settings {
    /// Reads the configuration of this process.
    pub(crate) fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        Self::read(file, None)
    }

    /// Reads the configuration, with other variables than those of the process where given.
    fn read(
        file: Option<&Path>,
        variables: Option<std::collections::HashMap<String, String>>,
    ) -> Result<Self, ConfigError> {
        let environment = Environment::with_prefix(PREFIX)
            .prefix_separator("__")
            .separator("__")
            // Types come from the settings themselves: a guess would make a number of an all-digit key.
            .try_parsing(false)
            .source(variables);
        let mut chosen = Config::builder();
        if let Some(file) = file {
            chosen = chosen.add_source(File::from(file).format(FileFormat::Toml));
        }
        let chosen = chosen.add_source(environment).build()?;
        let defaults = Config::builder().add_source(File::from_str(DEFAULTS, FileFormat::Toml)).build()?;
        keys::check(&chosen, &defaults)?;
        let url_is_chosen = chosen.get_string("database.url").is_ok();
        let prices_are_chosen =
            ["shipping", "label"].iter().any(|section| chosen.get::<config::Value>(section).is_ok());
        let merged = Config::builder().add_source(defaults).add_source(chosen).build()?;
        let mut settings: Self = merged.try_deserialize()?;
        settings.is_default_database = !url_is_chosen;
        settings.has_default_prices = !prices_are_chosen;
        settings.check()?;
        Ok(settings)
    }

    fn check(&self) -> Result<(), ConfigError> {
        self.backend()?;
        self.tariff()?;
        let database = &self.database;
        let in_range = [
            ("database.pool_size", u64::from(database.pool_size), 2, 500),
            ("database.pool_wait_ms", database.pool_wait_ms, 1, 2000),
            ("database.connect_timeout_ms", database.connect_timeout_ms, 1, 60_000),
            ("database.statement_timeout_ms", database.statement_timeout_ms, 1, 600_000),
            ("database.lock_timeout_ms", database.lock_timeout_ms, 1, 600_000),
            ("http.body_deadline_seconds", self.http.body_deadline_seconds, 1, 600),
            // From one body of the largest size to 1 TiB.
            ("http.body_budget_bytes", self.http.body_budget_bytes as u64, limits::BODY as u64, 1 << 40),
            ("http.shutdown_seconds", self.http.shutdown_seconds, 0, 3600),
            ("http.response_budget_bytes", self.http.response_budget_bytes, 1 << 20, 1 << 40),
            ("rate_limit.per_minute", u64::from(self.rate_limit.per_minute), 1, 60_000_000),
            ("rate_limit.burst", u64::from(self.rate_limit.burst), 1, 1_000_000),
            ("in_flight.calls", u64::from(self.in_flight.calls), 1, 10_000),
            ("in_flight.searches", u64::from(self.in_flight.searches), 1, 10_000),
            ("in_flight.waiting", u64::from(self.in_flight.waiting), 0, 10_000),
            ("in_flight.wait_ms", self.in_flight.wait_ms, 0, 2000),
        ];
        for (key, value, least, most) in in_range {
            if !(least..=most).contains(&value) {
                return Err(wrong(key, format!("{value} is not between {least} and {most}")));
            }
        }
        if !self.auth.master_key.is_empty() && !self.auth.master_key_file.is_empty() {
            return Err(wrong("auth.master_key", "set either master_key or master_key_file, not both"));
        }
        if !self.auth.previous_master_key.is_empty() && !self.auth.previous_master_key_file.is_empty() {
            let problem = "set either previous_master_key or previous_master_key_file, not both";
            return Err(wrong("auth.previous_master_key", problem));
        }
        Ok(())
    }

    /// Which database the URL names.
    pub(crate) fn backend(&self) -> Result<Backend, ConfigError> {
        let url = self.database.url.trim();
        match url.split_once("://") {
            Some(("sqlite", "")) => {
                Err(wrong("database.url", "names no file, such as sqlite://data/pressline.db"))
            }
            Some(("sqlite", path)) => Ok(Backend::Sqlite(PathBuf::from(path))),
            Some(("postgres" | "postgresql", _)) => Ok(Backend::Postgres(url.to_owned())),
            _ => Err(wrong("database.url", "begins neither with sqlite:// nor with postgres://")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use pressline_domain::money::{Amount, Currency};
    use pressline_domain::tariff::FeeRule;

    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, ConfigError> {
        let variables: HashMap<String, String> =
            variables.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Settings::read(None, Some(variables))
    }

    #[test]
    fn the_defaults_are_a_whole_configuration() {
        let settings = read(&[]).unwrap();
        assert!(settings.is_default_database && settings.has_default_prices);
        assert_eq!(settings.backend().unwrap(), Backend::Sqlite("data/pressline.db".into()));
        let tariff = settings.tariff().unwrap();
        let label = FeeRule::label_handling(Currency::USD, Amount::from_minor(250).unwrap());
        assert_eq!(tariff.fees.rules, [label]);
        assert_eq!((tariff.shipping.zones.len(), tariff.shipping.rates.len()), (1, 2));
        assert!(!read(&[("PRESSLINE__LABEL__HANDLING_FEE__EUR", "2")]).unwrap().has_default_prices);
    }

    #[test]
    fn the_environment_wins_and_digits_stay_text() {
        let digits = "0".repeat(64);
        let settings = read(&[
            ("PRESSLINE__HTTP__LISTEN", "127.0.0.1:0"),
            ("PRESSLINE__DATABASE__URL", "postgres://localhost/pressline"),
            ("PRESSLINE__AUTH__MASTER_KEY", &digits),
            ("PRESSLINE__RATE_LIMIT__ENABLED", "false"),
            ("PRESSLINE__DATABASE__POOL_SIZE", "3"),
        ])
        .unwrap();
        assert_eq!(settings.auth.master_key, digits);
        assert_eq!(settings.http.listen, "127.0.0.1:0");
        assert!(!settings.rate_limit.enabled && !settings.is_default_database);
        assert_eq!(settings.database.pool_size, 3);
    }

    #[test]
    fn unknown_keys_name_the_nearest_known_one() {
        for (key, nearest) in [
            ("PRESSLINE__HTTP__LISTENN", "http.listen"),
            ("PRESSLINE__RATELIMIT__ENABLED", "rate_limit.enabled"),
            ("PRESSLINE__DATABASE_URL", "database.url"),
        ] {
            let message = read(&[(key, "x")]).unwrap_err().to_string();
            assert!(message.contains(nearest), "{key}: {message}");
        }
    }

    #[test]
    fn values_that_cannot_be_are_refused_by_name() {
        for (key, value, named) in [
            ("PRESSLINE__DATABASE__URL", "mysql://x", "database.url"),
            ("PRESSLINE__DATABASE__POOL_WAIT_MS", "5000", "database.pool_wait_ms"),
            ("PRESSLINE__SHIPPING__CURRENCY", "XXQ", "shipping.currency"),
            ("PRESSLINE__RATE_LIMIT__ENABLED", "maybe", "rate_limit.enabled"),
        ] {
            let message = read(&[(key, value)]).unwrap_err().to_string();
            assert!(message.contains(named), "{key}: {message}");
        }
    }
}
