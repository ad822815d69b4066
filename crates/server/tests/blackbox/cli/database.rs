//! Migrations, and databases that cannot be used.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use pressline_testkit::tool;
use serde_json::json;

use crate::common::{CATALOG, Finished, MASTER_KEY, Site, TIMEOUT, try_get, wait_for, workspace};

#[test]
fn migrating_twice_changes_nothing() {
    for site in [Site::without_database(), Site::empty_postgres()] {
        let first = site.run(&["--json", "migrate"]).json();
        assert!(!first["applied"].as_array().unwrap().is_empty(), "{first}");
        let second = site.run(&["--json", "migrate"]).json();
        assert_eq!(second["applied"], json!([]), "{second}");
        site.run(&["store", "create", "--name", "Shop"]).ok();
    }
}

#[test]
fn the_states_of_migrations_are_listed_and_their_statements_printed() {
    for site in [Site::without_database(), Site::empty_postgres()] {
        let status = || site.run(&["--json", "migrate", "--status"]).json();
        let pending = json!([{ "name": "0001_initial", "state": "pending", "appliedAt": null }]);
        assert_eq!(status(), pending);
        let statements = site.run(&["migrate", "--dry-run"]).ok().out;
        assert!(statements.starts_with("-- 0001_initial\n"), "{statements}");
        assert!(statements.contains("CREATE TABLE stores"), "{statements}");
        assert_eq!(status(), pending, "nothing was changed");
        site.run(&["migrate"]).ok();
        assert_eq!(status()[0]["state"], "applied");
        assert!(status()[0]["appliedAt"].as_str().is_some(), "{}", status());
        let nothing = site.run(&["migrate", "--dry-run"]).ok().out;
        assert_eq!(nothing, "-- No migration is pending.\n");
    }
}

/// Changes the migration's hash in the SQLite `file`. No process may have it open.
fn alter(file: &Path) {
    const NAME: &[u8] = b"0001_initial";
    let mut content = fs::read(file).unwrap();
    let hash = content.windows(NAME.len() + 64).position(|bytes| {
        bytes.starts_with(NAME) && bytes[NAME.len()..].iter().all(u8::is_ascii_hexdigit)
    });
    let digit = &mut content[hash.unwrap() + NAME.len()];
    *digit = if *digit == b'0' { b'1' } else { b'0' };
    fs::write(file, content).unwrap();
}

const OTHER_BUILD: &str = "another build made this database: its migration 0001_initial";

/// Every command that opens the database. `{id}` is the id of a key or of an endpoint.
const WITH_DATABASE: &str = "\
serve
migrate
migrate --dry-run
store create --name Shop
store list
store show ABC
store set ABC --name Shop
store rotate-key ABC
store revoke-key ABC {id}
store disable ABC
store enable ABC
operator create --name ana --role admin
operator token ana
operator list
operator sign-in ana
operator revoke ana
audit
master-key rotate
order list --store ABC
order show --store ABC ABC-1
events tail ABC
webhook create --shop --url https://example.com
webhook list --shop
webhook update --shop --webhook {id} --url https://example.com
webhook enable --shop --webhook {id} --after 0
webhook disable --shop --webhook {id}
webhook delete --shop --webhook {id}
webhook rotate-secret --shop --webhook {id}
webhook test --shop --webhook {id}
shipments import shipments.csv
shipments export file.csv
catalog import catalog.csv
catalog export file.csv
catalog list
catalog show MUG-11
files check catalog.csv --sku MUG-11
prices import prices.csv
prices export file.csv
shipping import shipping.csv
shipping export file.csv
shipping remove
fees import fees.csv
fees export file.csv
fees remove --service
after-restore";

const WITHOUT_DATABASE: [&str; 8] = [
    "sign",
    "config print",
    "config check",
    "healthcheck",
    "webhook listen",
    "completions",
    "man",
    "openapi",
];

/// Returns the commands that have a manual page and no subcommands.
fn commands(site: &Site) -> BTreeSet<String> {
    let folder = site.folder().join("man");
    site.run(&["man", "--dir", folder.to_str().unwrap()]).ok();
    let pages = fs::read_dir(folder).unwrap();
    let names: Vec<String> = pages
        .filter_map(|page| {
            let page = page.unwrap().file_name().into_string().unwrap();
            Some(
                page.strip_suffix(".1")?
                    .strip_prefix("pressline-")?
                    .to_owned(),
            )
        })
        .collect();
    let has_subcommands = |name: &String| {
        let before = format!("{name}-");
        names.iter().any(|other| other.starts_with(&before))
    };
    names
        .iter()
        .filter(|name| !has_subcommands(name))
        .cloned()
        .collect()
}

