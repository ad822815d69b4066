//! Checks the syntax of a database URL, as libpq 18 reads it.
//!
//! libpq's own messages about a malformed URL quote the text that it could not read. That text is
//! often part of the password, because a `@`, `/`, `&` or `%` that is not percent-encoded ends the
//! password earlier than its author thinks. The messages of this module only name the part.

use std::fmt;

use pressline_kit::nearest::nearest;

/// Mistake in a database URL. The message never repeats any text of the URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{part} {fault}")]
pub struct UrlProblem {
    part: Part,
    fault: Fault,
}

/// Part of a database URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Url,
    User,
    Password,
    Host,
    Port,
    Database,
    /// Parameter after the `?`, by its position from 1.
    Parameter(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Fault {
    #[error("begins neither with postgres:// nor with postgresql://")]
    Scheme,
    #[error("contains a space or a control character; write a space as %20")]
    Space,
    #[error("has a `%` that is not followed by two hexadecimal digits; write `%` as %25")]
    Percent,
    #[error("contains %00, which no part of a URL may contain")]
    Nul,
    #[error("contains `@`; write `@` as %40, and in a user name or password `/` as %2F")]
    At,
    #[error("is not an IPv6 address in brackets, such as [::1]")]
    Brackets,
    #[error(
        "is not a number from 1 to 65535; a password needs `@` after it, and is written with %2F for `/` and %3A for `:`"
    )]
    Port,
    #[error("has no `=`; write `&` in a value as %26")]
    NoValue,
    #[error("has a second `=`; write `=` in a value as %3D")]
    SecondEquals,
    #[error("is not a parameter of libpq; write `&` in a value as %26")]
    Unknown,
    #[error("is not a parameter of libpq; did you mean `{0}`?")]
    Misspelled(&'static str),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url => "the URL",
            Self::User => "the user",
            Self::Password => "the password",
            Self::Host => "the host",
            Self::Port => "the port",
            Self::Database => "the name of the database",
            Self::Parameter(position) => return write!(f, "parameter {position} after the `?`"),
        })
    }
}

impl Part {
    fn with(self, fault: Fault) -> UrlProblem {
        UrlProblem { part: self, fault }
    }

    /// Decodes `text`, which is percent-encoded.
    fn decode(self, text: &str) -> Result<Vec<u8>, UrlProblem> {
        let mut decoded = Vec::with_capacity(text.len());
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            if byte != b'%' {
                decoded.push(byte);
                continue;
            }
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let (Some(high), Some(low)) = (digit(), digit()) else {
                return Err(self.with(Fault::Percent));
            };
            match u8::try_from(high * 16 + low) {
                Ok(byte) if byte != 0 => decoded.push(byte),
                _ => return Err(self.with(Fault::Nul)),
            }
        }
        Ok(decoded)
    }
}

/// Names of the parameters of libpq 18, and `ssl`, which it accepts as JDBC writes it.
const PARAMETERS: [&str; 51] = [
    "service",
    "user",
    "password",
    "passfile",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "port",
    "client_encoding",
    "options",
    "application_name",
    "fallback_application_name",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_count",
    "tcp_user_timeout",
    "ssl",
    "sslmode",
    "sslnegotiation",
    "sslcompression",
    "sslcert",
    "sslkey",
    "sslcertmode",
    "sslpassword",
    "sslrootcert",
    "sslcrl",
    "sslcrldir",
    "sslsni",
    "requirepeer",
    "require_auth",
    "min_protocol_version",
    "max_protocol_version",
    "ssl_min_protocol_version",
    "ssl_max_protocol_version",
    "gssencmode",
    "krbsrvname",
    "gsslib",
    "gssdelegation",
    "replication",
    "target_session_attrs",
    "load_balance_hosts",
    "scram_client_key",
    "scram_server_key",
    "oauth_issuer",
    "oauth_client_id",
    "oauth_client_secret",
    "oauth_scope",
    "sslkeylogfile",
];

/// Parameters whose values must not be shown.
pub(crate) const SECRETS: [&str; 5] = [
    "password",
    "sslpassword",
    "scram_client_key",
    "scram_server_key",
    "oauth_client_secret",
];

