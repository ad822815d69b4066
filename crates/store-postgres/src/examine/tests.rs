//! Tests of the decisions.

use std::collections::HashMap;

use super::super::facts::Server;
use super::*;

fn good() -> Facts {
    let settings = [
        ("autovacuum", "on"),
        ("client_encoding", "UTF8"),
        ("default_transaction_isolation", "read committed"),
        ("default_transaction_read_only", "off"),
        ("fsync", "on"),
        ("full_page_writes", "on"),
        ("gin_fuzzy_search_limit", "0"),
        ("lc_messages", "en_US.UTF-8"),
        ("max_connections", "100"),
        ("server_encoding", "UTF8"),
        ("session_replication_role", "origin"),
        ("standard_conforming_strings", "on"),
        ("superuser_reserved_connections", "3"),
        ("synchronous_commit", "on"),
        ("synchronous_standby_names", ""),
        ("track_counts", "on"),
        ("zero_damaged_pages", "off"),
    ];
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    Facts {
        server: Server {
            version: 150_004,
            database: "shop".to_owned(),
            role: "pressline".to_owned(),
            schema: Some("public".to_owned()),
            may_create: true,
            role_limit: -1,
            database_limit: -1,
            ..Server::default()
        },
        settings: HashMap::from(settings.map(owned)),
        tables: vec![table("orders")],
        connections: Some(11),
        ..Facts::default()
    }
}

type Change = fn(&mut Facts);

fn table(name: &str) -> Table {
    Table {
        name: name.to_owned(),
        ..Table::default()
    }
}

