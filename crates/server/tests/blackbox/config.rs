//! Configuration: all errors are reported in one run, in plain words, with the source of each
//! value. Also the commands that create a database.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::common::{Finished, Server, Site, clean_command};

fn with(site: &Site, variables: &[(&str, &str)], arguments: &[&str]) -> Finished {
    Finished::new(
        site.command()
            .envs(variables.iter().copied())
            .args(arguments),
    )
}

#[test]
fn all_problems_are_reported_in_one_run() {
    let site = Site::sqlite();
    let file = "[http]\nworker = 3\nbody_deadline_seconds = \"soon\"\n[rate_limit]\nburst = 0\n";
    site.file("settings.toml", file);
    let variables = [
        ("PRESSLINE__HTTP__WORKERS", "1000000"),
        ("PRESSLINE__DATABASE__POOL_SIZE", "-1"),
        ("PRESSLINE__DATABASE__MIGRATE", "maybe"),
        ("PRESSLINE__LOG__LEVEL", "loud"),
        ("PRESSLINE__LOG__FORMAT", "xml"),
        ("PRESSLINE__HTTP__LISTEN", "8080"),
        ("PRESSLINE_RATE_LIMIT_PER_MINUTE", "5"),
        ("PRESSLINE__EGRESS__PORTS", "https,443,0"),
        ("PRESSLINE__AUTH__PREVIOUS_MASTER_KEY", "short"),
    ];
    let ended = with(
        &site,
        &variables,
        &["--config", "settings.toml", "store", "list"],
    );
    ended.fails(
        2,
        &[
            "12 problems",
            "egress.ports: `https` is not a whole number from 1 to 65535; `0` is not between 1 and 65535 (set in PRESSLINE__EGRESS__PORTS)",
            "auth.previous_master_key: a master key is 64 hexadecimal digits",
            "unknown key `http.worker`; did you mean `http.workers`? (set in settings.toml)",
            "http.body_deadline_seconds: `soon` is not a whole number from 1 to 600 (set in settings.toml)",
            "rate_limit.burst: `0` is not between 1 and 1000000 (set in settings.toml)",
            "http.workers: `1000000` is not between 0 and 512 (set in PRESSLINE__HTTP__WORKERS)",
            "database.pool_size: `-1` is not between 2 and 500 (set in PRESSLINE__DATABASE__POOL_SIZE)",
            "database.migrate: `maybe` is neither true nor false",
            "log.level: `loud` is not a level; use one of off, error, warn, info, debug, trace",
            "log.format: `xml` is not one of auto, text, json",
            "http.listen: `8080` is not an address and a port",
            "PRESSLINE_RATE_LIMIT_PER_MINUTE: two underscores",
            "`PRESSLINE__RATE_LIMIT__PER_MINUTE`",
        ],
    );
    // Each problem is reported once.
    let once = ended.err.matches("http.workers: ").count();
    assert_eq!(once, 1, "{}", ended.err);
}

#[test]
fn an_unknown_log_level_is_refused_and_filters_stay_valid() {
    let site = Site::sqlite();
    for level in ["loud", "info,loud", "pressline_http=loud", ""] {
        with(&site, &[("PRESSLINE__LOG__LEVEL", level)], &["serve"])
            .fails(2, &["log.level", "off, error, warn, info, debug, trace"]);
    }
    let server = site.serve_with(&[("PRESSLINE__LOG__LEVEL", "info,pressline_http=debug")]);
    assert!(server.log().contains("listening"));
}

#[test]
fn a_variable_with_one_underscore_gets_a_hint() {
    let site = Site::sqlite();
    for (name, right) in [
        ("PRESSLINE_HTTP_LISTEN", "PRESSLINE__HTTP__LISTEN"),
        ("PRESSLINE__DATABASE_POOL_SIZE", "database.pool_size"),
        (
            "PRESSLINE_DATABASE__POOL_SIZE",
            "PRESSLINE__DATABASE__POOL_SIZE",
        ),
    ] {
        let ended: Finished = site
            .bare()
            .env(name, "1")
            .args(["store", "list"])
            .output()
            .unwrap()
            .into();
        ended.fails(
            2,
            &[name, right].map(|text| {
                if text.contains("DATABASE_POOL") {
                    "pool_size"
                } else {
                    text
                }
            }),
        );
    }
    // Kubernetes sets such variables for a service of this name. The key for `sign` is not a
    // setting.
    let others = [
        ("PRESSLINE_PORT", "tcp://10.0.0.1:80"),
        ("PRESSLINE_SECRET_KEY", "x"),
    ];
    with(&site, &others, &["store", "list"]).ok();
    // Next to a correct variable, a misspelled one would be ignored.
    with(
        &site,
        &[
            ("PRESSLINE_HTTP_LISTEN", "x"),
            ("PRESSLINE__HTTP__LISTEN", "127.0.0.1:0"),
        ],
        &["store", "list"],
    )
    .fails(
        2,
        &["PRESSLINE_HTTP_LISTEN", "two underscores", "remove it"],
    );
}

