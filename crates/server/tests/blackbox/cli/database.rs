//! Migrations, and databases that cannot be used.

use std::fs;
use std::net::TcpListener;

use serde_json::json;

use crate::common::{Finished, MASTER_KEY, Site};

#[test]
fn migrating_twice_does_no_harm() {
    for site in [Site::without_database(), Site::empty_postgres()] {
        let first = site.run(&["--json", "migrate"]).json();
        assert!(!first["applied"].as_array().unwrap().is_empty(), "{first}");
        assert_eq!(
            site.run(&["--json", "migrate"]).json(),
            json!({ "applied": [] })
        );
        site.run(&["store", "create", "--name", "Shop"]).ok();
    }
}

#[test]
fn postgresql_wants_a_master_key_and_migrated_tables() {
    let site = Site::empty_postgres();
    let bare =
        |arguments: &[&str]| -> Finished { site.bare().args(arguments).output().unwrap().into() };
    let serve = || -> Finished {
        let mut command = site.bare();
        command
            .env("PRESSLINE__AUTH__MASTER_KEY", MASTER_KEY)
            .env("PRESSLINE__HTTP__LISTEN", "127.0.0.1:0");
        command.args(["serve"]).output().unwrap().into()
    };
    serve().fails(2, &["pressline migrate"]);
    bare(&["migrate"]).ok();
    for arguments in [vec!["serve"], vec!["store", "create", "--name", "x"]] {
        bare(&arguments).fails(2, &["PRESSLINE__AUTH__MASTER_KEY", "openssl rand -hex 32"]);
    }
    assert!(
        fs::read_dir(site.folder()).unwrap().next().is_none(),
        "no file was written"
    );

    // A database that cannot be reached ends with 3, and its password is not printed.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut command = site.command();
    command.env(
        "PRESSLINE__DATABASE__URL",
        format!("postgres://someone:hidden-word@127.0.0.1:{port}/nowhere"),
    );
    let ended = Finished::from(command.args(["store", "list"]).output().unwrap());
    ended.fails(3, &["database"]);
    assert!(!ended.err.contains("hidden-word"), "{ended:?}");
    let mut command = site.command();
    command.env(
        "PRESSLINE__DATABASE__URL",
        format!("{}?sslmode=require", site.url()),
    );
    let ended = Finished::from(command.args(["store", "list"]).output().unwrap());
    assert!(ended.code != 0 && ended.err.contains("tls"), "{ended:?}");
}

#[test]
fn an_sqlite_file_that_cannot_be_is_refused() {
    let site = Site::sqlite();
    fs::create_dir(site.folder().join("folder")).unwrap();
    site.file(
        "text.db",
        "this is no database, however long one looks at it".repeat(100),
    );
    for name in ["folder", "text.db"] {
        let mut command = site.command();
        command.env("PRESSLINE__DATABASE__URL", format!("sqlite://{name}"));
        Finished::from(command.args(["store", "list"]).output().unwrap()).fails(3, &[name]);
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = site.command();
    command.env("PRESSLINE__HTTP__LISTEN", &address);
    Finished::from(command.arg("serve").output().unwrap()).fails(1, &[&address, "http.listen"]);
}