/// Returns the only deficiency after `change`, and checks that the good facts have none.
fn only(purpose: DatabaseUse, change: impl FnOnce(&mut Facts)) -> Deficiency {
    let mut facts = good();
    assert_eq!(deficiencies(&facts, purpose), []);
    change(&mut facts);
    let mut found = deficiencies(&facts, purpose);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// Setting, its value, the severity, and a part of the text.
const DEFICIENT: [(&str, &str, Severity, &str); 16] = [
    (
        "server_encoding",
        "LATIN1",
        Severity::Refusal,
        "ENCODING 'UTF8'",
    ),
    (
        "server_encoding",
        "SQL_ASCII",
        Severity::Refusal,
        "ENCODING 'UTF8'",
    ),
    (
        "client_encoding",
        "LATIN1",
        Severity::Refusal,
        "client encoding LATIN1",
    ),
    (
        "default_transaction_read_only",
        "on",
        Severity::Refusal,
        "ALTER DATABASE \"shop\" RESET",
    ),
    (
        "synchronous_commit",
        "off",
        Severity::Warning,
        "would be lost in a crash",
    ),
    ("fsync", "off", Severity::Warning, "loses power"),
    ("full_page_writes", "off", Severity::Warning, "loses power"),
    ("zero_damaged_pages", "on", Severity::Warning, "disappear"),
    (
        "session_replication_role",
        "replica",
        Severity::Warning,
        "foreign keys",
    ),
    ("autovacuum", "off", Severity::Warning, "grow without bound"),
    (
        "track_counts",
        "off",
        Severity::Warning,
        "grow without bound",
    ),
    (
        "standard_conforming_strings",
        "off",
        Severity::Warning,
        "for its own connections",
    ),
    (
        "gin_fuzzy_search_limit",
        "1000",
        Severity::Warning,
        "leave out orders",
    ),
    (
        "default_transaction_isolation",
        "serializable",
        Severity::Warning,
        "for its own connections",
    ),
    (
        "lc_messages",
        "de_DE.UTF-8",
        Severity::Warning,
        "SET lc_messages = 'C'",
    ),
    ("max_connections", "10", Severity::Warning, "leaves 7"),
];

#[test]
fn every_setting_has_its_deficiency() {
    for (name, value, severity, said) in DEFICIENT {
        let found = only(DatabaseUse::Serve, |facts| {
            facts.settings.insert(name.to_owned(), value.to_owned());
        });
        assert_eq!(found.severity, severity, "{found}");
        assert!(found.text.contains(said), "{name}: {found}");
        assert!(
            found.text.contains(value)
                || name == "default_transaction_read_only"
                || name == "max_connections"
        );
    }
    for locale in [
        "C",
        "C.UTF-8",
        "POSIX",
        "en_GB",
        "English_United States.1252",
        "",
    ] {
        let mut facts = good();
        facts
            .settings
            .insert("lc_messages".to_owned(), locale.to_owned());
        assert_eq!(deficiencies(&facts, DatabaseUse::Serve), [], "{locale}");
    }
}

#[test]
fn every_supported_version_passes() {
    for major in 13..=18 {
        assert_eq!(version(major * 10_000 + 4), None, "{major}");
    }
    assert_eq!(version(120_022).unwrap().severity, Severity::Refusal);
    assert_eq!(version(190_000).unwrap().severity, Severity::Warning);
}

#[test]
fn a_commit_that_standbys_miss_is_a_deficiency_only_with_standbys() {
    let local = |facts: &mut Facts| {
        facts
            .settings
            .insert("synchronous_commit".to_owned(), "local".to_owned());
    };
    let mut facts = good();
    local(&mut facts);
    assert_eq!(deficiencies(&facts, DatabaseUse::Serve), []);
    let found = only(DatabaseUse::Serve, |facts| {
        local(facts);
        facts
            .settings
            .insert("synchronous_standby_names".to_owned(), "*".to_owned());
    });
    assert!(found.text.contains("after a failover"), "{found}");
}

#[test]
fn a_standby_and_hidden_or_unsafe_rows_are_refused() {
    let cases: [(Change, &str); 6] = [
        (|facts| facts.server.is_standby = true, "is a standby"),
        (
            |facts| facts.tables[0].hides_rows = true,
            "row-level security",
        ),
        (|facts| facts.tables[0].is_unlogged = true, "SET LOGGED"),
        (
            |facts| facts.tables[0].invalid_index = Some("orders_number".to_owned()),
            "REINDEX INDEX orders_number",
        ),
        (
            |facts| facts.tables[0].lacks = "UPDATE, DELETE".to_owned(),
            "UPDATE, DELETE on the table orders;",
        ),
        (|facts| facts.server.version = 90_624, "too old"),
    ];
    for (change, said) in cases {
        let found = only(DatabaseUse::Serve, change);
        assert_eq!(found.severity, Severity::Refusal);
        assert!(found.text.contains(said), "{found}");
    }
}

#[test]
fn a_migration_needs_a_schema_for_its_tables() {
    let pending = |facts: &mut Facts| {
        (facts.has_pending, facts.server.may_create) = (true, false);
    };
    let found = only(DatabaseUse::Migrate, pending);
    assert!(
        found
            .text
            .contains("GRANT CREATE ON SCHEMA \"public\" TO \"pressline\""),
        "{found}"
    );
    let found = only(DatabaseUse::Migrate, |facts| {
        pending(facts);
        facts.server.schema = None;
    });
    assert!(found.text.contains("no schema"), "{found}");
    // Without pending migrations, the privilege is not needed.
    let mut facts = good();
    facts.server.may_create = false;
    assert_eq!(deficiencies(&facts, DatabaseUse::Migrate), []);
}

#[test]
fn the_smallest_limit_of_connections_is_named() {
    let found = only(DatabaseUse::Serve, |facts| {
        (facts.server.role_limit, facts.server.database_limit) = (5, 9);
    });
    assert!(found.text.contains("the limit of its role is 5"), "{found}");
    let mut facts = good();
    (facts.server.role_limit, facts.connections) = (5, None);
    assert_eq!(
        deficiencies(&facts, DatabaseUse::Serve),
        [],
        "through a pooler"
    );
}

#[test]
fn a_changed_collation_and_disabled_triggers_are_warnings() {
    let found = only(DatabaseUse::Serve, |facts| {
        facts.collation = Some(("2.31".to_owned(), "2.36".to_owned()));
    });
    assert!(found.text.contains("REFRESH COLLATION VERSION"), "{found}");
    let found = only(DatabaseUse::Serve, |facts| {
        facts.tables[0].has_disabled_triggers = true
    });
    assert!(found.text.contains("ENABLE TRIGGER ALL"), "{found}");
}

#[test]
fn refusals_come_first_and_names_are_quoted() {
    let mut facts = good();
    facts.server.database = "my \"shop\"".to_owned();
    facts.settings.insert("fsync".to_owned(), "off".to_owned());
    facts
        .settings
        .insert("server_encoding".to_owned(), "LATIN1".to_owned());
    let found = deficiencies(&facts, DatabaseUse::Serve);
    assert_eq!(found[0].severity, Severity::Refusal);
    assert!(
        found[0]
            .text
            .contains("CREATE DATABASE \"my \"\"shop\"\"\""),
        "{}",
        found[0]
    );
    assert_eq!(found[1].severity, Severity::Warning);
}
