//! Showing the configuration without its secrets.

use super::Settings;

const MASK: &str = "********";

impl Settings {
    /// The settings as they may be shown: secrets masked.
    pub(crate) fn masked(&self) -> Self {
        let mut shown = self.clone();
        for key in [&mut shown.auth.master_key, &mut shown.auth.previous_master_key] {
            if !key.is_empty() {
                MASK.clone_into(key);
            }
        }
        shown.database.url = without_password(&self.database.url);
        shown
    }
}

/// The URL with its password masked, also where that stands among the parameters.
pub(crate) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (before_query, query) =
        rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    let shown = match before_query.rsplit_once('@') {
        Some((credentials, host)) => {
            let user = credentials.split(':').next().unwrap_or_default();
            let password = if credentials.contains(':') { format!(":{MASK}") } else { String::new() };
            format!("{scheme}://{user}{password}@{host}")
        }
        None => format!("{scheme}://{before_query}"),
    };
    let Some(query) = query else { return shown };
    let query: Vec<String> = query
        .split('&')
        .map(|pair| match pair.split_once('=') {
            Some((key, _))
                if key.eq_ignore_ascii_case("password") || key.eq_ignore_ascii_case("sslpassword") =>
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