/// Checks whether libpq can read `url`. Use it before the URL reaches libpq or a message.
///
/// It is stricter than libpq in two points: a `@` after the first is an error in host and database
/// name, because it most likely belongs to the password, and white space is an error everywhere.
///
/// # Errors
/// Returns the first mistake.
pub fn check_url(url: &str) -> Result<(), UrlProblem> {
    let rest = ["postgres://", "postgresql://"]
        .iter()
        .find_map(|scheme| url.strip_prefix(scheme))
        .ok_or_else(|| Part::Url.with(Fault::Scheme))?;
    if rest.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(Part::Url.with(Fault::Space));
    }
    let location = after_credentials(rest)?;
    let (place, query) = match location.split_once('?') {
        Some((place, parameters)) => (place, Some(parameters)),
        None => (location, None),
    };
    let (hosts, database) = place.split_once('/').unwrap_or((place, ""));
    hosts.split(',').try_for_each(host)?;
    if database.contains('@') {
        return Err(Part::Database.with(Fault::At));
    }
    Part::Database.decode(database)?;
    let joined = query.unwrap_or_default();
    if joined.is_empty() {
        return Ok(());
    }
    let mut parameters = (1..).zip(joined.split('&'));
    parameters.try_for_each(|(position, text)| parameter(Part::Parameter(position), text))
}

/// Checks user and password. They end at the first `@`, unless a `/` comes before it.
fn after_credentials(rest: &str) -> Result<&str, UrlProblem> {
    let end = rest.find(['@', '/']);
    let Some((credentials, location)) = end
        .and_then(|end| rest.split_at_checked(end))
        .and_then(|(credentials, rest)| Some((credentials, rest.strip_prefix('@')?)))
    else {
        return Ok(rest);
    };
    let (user, password) = credentials.split_once(':').unwrap_or((credentials, ""));
    Part::User.decode(user)?;
    Part::Password.decode(password)?;
    Ok(location)
}

/// Checks a host with its port, one of the list.
fn host(text: &str) -> Result<(), UrlProblem> {
    if text.contains('@') {
        return Err(Part::Host.with(Fault::At));
    }
    let (name, port_text) = match text.strip_prefix('[') {
        Some(bracketed) => {
            let (address, after) = bracketed.split_once(']').unwrap_or_default();
            let port = match after.strip_prefix(':') {
                Some(port) => port,
                None if after.is_empty() => "",
                None => return Err(Part::Host.with(Fault::Brackets)),
            };
            if address.is_empty() {
                return Err(Part::Host.with(Fault::Brackets));
            }
            (address, port)
        }
        None => text.split_once(':').unwrap_or((text, "")),
    };
    Part::Host.decode(name)?;
    let port = Part::Port.decode(port_text)?;
    let number = str::from_utf8(&port).ok().map(str::parse::<u16>);
    match number {
        Some(Ok(1..)) => Ok(()),
        _ if port.is_empty() => Ok(()),
        _ => Err(Part::Port.with(Fault::Port)),
    }
}

fn parameter(part: Part, text: &str) -> Result<(), UrlProblem> {
    let (name_text, value) = text
        .split_once('=')
        .ok_or_else(|| part.with(Fault::NoValue))?;
    if value.contains('=') {
        return Err(part.with(Fault::SecondEquals));
    }
    let name_bytes = part.decode(name_text)?;
    part.decode(value)?;
    // Bytes that are not UTF-8 become characters of no name.
    let name = String::from_utf8_lossy(&name_bytes);
    if PARAMETERS.contains(&name.as_ref()) {
        return Ok(());
    }
    let near = nearest(&name, PARAMETERS, 1).first().copied();
    Err(part.with(near.map_or(Fault::Unknown, Fault::Misspelled)))
}

#[cfg(test)]
mod tests {
    use diesel::Connection as _;
    use diesel::pg::PgConnection;

    use super::*;

    #[track_caller]
    fn problem(url: &str) -> String {
        check_url(url).map_or_else(|problem| problem.to_string(), |()| String::new())
    }