#[test]
fn no_message_repeats_a_password() {
    let site = Site::sqlite();
    let quiet = |ended: &Finished| assert!(!ended.err.contains("hidden"), "{ended:?}");
    // Malformed URLs, which a parser's message might quote.
    for url in [
        "postgres://someone:hidden word@db.internal/shop",
        "postgres://someone:hidden-word@db.internal/my shop",
        "postgres://someone:hidden-word@db.internal/shop\tx",
        "host=db.internal password=hidden-word",
        "postgres://someone:hidden%word@db.internal/shop",
        "postgres://someone:hidden%00word@db.internal/shop",
        "postgres://someone:x@hidden-word@db.internal/shop",
        "postgres://someone:hidden/word@db.internal/shop",
        "postgres://someone:1/hidden@db.internal/shop",
        "postgres://someone:hidden-word",
        "postgres://db.internal/shop?user=someone&password=x&hidden",
        "postgres://db.internal/shop?user=someone&password=x=hidden",
        "postgres://db.internal/shop?user=someone&password=x&hidden=word",
        "postgres://someone:x@[hidden/shop",
    ] {
        let ended = with(
            &site,
            &[("PRESSLINE__DATABASE__URL", url)],
            &["store", "list"],
        );
        ended.fails(2, &["database.url"]);
        quiet(&ended);
    }
    for (file, named) in [
        (
            "[database]\nurl = \"postgres://someone:hidden-word@db.internal/shop\nmigrate = true\n",
            "line 2",
        ),
        (
            "[database]\nurl = [\"postgres://someone:hidden-word@db.internal/shop\"]\n",
            "settings.toml",
        ),
        ("[auth]\nmaster_key = [\"hidden\"]\n", "auth.master_key"),
    ] {
        site.file("settings.toml", file);
        let mut command = clean_command(site.folder());
        let ended = Finished::from(
            command
                .args(["--config", "settings.toml", "store", "list"])
                .output()
                .unwrap(),
        );
        ended.fails(2, &["settings.toml", named]);
        quiet(&ended);
    }
}

#[test]
fn at_most_512_workers_are_accepted() {
    let site = Site::sqlite();
    let server = site.serve_with(&[("PRESSLINE__HTTP__WORKERS", "512")]);
    assert_eq!(
        crate::common::try_get(server.address, "/livez")
            .unwrap()
            .status,
        200
    );
    with(&site, &[("PRESSLINE__HTTP__WORKERS", "513")], &["serve"])
        .fails(2, &["http.workers", "512"]);
}

#[test]
fn config_shows_the_origin_of_each_value_but_no_secret() {
    let site = Site::sqlite();
    site.file(
        "settings.toml",
        "[http]\nshutdown_seconds = 5\nworkers = 7\n",
    );
    let url = (
        "PRESSLINE__DATABASE__URL",
        "postgres://someone:hidden-word@db.internal/shop",
    );
    let run = |arguments: &[&str]| {
        with(
            &site,
            &[url],
            &[&["--config", "settings.toml"], arguments].concat(),
        )
    };
    let shown = run(&["config", "print", "--origin"]).ok().out;
    let origin = |start: &str| {
        let line = shown.lines().find(|line| line.starts_with(start));
        let line = line.unwrap_or_else(|| panic!("no {start} in {shown}"));
        line.rsplit_once("  # ").unwrap().1.to_owned()
    };
    assert_eq!(origin("http.body_deadline_seconds = 10 "), "default");
    assert_eq!(origin("http.shutdown_seconds = 5 "), "settings.toml");
    // The environment overrides the file.
    assert_eq!(origin("http.workers = 2 "), "PRESSLINE__HTTP__WORKERS");
    assert_eq!(
        origin("database.url = \"postgres://someone:****"),
        "PRESSLINE__DATABASE__URL"
    );
    assert_eq!(
        origin("auth.master_key = \"****"),
        "PRESSLINE__AUTH__MASTER_KEY"
    );
    let json = run(&["--json", "config", "print", "--origin"]).json();
    assert_eq!(
        json["http.workers"],
        json!({ "value": 2, "origin": "PRESSLINE__HTTP__WORKERS" })
    );
    for text in [shown, json.to_string()] {
        assert!(
            !text.contains("hidden-word") && !text.contains(crate::common::MASTER_KEY),
            "{text}"
        );
    }
}

#[test]
fn only_migrate_and_the_first_run_create_a_database() {
    let site = Site::without_database();
    let path = site.folder().join("pressline.db");
    // No command of the list may create a file.
    for arguments in [
        vec!["serve"],
        vec!["store", "list"],
        vec!["store", "create", "--name", "x"],
        vec!["catalog", "export"],
        vec!["prices", "export"],
        vec!["shipping", "export"],
        vec!["fees", "export"],
        vec!["order", "list", "--store", "DEMO"],
    ] {
        let ended = Finished::new(site.command().args(&arguments));
        ended.fails(
            3,
            &[
                path.to_str().unwrap(),
                "does not exist",
                "pressline migrate",
            ],
        );
        // Without a configured master key, the command would create one next to the database.
        let ended = Finished::new(site.bare().args(&arguments));
        ended.fails(3, &[path.to_str().unwrap()]);
        assert_eq!(
            fs::read_dir(site.folder()).unwrap().count(),
            0,
            "{arguments:?}"
        );
    }
    site.run(&["migrate"]).ok();
    assert_eq!(site.run(&["--json", "store", "list"]).json(), json!([]));

    let folder = tempfile::tempdir().unwrap();
    let command = || -> Command {
        let mut command = clean_command(folder.path());
        command.env("PRESSLINE__HTTP__LISTEN", "127.0.0.1:0");
        command
    };
    // Without configuration, the default file is used.
    let ended: Finished = command().args(["store", "list"]).output().unwrap().into();
    ended.fails(3, &["data/pressline.db"]);
    assert!(!folder.path().join("data").exists());
    // The first run creates the file and a demo store.
    let server = Server::start(command());
    drop(server);
    let stores: Finished = command()
        .args(["--json", "store", "list"])
        .output()
        .unwrap()
        .into();
    let stores: Value = stores.json();
    assert_eq!(stores[0]["name"], "Demo");
}
