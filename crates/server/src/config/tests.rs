//! Tests of all settings together.

use std::net::IpAddr;

use super::*;

fn variable(key: &str) -> String {
    format!("PRESSLINE__{}", key.to_ascii_uppercase().replace('.', "__"))
}

fn read(variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let variables = variables
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    Settings::read(None, variables.collect(), Vec::new())
}

#[test]
fn the_defaults_are_a_whole_configuration() {
    let settings = read(&[]).unwrap();
    assert!(settings.is_default_database);
    assert_eq!(
        settings.backend().unwrap(),
        Backend::Sqlite(DEFAULT_FILE.into())
    );
    assert!(settings.names_default_file());
    let defaults: toml::Table = SCHEMA.defaults.parse().unwrap();
    assert_eq!(toml::Table::try_from(&settings).unwrap(), defaults);
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
        (
            "PRESSLINE__DATABASE__POOL_WAIT_MS",
            "5000",
            "database.pool_wait_ms",
        ),
        (
            "PRESSLINE__RATE_LIMIT__ENABLED",
            "maybe",
            "rate_limit.enabled",
        ),
    ] {
        let message = read(&[(key, value)]).unwrap_err().to_string();
        assert!(message.contains(named), "{key}: {message}");
    }
}

#[test]
fn a_removed_key_is_refused_with_what_became_of_it() {
    let defaults: toml::Table = SCHEMA.defaults.parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (key, hint) in schema::REMOVED {
        let (section, name) = key.split_once('.').unwrap();
        let is_known = defaults.get(section).and_then(|keys| keys.get(name));
        assert!(is_known.is_none(), "{key} is a setting");
        let file = folder.path().join("settings.toml");
        std::fs::write(&file, format!("[{section}]\n{name} = 1\n")).unwrap();
        let variables = HashMap::from([(variable(key), "1".to_owned())]);
        let in_file = Settings::read(Some(&file), HashMap::new(), Vec::new());
        let in_variable = Settings::read(None, variables, Vec::new());
        for (refused, origin) in [
            (in_file, file.display().to_string()),
            (in_variable, variable(key)),
        ] {
            let wanted =
                format!("configuration: `{key}` is no longer a setting: {hint} (set in {origin})");
            assert_eq!(refused.unwrap_err().to_string(), wanted);
        }
    }
}

fn read_egress(variables: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let named =
        |(name, value): &(&str, &str)| (format!("PRESSLINE__EGRESS__{name}"), (*value).to_owned());
    Settings::read(None, variables.iter().map(named).collect(), Vec::new())
}

#[test]
fn nothing_internal_is_permitted_by_default() {
    let settings = read_egress(&[]).unwrap();
    for policy in [
        settings.egress.operators_urls().unwrap(),
        settings.egress.stores_urls().unwrap(),
    ] {
        assert!(policy.check_address(IpAddr::from([10, 0, 0, 5])).is_err());
        assert!(policy.check("https://hooks.example:8443/").is_ok());
    }
}

#[test]
fn the_two_lists_permit_networks_to_their_own_urls_only() {
    let lists = [
        ("ALLOW", "10.0.0.0/8, fd00::/8"),
        ("ALLOW_STORES", "192.168.1.7"),
        ("PORTS", "443,9000"),
    ];
    let settings = read_egress(&lists).unwrap();
    let operators = settings.egress.operators_urls().unwrap();
    let stores = settings.egress.stores_urls().unwrap();
    for (url, by_operator, by_store) in [
        ("http://10.0.0.5:9000/", true, false),
        ("http://[fd00::1]:9000/", true, false),
        ("http://192.168.1.7:9000/", false, true),
        ("http://192.168.1.7/", false, false),
        ("https://hooks.example/", true, true),
    ] {
        assert_eq!(operators.check(url).is_ok(), by_operator, "{url}");
        assert_eq!(stores.check(url).is_ok(), by_store, "{url}");
    }
}