    #[test]
    fn every_form_of_a_database_url_is_accepted() {
        for url in [
            "postgres://",
            "postgresql://h",
            "postgres:///shop",
            "postgres://h/shop?",
            "postgres://u@h/shop",
            "postgres://:p@h/shop",
            "postgres://u:p%40%2F%25@h:5432/shop",
            "postgres://u:p?x#[y]:z@h/shop",
            "postgres://u:p@[::1]:5432,[fe80::1],h2:65535/shop",
            "postgres://u:p@%2Frun%2Fpostgresql/shop",
            "postgres://h/shop?user=u&password=p@ss&ssl=true",
            "postgres://h?pass%77ord=p&options=-c%20jit%3Doff",
        ] {
            assert_eq!(problem(url), "", "{url}");
        }
    }

    #[test]
    fn a_mistake_is_named_by_its_part() {
        for (url, part) in [
            ("host=h password=hidden", "the URL begins neither"),
            ("postgres://u:hidden word@h/d", "the URL contains a space"),
            ("postgres://hid%xen:p@h/d", "the user has a `%`"),
            ("postgres://u:hid%xen@h/d", "the password has a `%`"),
            ("postgres://u:hidden%4@h/d", "the password has a `%`"),
            ("postgres://u:hidden%00@h/d", "the password contains %00"),
            ("postgres://u:x@hidden@h/d", "the host contains `@`"),
            ("postgres://u:hid/den@h/d", "the port is not a number"),
            (
                "postgres://u:1/hidden@h/d",
                "the name of the database contains `@`",
            ),
            ("postgres://u:hidden", "the port is not a number"),
            ("postgres://u:p@h:70000/d", "the port is not a number"),
            ("postgres://u:p@[::1/d", "the host is not an IPv6 address"),
            ("postgres://u:p@[]/d", "the host is not an IPv6 address"),
            (
                "postgres://u:p@[::1]hidden/d",
                "the host is not an IPv6 address",
            ),
            ("postgres://u:p@h%z/d", "the host has a `%`"),
            ("postgres://u:p@h/d%z", "the name of the database has a `%`"),
            (
                "postgres://h/d?user=u&password=hid&den",
                "parameter 3 after the `?` has no `=`",
            ),
            (
                "postgres://h/d?password=hid=den",
                "parameter 1 after the `?` has a second `=`",
            ),
            (
                "postgres://h/d?password=hid%xen",
                "parameter 1 after the `?` has a `%`",
            ),
            (
                "postgres://h/d?password=hid&den=1",
                "parameter 2 after the `?` is not a parameter",
            ),
            ("postgres://h/d?sslmod=require", "did you mean `sslmode`?"),
        ] {
            let problem = problem(url);
            assert!(problem.contains(part), "{url}: {problem}");
            assert!(
                !problem.contains("hid") && !problem.contains("den "),
                "{url}: {problem}"
            );
        }
    }

    /// Inserts each character with a meaning at each place of a password, in user information and
    /// parameter, and gives libpq each URL that the check accepts.
    #[test]
    fn no_message_of_libpq_quotes_a_password() {
        const SPECIAL: [&str; 14] = [
            "@", "/", "?", "#", ":", "%", "&", "=", "[", "]", ",", "%4", "%00", "&a=",
        ];
        // No message contains two neighbouring letters of it.
        const PASSWORD: &str = "qxjzvk";
        let mut accepted = 0;
        for (special, at) in SPECIAL
            .iter()
            .flat_map(|special| (0..=PASSWORD.len()).map(move |at| (special, at)))
        {
            let (first, second) = PASSWORD.split_at(at);
            let password = format!("{first}{special}{second}");
            for url in [
                format!("postgres://u:{password}@127.0.0.1:1/d"),
                format!("postgres://127.0.0.1:1/d?password={password}"),
                format!("postgres://127.0.0.1:1/d?password={password}&sslmode=disable"),
            ] {
                let message = match check_url(&url) {
                    Err(problem) => problem.to_string(),
                    Ok(()) => PgConnection::establish(&url).err().unwrap().to_string(),
                };
                accepted += usize::from(message.contains("Connection refused"));
                for part in [first, second].iter().filter(|part| part.len() > 1) {
                    assert!(!message.contains(*part), "{url}: {message}");
                }
            }
        }
        assert!(accepted > 50, "{accepted}");
    }
}
