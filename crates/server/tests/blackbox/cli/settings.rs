//! The configuration and the master key: refused values and shown values.

use std::fs;

use crate::common::{Finished, MASTER_KEY, Site};

#[test]
fn an_invalid_setting_is_refused_by_name() {
    let site = Site::sqlite();
    let run = |name: &str, value: &str| -> Finished {
        site.command()
            .env(name, value)
            .args(["store", "list"])
            .output()
            .unwrap()
            .into()
    };
    run("PRESSLINE__HTTP__LISTENN", "x").fails(2, &["http.listenn", "http.listen`"]);
    run("PRESSLINE__DATABASE__PULL_SIZE", "3").fails(2, &["database.pool_size"]);
    run("PRESSLINE__DATABASE__POOL_SIZE", "many").fails(2, &["pool_size"]);
    run("PRESSLINE__DATABASE__POOL_WAIT_MS", "5000").fails(2, &["database.pool_wait_ms", "2000"]);
    run("PRESSLINE__DATABASE__URL", "mysql://x/y")
        .fails(2, &["database.url", "sqlite://", "postgres://"]);

    let file = site.file(
        "settings.toml",
        "[http]\nlisten = \"127.0.0.1:1\"\nworker = 3\n",
    );
    let with = |file: &str| site.run(&["--config", file, "store", "list"]);
    with(file.to_str().unwrap()).fails(2, &["http.worker`", "http.workers"]);
    with("missing.toml").fails(2, &["missing.toml"]);
    site.file("broken.toml", "[http\n");
    with("broken.toml").fails(2, &["broken.toml"]);
    // The environment overrides a file, and a file overrides the defaults.
    site.file(
        "good.toml",
        "[http]\nlisten = \"127.0.0.1:1\"\nworkers = 7\n[rate_limit]\nburst = 77\n",
    );
    let shown = site
        .run(&["--config", "good.toml", "config", "print"])
        .ok()
        .out;
    for line in ["listen = \"127.0.0.1:0\"", "workers = 2", "burst = 77"] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
}

#[test]
fn an_invalid_master_key_is_refused() {
    let site = Site::sqlite();
    let with = |name: &str, value: &str| -> Finished {
        let mut command = site.bare();
        command
            .env(name, value)
            .args(["store", "create", "--name", "x"])
            .output()
            .unwrap()
            .into()
    };
    for key in ["short", &"g".repeat(64), &"a".repeat(63)] {
        let ended = with("PRESSLINE__AUTH__MASTER_KEY", key);
        assert!([1, 2].contains(&ended.code), "{ended:?}");
        assert!(
            ended.err.contains("master key") && !ended.err.contains(key),
            "{ended:?}"
        );
    }
    let ended = with("PRESSLINE__AUTH__MASTER_KEY_FILE", "missing.key");
    assert!(
        ended.code != 0 && ended.err.contains("missing.key"),
        "{ended:?}"
    );
    let file = site.file("open.key", MASTER_KEY);
    set_mode(&file, 0o644);
    let ended = with("PRESSLINE__AUTH__MASTER_KEY_FILE", "open.key");
    assert!(
        ended.code != 0 && ended.err.contains("open.key"),
        "others can read it: {ended:?}"
    );
    set_mode(&file, 0o600);
    with("PRESSLINE__AUTH__MASTER_KEY_FILE", "open.key").ok();
}

#[test]
fn a_url_file_has_the_rule_of_the_master_key_file() {
    let site = Site::sqlite();
    let file = site.file("url", "postgres://someone:hidden@127.0.0.1:1/shop\n");
    let list = || -> Finished {
        let mut command = site.bare();
        command
            .env_remove("PRESSLINE__DATABASE__URL")
            .env("PRESSLINE__DATABASE__URL_FILE", "url")
            .env("PRESSLINE__AUTH__MASTER_KEY", MASTER_KEY);
        command.args(["store", "list"]).output().unwrap().into()
    };
    for mode in [0o644, 0o604, 0o660, 0o602] {
        set_mode(&file, mode);
        let ended = list();
        let reason = format!("database.url_file: url is open to others (mode {mode:04o})");
        ended.fails(2, &[&reason, "chmod 600"]);
        assert!(!ended.err.contains("hidden"), "{ended:?}");
    }
    // Nothing listens on port 1, but the file is read.
    for mode in [0o600, 0o400] {
        set_mode(&file, mode);
        list().fails(3, &["Connection refused"]);
    }
}

fn set_mode(file: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_configuration_is_shown_without_its_secrets() {
    let site = Site::sqlite();
    let url = "postgres://someone:hidden-word@db.internal/shop?password=hidden-word";
    for arguments in [vec!["config", "print"], vec!["--json", "config", "print"]] {
        let mut command = site.command();
        command.env("PRESSLINE__DATABASE__URL", url);
        let shown = Finished::from(command.args(arguments).output().unwrap())
            .ok()
            .out;
        assert!(
            shown.contains("someone") && shown.contains("db.internal"),
            "{shown}"
        );
        assert!(
            !shown.contains("hidden-word") && !shown.contains(MASTER_KEY),
            "{shown}"
        );
    }
    let json = site.run(&["--json", "config", "print"]).json();
    assert_eq!(json["http"]["workers"], 2);
    assert_eq!(json["rate_limit"]["enabled"], false);
    // The printed configuration is a valid configuration file.
    let defaults = site.run(&["config", "print", "--defaults"]).ok().out;
    site.file("defaults.toml", &defaults);
    site.run(&["--config", "defaults.toml", "store", "list"])
        .ok();
}
