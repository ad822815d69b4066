//! Checks a database URL and adds the connection parameters that the service needs.

use std::fmt::Write as _;

use crate::PostgresConfig;
use crate::url_syntax::{SECRETS, UrlProblem, check_url};

/// Error of connecting a store: the database URL or the configuration cannot be used, or a thread
/// cannot be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// Not the URL of a PostgreSQL database. The error message does not repeat the URL, because it
    /// may contain a password.
    #[error(
        "not the address of a PostgreSQL database, such as postgres://user:password@host:5432/database"
    )]
    Url(#[from] UrlProblem),
    /// A number or a duration of the configuration is zero, or too large.
    #[error("every size and time must be above zero")]
    Config,
    /// The system cannot start a thread for a connection outside the pool.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::ErrorKind),
}

/// Adds the parameters that every connection needs. Parameters in `url` keep their values.
pub(crate) fn prepared(url: &str, config: &PostgresConfig) -> Result<String, ConnectError> {
    check_url(url)?;
    let seconds = config.connect_timeout.as_millis().div_ceil(1000);
    let lost_after = (config.statement_timeout + config.pool_wait).as_millis();
    let wanted = [
        ("application_name", encoded(&config.application_name)),
        ("connect_timeout", seconds.to_string()),
        // Gives up a server that disappeared without closing the connection. The system's default
        // would wait for hours.
        ("tcp_user_timeout", lost_after.to_string()),
        ("keepalives_idle", "30".to_owned()),
    ];
    let given = url;
    let mut url = given.to_owned();
    let mut separator = match query(given) {
        None => "?",
        Some("") => "",
        Some(_) => "&",
    };
    for (name, value) in wanted
        .iter()
        .filter(|(name, _)| parameter(given, name).is_none())
    {
        url.push_str(separator);
        url.extend([*name, "=", value.as_str()]);
        separator = "&";
    }
    Ok(url)
}

/// Returns the last value of the parameter `name`, still percent-encoded.
pub(crate) fn parameter<'a>(url: &'a str, name: &str) -> Option<&'a str> {
    // A fragment has no meaning here; libpq would read it as part of the last parameter.
    query(url)?
        .split('&')
        .filter_map(|parameter| parameter.split_once('='))
        .rfind(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

/// Returns the parameters of `url`; `None` if it has no `?` after the credentials.
fn query(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let (_, location) = credentials(rest).unwrap_or(("", rest));
    location.split_once('?').map(|(_, query)| query)
}

/// Splits `rest`, a URL without its scheme, into the credentials and the text after their `@`.
/// Returns `None` if `rest` contains no password. As for libpq, a password may contain `?`.
fn credentials(rest: &str) -> Option<(&str, &str)> {
    let (before, after) = rest.split_once('@')?;
    // The `@` of a parameter after the path.
    if before
        .split_once('/')
        .is_some_and(|(_, path)| path.contains('?'))
    {
        return None;
    }
    // The last `@` before the path ends the credentials, because a password may contain `@`.
    let host = after.split(['/', '?']).next().unwrap_or_default();
    let more = host
        .rsplit_once('@')
        .map_or(0, |(password, _)| password.len() + 1);
    let (before_location, location) = rest.split_at_checked(before.len() + 1 + more)?;
    let credentials = before_location.strip_suffix('@')?;
    credentials.contains(':').then_some((credentials, location))
}

/// Returns `url` as it may be shown: with `mask` instead of each password.
pub fn without_password(url: &str, mask: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (user, location) = match credentials(rest) {
        Some((credentials, location)) => {
            let user = credentials.split(':').next().unwrap_or_default();
            (format!("{user}:{mask}@"), location)
        }
        None => (String::new(), rest),
    };
    let Some((place, query)) = location.split_once('?') else {
        return format!("{scheme}://{user}{location}");
    };
    let parameters = query
        .split('&')
        .map(|parameter| masked(parameter, mask))
        .collect::<Vec<_>>()
        .join("&");
    format!("{scheme}://{user}{place}?{parameters}")
}

/// Masks passwords and keys: libpq accepts passwords as parameters, and decodes the names of parameters.
fn masked(parameter: &str, mask: &str) -> String {
    let is_secret = |name: &str| {
        let mut secrets = SECRETS.iter();
        name.contains('%') || secrets.any(|secret| name.eq_ignore_ascii_case(secret))
    };
    match parameter.split_once('=') {
        Some((name, _)) if is_secret(name) => format!("{name}={mask}"),
        _ => parameter.to_owned(),
    }
}

pub(crate) fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(url: &str) -> Result<String, ConnectError> {
        prepared(
            url,
            &PostgresConfig {
                application_name: "press line/1".to_owned(),
                ..Default::default()
            },
        )
    }

    #[test]
    fn adds_what_the_address_does_not_say() {
        assert_eq!(
            of("postgres://h/d").unwrap(),
            "postgres://h/d?application_name=press%20line%2F1&connect_timeout=2&tcp_user_timeout=7000&keepalives_idle=30"
        );
        let asked = of("postgres://u:a?b@h/d").unwrap();
        assert!(asked.starts_with("postgres://u:a?b@h/d?application_name="));
        let given =
            of("postgresql://h/d?connect_timeout=9&application_name=mine&host=/run/x").unwrap();
        assert_eq!(
            given,
            "postgresql://h/d?connect_timeout=9&application_name=mine&host=/run/x&tcp_user_timeout=7000&keepalives_idle=30"
        );
    }

    #[test]
    fn passwords_are_masked_wherever_they_stand() {
        for (url, shown) in [
            ("postgres://u:secret@h:5/db", "postgres://u:***@h:5/db"),
            (
                "postgres://u@h/db?password=secret&sslmode=require",
                "postgres://u@h/db?password=***&sslmode=require",
            ),
            ("postgres://u:p@ss@h/db", "postgres://u:***@h/db"),
            ("postgres://u:p?ss@h/db", "postgres://u:***@h/db"),
            ("postgres://u:p/ss@h/db", "postgres://u:***@h/db"),
            (
                "postgres://h/db?user=u&password=p@ss",
                "postgres://h/db?user=u&password=***",
            ),
            ("postgres://h?password=p@ss", "postgres://h?password=***"),
            (
                "postgres://h/db?pass%77ord=p",
                "postgres://h/db?pass%77ord=***",
            ),
            (
                "postgres://h/d?scram_client_key=k&oauth_client_secret=s&sslpassword=p",
                "postgres://h/d?scram_client_key=***&oauth_client_secret=***&sslpassword=***",
            ),
            ("sqlite://data/pressline.db", "sqlite://data/pressline.db"),
        ] {
            assert_eq!(without_password(url, "***"), shown);
        }
    }

    #[test]
    fn an_invalid_address_is_refused_without_repeating_it() {
        for wrong in [
            "",
            "mysql://u:secret@h/d",
            "host=h password=secret",
            "postgres://h/d\0",
        ] {
            let error = of(wrong).unwrap_err();
            assert!(matches!(error, ConnectError::Url(_)), "{wrong}");
            assert!(!error.to_string().contains("secret"));
        }
    }
}