#[test]
fn every_command_explains_that_the_database_is_of_another_build() {
    let (sqlite, postgres) = (Site::sqlite(), Site::postgres());
    let known = WITH_DATABASE.lines().chain(WITHOUT_DATABASE);
    let known: Vec<String> = known
        .map(|line| format!("{}-", line.replace(' ', "-")))
        .collect();
    for command in commands(&sqlite) {
        let before = format!("{command}-");
        let is_known = known.iter().any(|line| line.starts_with(&before));
        assert!(is_known, "`{command}` must be in one of both lists");
    }

    alter(&sqlite.folder().join("pressline.db"));
    postgres.sql(ANOTHER_HASH);
    let demo = workspace().join("crates/cli/src/demo");
    for site in [&sqlite, &postgres] {
        site.file("catalog.csv", CATALOG);
        site.file(
            "prices.csv",
            "store,sku,price,valid_from\n,MUG-11,4.00,2026-01-01\n",
        );
        site.file("shipments.csv", "order,tracking_number\nABC-1,1Z999\n");
        for name in ["shipping.csv", "fees.csv"] {
            fs::copy(demo.join(name), site.folder().join(name)).unwrap();
        }
        for line in WITH_DATABASE.lines() {
            let line = line.replace("{id}", "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e");
            let arguments: Vec<&str> = line.split(' ').collect();
            let ended = site.run(&arguments);
            ended.fails(3, &[OTHER_BUILD, "create a new database"]);
        }
        assert!(
            !site.folder().join("file.csv").exists(),
            "nothing was exported"
        );
        // The status can still be shown.
        let status = site.run(&["--json", "migrate", "--status"]).json();
        assert_eq!(status[0]["state"], "altered");
    }
}

#[test]
fn migrating_tables_of_another_program_creates_no_table() {
    let site = Site::empty_postgres();
    site.sql("CREATE TABLE stores (id integer)");
    site.run(&["migrate"]).fails(3, &[OTHER_BUILD]);
    // Fails if the table exists.
    site.sql("CREATE TABLE pressline_migration_lock (id integer)");
}

const ANOTHER_HASH: &str = "UPDATE pressline_migrations SET hash = 'of another text'";

#[test]
fn a_server_is_not_ready_on_a_database_of_another_build() {
    let postgres = Site::postgres();
    assert_unready_after(&postgres, || postgres.sql(ANOTHER_HASH));
    let Some(program) = tool("deploy", "sqlite3") else {
        return;
    };
    let sqlite = Site::sqlite();
    assert_unready_after(&sqlite, || {
        let mut command = Command::new(program);
        // The server may write at this moment.
        command.args(["-cmd", ".timeout 10000"]);
        command.arg(sqlite.folder().join("pressline.db"));
        Finished::from(command.arg(ANOTHER_HASH).output().unwrap()).ok();
    });
}

#[track_caller]
fn assert_unready_after(site: &Site, change: impl FnOnce()) {
    let server = site.serve();
    let ready = || try_get(server.address, "/readyz").unwrap().status;
    assert_eq!(ready(), 200);
    change();
    wait_for("/readyz to refuse the database", TIMEOUT, || {
        (ready() == 503).then_some(())
    });
    wait_for("the reason in the log", TIMEOUT, || {
        server.log_up_to_now().contains(OTHER_BUILD).then_some(())
    });
}

#[test]
fn postgresql_requires_a_master_key_and_migrated_tables() {
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

    // With an unreachable database the exit code is 3, and the password is not printed.
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
}

#[test]
fn an_invalid_sqlite_file_is_refused() {
    let site = Site::sqlite();
    fs::create_dir(site.folder().join("folder")).unwrap();
    site.file(
        "text.db",
        "this is no database, however long one looks at it".repeat(100),
    );
    for (name, code) in [("folder", 3), ("text.db", 2)] {
        let mut command = site.command();
        command.env("PRESSLINE__DATABASE__URL", format!("sqlite://{name}"));
        Finished::from(command.args(["store", "list"]).output().unwrap()).fails(code, &[name]);
    }
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = site.command();
    command.env("PRESSLINE__HTTP__LISTEN", &address);
    Finished::from(command.arg("serve").output().unwrap()).fails(1, &[&address, "http.listen"]);
}
