//! Checks of values that have the right type.

use std::path::Path;
use std::{fs, io};

use pressline_auth::{MasterKey, SecretFile};
use pressline_domain::store::cooling_off_seconds;
use pressline_host::logging::level;
use pressline_host::settings::{Origin, Problem, SettingsError};

use super::egress::with_sources;
use super::{Backend, NO_MASTER_KEY, Settings};

/// Maximum size of the file of `database.url_file`, in bytes. URLs have some hundred.
const MAX_URL_FILE: u64 = 64 * 1024;

impl Settings {
    pub(super) fn check(&self) -> Vec<Problem> {
        let checks = [
            self.backend().err(),
            one_source(
                "auth.master_key",
                &self.auth.master_key,
                &self.auth.master_key_file,
            ),
            one_source(
                "auth.previous_master_key",
                &self.auth.previous_master_key,
                &self.auth.previous_master_key_file,
            ),
            master_key("auth.master_key", &self.auth.master_key),
            master_key("auth.previous_master_key", &self.auth.previous_master_key),
            self.log_level(),
            self.public_url(),
            self.cooling_off().err(),
            self.production.steps().err(),
            self.egress.operators_urls().err(),
            self.egress.stores_urls().err(),
            self.egress.no_ports(),
            self.http.trusted_proxies().err(),
        ];
        self.located(checks.into_iter().chain(self.addresses()))
    }

    fn located(&self, errors: impl IntoIterator<Item = Option<SettingsError>>) -> Vec<Problem> {
        let errors = errors.into_iter().flatten();
        errors
            .flat_map(|SettingsError(problems)| problems)
            .map(|problem| problem.locate(&self.origins))
            .collect()
    }

    /// Returns a problem if both settings are set, if the file cannot be read, or if others have
    /// access to the URL of a PostgreSQL database, which usually contains a password.
    pub(super) fn read_url_file(&mut self) -> Option<Problem> {
        let file = self.database.url_file.clone();
        if file.is_empty() {
            return None;
        }
        let read = match self.origins.is_default("database.url") {
            true => read_url(&file),
            false => Err("set either database.url or database.url_file, not both".to_owned()),
        };
        match read {
            Ok(url) => {
                self.origins.set("database.url", Origin::File(file));
                // Files usually end with a line break.
                url.trim().clone_into(&mut self.database.url);
                None
            }
            Err(problem) => {
                let problem = Problem::new("database.url_file", problem);
                Some(problem.locate(&self.origins))
            }
        }
    }

    /// Checks the files and addresses that settings name, and that PostgreSQL has a master key.
    /// `serve` and `config check` call it, so that both refuse the same settings.
    pub(super) fn check_environment(&self) -> Vec<Problem> {
        let auth = &self.auth;
        let key = |name, path: &String| {
            let loaded = (!path.is_empty()).then(|| MasterKey::load(Path::new(path)));
            Some(SettingsError::new(name, with_sources(&loaded?.err()?)))
        };
        let checks = [
            key("auth.master_key_file", &auth.master_key_file),
            key(
                "auth.previous_master_key_file",
                &auth.previous_master_key_file,
            ),
            self.egress.no_authorities(),
            self.no_master_key(),
            self.no_file(),
        ];
        self.located(checks.into_iter().chain(self.unusable_addresses()))
    }

    fn no_master_key(&self) -> Option<SettingsError> {
        let is_set = !self.auth.master_key.is_empty() || !self.auth.master_key_file.is_empty();
        // SQLite has a key file next to the database instead.
        let is_needed = matches!(self.backend(), Ok(Backend::Postgres(_)));
        (is_needed && !is_set).then(|| SettingsError::new("auth.master_key", NO_MASTER_KEY))
    }

    /// Returns a problem if the path of the SQLite file is a folder, or runs through a file.
    fn no_file(&self) -> Option<SettingsError> {
        let Ok(Backend::Sqlite(path)) = self.backend() else {
            return None;
        };
        let reason = match fs::metadata(&path) {
            Ok(file) if file.is_dir() => "is a folder; add the name of a file".to_owned(),
            Ok(file) if !file.is_file() => "is not an ordinary file".to_owned(),
            // `pressline migrate` creates a missing file.
            Err(error) if error.kind() != io::ErrorKind::NotFound => error.to_string(),
            _ => return None,
        };
        let problem = format!("{} {reason}", path.display());
        Some(SettingsError::new("database.url", problem))
    }

    fn log_level(&self) -> Option<SettingsError> {
        level::problem(&self.log.level).map(|problem| SettingsError::new("log.level", problem))
    }

    /// Returns the cooling-off window of stores without a setting of their own, in seconds.
    pub(crate) fn cooling_off(&self) -> Result<u32, SettingsError> {
        let text = &self.orders.cooling_off;
        cooling_off_seconds(text).map_err(|error| {
            SettingsError::new("orders.cooling_off", format!("`{text}` is {error}"))
        })
    }
}

/// Reads the file of `database.url_file`, up to [`MAX_URL_FILE`] bytes.
fn read_url(file: &str) -> Result<String, String> {
    let secret = SecretFile::read(Path::new(file), MAX_URL_FILE)
        .map_err(|error| format!("{file}: {error}"))?;
    let url = str::from_utf8(&secret.content).map_err(|_| format!("{file}: is not UTF-8"))?;
    match secret.exposed {
        Some(exposed) if !url.trim().starts_with("sqlite://") => Err(format!("{file} {exposed}")),
        _ => Ok(url.to_owned()),
    }
}

/// Returns a problem if `text`, the value of the setting `key`, is neither empty nor a master key.
fn master_key(key: &'static str, text: &str) -> Option<SettingsError> {
    if text.is_empty() {
        return None;
    }
    let parsed = MasterKey::from_hex(text);
    parsed.err().map(|error| SettingsError::new(key, error))
}

fn one_source(key: &'static str, text: &str, file: &str) -> Option<SettingsError> {
    let both = !text.is_empty() && !file.is_empty();
    both.then(|| SettingsError::new(key, format!("set either {key} or {key}_file, not both")))
}
