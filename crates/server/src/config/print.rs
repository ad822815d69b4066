//! Shows the configuration without its secrets.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Settings;

const MASK: &str = "********";

impl Settings {
    pub(crate) fn masked(&self) -> Self {
        let mut shown = self.clone();
        let auth = &mut shown.auth;
        for key in [&mut auth.master_key, &mut auth.previous_master_key] {
            if !key.is_empty() {
                MASK.clone_into(key);
            }
        }
        shown.database.url = without_password(&self.database.url);
        shown
    }

    /// Returns each setting by its key, with value and origin. Secrets are masked.
    pub(crate) fn with_origins(&self) -> Result<BTreeMap<String, Setting>, toml::ser::Error> {
        let sections = toml::Value::try_from(self.masked())?;
        let setting = |(key, origin): (&String, &super::Origin)| {
            let (section, name) = key.split_once('.')?;
            let value = sections.get(section)?.get(name)?.clone();
            let origin = origin.to_string();
            Some((key.clone(), Setting { value, origin }))
        };
        Ok(self.origins.iter().filter_map(setting).collect())
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Setting {
    value: toml::Value,
    /// `default`, a file path, or the name of an environment variable.
    origin: String,
}

/// Formats `settings` as TOML, one per line, each with its origin in a comment.
pub(crate) fn lines(settings: &BTreeMap<String, Setting>) -> String {
    // Wider values do not push all comments to the right.
    const WIDEST: usize = 60;
    let assignment = |(key, setting): (&String, &Setting)| format!("{key} = {}", setting.value);
    let assignments: Vec<String> = settings.iter().map(assignment).collect();
    let lengths = assignments.iter().map(|text| text.chars().count());
    let width = lengths.filter(|length| *length <= WIDEST).max();
    let width = width.unwrap_or(0);
    let lines = assignments
        .iter()
        .zip(settings.values())
        .map(|(text, setting)| format!("{text:<width$}  # {}", setting.origin));
    lines.collect::<Vec<_>>().join("\n")
}

pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (before_query, query) = rest
        .split_once('?')
        .map_or((rest, None), |(path, query)| (path, Some(query)));
    // The last `@` ends the credentials, because a password may contain `@`.
    let shown = match before_query.rsplit_once('@') {
        Some((credentials, host)) => {
            let user = credentials.split(':').next().unwrap_or_default();
            let password = if credentials.contains(':') {
                format!(":{MASK}")
            } else {
                String::new()
            };
            format!("{scheme}://{user}{password}@{host}")
        }
        None => format!("{scheme}://{before_query}"),
    };
    // libpq also accepts the password as a parameter.
    let Some(query) = query else { return shown };
    let query: Vec<String> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((key, _))
                if key.eq_ignore_ascii_case("password")
                    || key.eq_ignore_ascii_case("sslpassword") =>
            {
                format!("{key}={MASK}")
            }
            _ => pair.to_owned(),
        })
        .collect();
    format!("{shown}?{}", query.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_masked_wherever_they_stand() {
        for (url, shown) in [
            ("postgres://u:secret@h:5/db", "postgres://u:********@h:5/db"),
            (
                "postgres://u@h/db?password=secret&sslmode=require",
                "postgres://u@h/db?password=********&sslmode=require",
            ),
            ("postgres://u:p@ss@h/db", "postgres://u:********@h/db"),
            ("sqlite://data/pressline.db", "sqlite://data/pressline.db"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
