//! Deficiencies of databases are refused, or warned about.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use pressline_testkit::Postgres;
use serde_json::Value;

use crate::common::{Finished, Server, Site, order, try_get};

fn durable() -> Postgres {
    Postgres::options().durable().start().unwrap()
}

/// Runs `serve`, which must end by itself.
fn serve(site: &Site) -> Finished {
    Finished::new(site.command().arg("serve"))
}

fn check(site: &Site) -> Finished {
    site.run(&["config", "check"])
}

fn warnings(server: &Server) -> Vec<String> {
    let body: Value = try_get(server.address, "/readyz").unwrap().json();
    let warnings = body["warnings"].as_array().cloned().unwrap_or_default();
    let texts = warnings
        .iter()
        .map(|text| text.as_str().unwrap().to_owned());
    texts.collect()
}

#[test]
fn a_durable_database_has_no_warnings() {
    let cluster = durable();
    let site = Site::in_cluster(&cluster);
    let migrated = site.run(&["migrate"]).ok();
    assert_eq!(migrated.err, "");
    let checked = check(&site).ok();
    assert_eq!(
        (checked.out.as_str(), checked.err.as_str()),
        ("configuration: no problems\n", "")
    );
    let server = site.serve();
    assert_eq!(warnings(&server), Vec::<String>::new());
    let body = try_get(server.address, "/readyz").unwrap().json();
    assert!(body.get("warnings").is_none(), "{body}");
}

#[test]
fn databases_that_would_lose_or_refuse_orders_are_refused_by_every_command() {
    let cluster = durable();
    let admin = cluster.create_database().unwrap();
    for (name, statement, said) in [
        (
            "latin",
            "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
            "encoding LATIN1",
        ),
        (
            "ascii",
            "CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0",
            "encoding SQL_ASCII",
        ),
        (
            "readonly",
            "CREATE DATABASE readonly TEMPLATE template0",
            "default_transaction_read_only is on",
        ),
    ] {
        admin.execute(statement).unwrap();
        if name == "readonly" {
            let set = "ALTER DATABASE readonly SET default_transaction_read_only = on";
            admin.execute(set).unwrap();
        }
        let site = Site::elsewhere(&cluster.url(name));
        let cannot = "the PostgreSQL database cannot be used";
        site.run(&["migrate"]).fails(2, &[cannot, said]);
        serve(&site).fails(2, &[cannot, said]);
        check(&site).fails(2, &[cannot, said]);
        // Nothing was created.
        let statuses = site.run(&["--json", "migrate", "--status"]).json();
        assert_eq!(statuses[0]["state"], "pending", "{name}");
    }
}

#[test]
fn a_role_without_privileges_is_refused_with_the_statement_that_grants_them() {
    let cluster = durable();
    let site = Site::in_cluster(&cluster);
    site.sql("CREATE ROLE weak LOGIN PASSWORD 'weak'; REVOKE CREATE ON SCHEMA public FROM PUBLIC");
    let separator = if site.url().contains('?') { '&' } else { '?' };
    let weak = Site::elsewhere(&format!("{}{separator}user=weak&password=weak", site.url()));
    let may_create = "may not create tables in the schema \"public\"";
    weak.run(&["migrate"]).fails(
        2,
        &[may_create, "GRANT CREATE ON SCHEMA \"public\" TO \"weak\""],
    );
    check(&weak).fails(2, &[may_create]);
    site.run(&["migrate"]).ok();
    let grant =
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"public\" TO \"weak\"";
    serve(&weak).fails(2, &[grant]);
    check(&weak).fails(2, &[grant]);
    site.sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO weak");
    serve(&weak).fails(2, &["INSERT, UPDATE, DELETE on the table", grant]);
    site.sql(&grant.replace('"', ""));
    drop(weak.serve());
    // Policies hide rows without an error.
    site.sql("ALTER TABLE orders ENABLE ROW LEVEL SECURITY");
    serve(&weak).fails(
        2,
        &["row-level security hides rows from the service in orders"],
    );
}

#[test]
fn damaged_tables_are_refused() {
    let cluster = durable();
    for (statement, said) in [
        (
            "ALTER TABLE order_notes SET UNLOGGED",
            "unlogged tables order_notes",
        ),
        (
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'order_states_due'::regclass",
            "REINDEX INDEX order_states_due",
        ),
        (
            "DELETE FROM pressline_migrations",
            "pressline_migrations is empty although the other tables exist",
        ),
    ] {
        let site = Site::in_cluster(&cluster);
        site.run(&["migrate"]).ok();
        site.sql(statement);
        for ended in [site.run(&["migrate"]), serve(&site), check(&site)] {
            assert!(matches!(ended.code, 2 | 3), "{ended:?}");
            ended.fails(ended.code, &[said]);
        }
    }
}

/// Setting of a database, its value, and what operators are told.
const WEAK: [(&str, &str, &str); 6] = [
    (
        "synchronous_commit",
        "off",
        "synchronous_commit is off, and the service sets it to on",
    ),
    (
        "default_transaction_isolation",
        "serializable",
        "default_transaction_isolation is serializable",
    ),
    (
        "standard_conforming_strings",
        "off",
        "standard_conforming_strings is off",
    ),
    (
        "gin_fuzzy_search_limit",
        "100",
        "gin_fuzzy_search_limit is 100",
    ),
    ("zero_damaged_pages", "on", "zero_damaged_pages is on"),
    (
        "session_replication_role",
        "replica",
        "session_replication_role is replica",
    ),
];

#[test]
fn weak_durability_is_put_right_or_told_in_the_log_and_by_the_probe() {
    let cluster = durable();
    let site = Site::in_cluster(&cluster);
    site.run(&["migrate"]).ok();
    let name = site
        .url()
        .rsplit('/')
        .next()
        .unwrap()
        .split('?')
        .next()
        .unwrap()
        .to_owned();
    for (setting, value, _) in WEAK {
        site.sql(&format!(
            "ALTER DATABASE \"{name}\" SET {setting} = '{value}'"
        ));
    }
    let (server, client) = site.open();
    let told = warnings(&server);
    for (_, _, said) in &WEAK {
        assert!(
            told.iter().any(|text| text.contains(said)),
            "{said}: {told:?}"
        );
        assert!(server.log().contains(said), "{said}");
    }
    assert_eq!(told.len(), WEAK.len(), "{told:?}");
    assert!(
        check(&site)
            .ok()
            .err
            .contains("warning: synchronous_commit is off")
    );
    // Orders are served nevertheless.
    client.create(&order("durable"));
}

#[test]
fn sqlite_files_that_cannot_hold_orders_are_refused() {
    let site = Site::sqlite();
    let path = site.folder().join("pressline.db");
    let good = fs::read(&path).unwrap();
    let half = good[..good.len() / 2].to_vec();
    for (content, said) in [
        (b"-- a dump of the tables, not a database: CREATE TABLE orders; CREATE TABLE stores;   ".to_vec(), "is not a database of SQLite"),
        (half, "is cut off"),
    ] {
        fs::write(&path, content).unwrap();
        for ended in [site.run(&["migrate"]), serve(&site), check(&site)] {
            ended.fails(2, &["the database file cannot be used", said]);
        }
    }
    fs::write(&path, &good).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(check(&site).ok().err.contains("(mode 0644)"));
    let server = site.serve();
    assert!(warnings(&server)[0].contains("chmod 600"));
    assert!(server.log().contains("chmod 600"));
}