#[test]
fn a_value_that_cannot_be_used_is_named() {
    for (name, value, said) in [
        (
            "ALLOW",
            "10.0.0.0/8,intranet",
            "egress.allow: `intranet` is not an address",
        ),
        ("ALLOW", "10.0.0.5/8", "the network is 10.0.0.0/8"),
        (
            "ALLOW_STORES",
            "fd00::/200",
            "egress.allow_stores: `fd00::/200`",
        ),
        (
            "PORTS",
            "443,99999",
            "egress.ports: `99999` is not between 1 and 65535",
        ),
        (
            "PORTS",
            "https",
            "egress.ports: `https` is not a whole number",
        ),
        ("PORTS", "", "egress.ports: the list is empty"),
    ] {
        let message = read_egress(&[(name, value)]).unwrap_err().to_string();
        assert!(message.contains(said), "{name}={value}: {message}");
    }
    let both = read_egress(&[("ALLOW", "a,b"), ("ALLOW_STORES", "c")]).unwrap_err();
    assert!(
        both.to_string().starts_with("configuration: 3 problems"),
        "{both}"
    );
}

#[test]
fn every_number_has_bounds_that_its_default_fits() {
    let defaults: toml::Table = SCHEMA.defaults.parse().unwrap();
    let mut numbers = 0;
    for (section, settings) in &defaults {
        for (name, value) in settings.as_table().unwrap() {
            // All entries of a list have the same bounds.
            let values = value.as_array().cloned().unwrap_or(vec![value.clone()]);
            let given: Vec<i64> = values.iter().filter_map(toml::Value::as_integer).collect();
            if given.is_empty() {
                continue;
            }
            let key = format!("{section}.{name}");
            let (_, least, limit) = SCHEMA
                .bounds
                .iter()
                .find(|(bound, ..)| *bound == key)
                .unwrap_or_else(|| {
                    panic!("{key} has no bounds");
                });
            let fits = |number: &i64| (*least..=*limit).contains(number);
            assert!(given.iter().all(fits), "{key}");
            numbers += 1;
        }
    }
    assert_eq!(numbers, SCHEMA.bounds.len());
}

/// Returns the texts for users: documents, and the files of `deploy/`. Records of decisions and the
/// changelog may name settings of the past.
fn texts(folder: &Path, texts: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.display().to_string();
        // The guide adds a setting as an example.
        let left_out = ["/adr", "/CHANGELOG.md", "/add-a-setting.md"];
        if left_out.iter().any(|ending| name.ends_with(ending)) {
            continue;
        }
        if path.is_dir() {
            self::texts(&path, texts);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            texts.push((name, text));
        }
    }
}

#[test]
fn documents_name_existing_settings_only() {
    let defaults: toml::Table = SCHEMA.defaults.parse().unwrap();
    let exists = |section: &str, name: &str| {
        defaults
            .get(section)
            .is_some_and(|keys| keys.get(name).is_some())
    };
    let is_name = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
    };
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["docs", "deploy"] {
        texts(&root.join(folder), &mut found);
    }
    found.push((
        "README.md".into(),
        std::fs::read_to_string(root.join("README.md")).unwrap(),
    ));
    let mut named = 0;
    for (file, text) in found {
        let is_variable = |c: char| c.is_ascii_uppercase() || c == '_';
        for rest in text.split("PRESSLINE__").skip(1) {
            let end = rest.find(|c| !is_variable(c)).unwrap_or(rest.len());
            let key = rest[..end].to_ascii_lowercase();
            let (section, name) = key.split_once("__").unwrap_or_default();
            named += 1;
            // CONFIG.md explains how names are made.
            assert!(
                exists(section, name) || ["", "section__key"].contains(&key.as_str()),
                "{file}: PRESSLINE__{key}"
            );
        }
        for quoted in text
            .lines()
            .flat_map(|line| line.split('`').skip(1).step_by(2))
        {
            for word in quoted.split(|c: char| !c.is_ascii_alphanumeric() && !"_./-".contains(c)) {
                if let Some((section, name)) = word.split_once('.')
                    && defaults.contains_key(section)
                    && is_name(name)
                    && !["rs", "sql"].contains(&name)
                {
                    named += 1;
                    assert!(exists(section, name), "{file}: `{word}`");
                }
            }
            let removed = schema::REMOVED.iter().map(|(key, _)| key);
            for (_, name) in removed.filter_map(|key| key.split_once('.')) {
                assert!(
                    quoted != name || !name.contains('_'),
                    "{file}: `{name}` was removed"
                );
            }
        }
    }
    assert!(named > 50, "{named}");
}
