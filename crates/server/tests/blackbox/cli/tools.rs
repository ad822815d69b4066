//! Commands for packages, containers and shells.

use std::net::TcpListener;
use std::process::Command;

use crate::common::{Finished, MASTER_KEY, Site, workspace};

#[test]
fn the_version_names_the_commit_and_the_build_date() {
    let version = Site::without_database().run(&["--version"]).ok().out;
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(workspace()).args(arguments);
        Finished::from(command.output().unwrap())
    };
    // A source tarball is not a Git clone.
    let commit = git(&["log", "-1", "--format=%h", "--abbrev=12"]);
    let commit = match commit.code {
        0 => commit.out.trim().to_owned(),
        _ => "unknown".to_owned(),
    };
    let begin = format!("pressline {} (commit ", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(&begin), "{version}");
    if std::env::var_os("PRESSLINE_BUILD_COMMIT").is_none() {
        assert!(version.contains(&commit), "{version}: {commit}");
    }
    assert!(version.contains(", built "), "{version}");
}

#[test]
fn healthcheck_says_whether_the_server_is_ready() {
    let site = Site::sqlite();
    let check = |listen: &str, options: &[&str]| -> Finished {
        let mut command = site.command();
        command.env("PRESSLINE__HTTP__LISTEN", listen);
        let output = command.arg("healthcheck").args(options).output();
        output.unwrap().into()
    };
    let mut server = site.serve();
    let address = server.address.to_string();
    let ready = check(&address, &[]).ok();
    assert_eq!(ready.out, format!("http://{address}/readyz: ready\n"));
    let on_all = format!("0.0.0.0:{}", server.address.port());
    check(&on_all, &["--json"]).ok();

    // The database file is replaced: the server is alive but not ready.
    let file = site.folder().join("pressline.db");
    std::fs::rename(&file, site.folder().join("moved.db")).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1100));
    check(&address, &[]).fails(1, &["not ready: 503", "database"]);
    server.terminate();
    server.wait();
    check(&address, &[]).fails(1, &[&address, "not ready"]);

    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = silent.local_addr().unwrap().to_string();
    check(&silent, &["--timeout", "1"]).fails(1, &[&silent]);
    check("127.0.0.1:0", &[]).fails(1, &["its port is chosen"]);
    check("nowhere", &[]).fails(1, &["http.listen"]);
    check(&address, &["--address", "nowhere"]).fails(1, &["--address: `nowhere`"]);
}

#[test]
fn completions_and_manual_pages_contain_the_commands() {
    let site = Site::without_database();
    for shell in ["bash", "zsh", "fish"] {
        let completions = site.run(&["completions", shell]).ok().out;
        assert!(completions.contains("healthcheck"), "{shell}");
    }
    site.run(&["completions", "csh"]).fails(2, &["bash"]);
    let page = site.run(&["man"]).ok().out;
    assert!(page.contains(".TH pressline 1") && page.contains("healthcheck"));
    site.run(&["man", "--dir", "pages"]).ok();
    let page = site.folder().join("pages/pressline-store-create.1");
    assert!(std::fs::read_to_string(page).unwrap().contains("currency"));
}

#[test]
fn config_check_lists_all_mistakes_with_their_origins() {
    let site = Site::without_database();
    let check = |variables: &[(&str, &str)]| -> Finished {
        let mut command = site.bare();
        command.envs(variables.iter().copied());
        let arguments = ["--config", "shop.toml", "config", "check"];
        command.args(arguments).output().unwrap().into()
    };
    let right = "[http]\nworkers = 2\n[database]\n# url = \"sqlite://shop.db\"\n";
    site.file("shop.toml", right);
    assert_eq!(check(&[]).ok().out, "configuration: no problems\n");

    let wrong = "[http]\nworkers = \"many\"\nlisten = \"here\"\n[egress]\nca_file = \"none.pem\"\n[orderz]\na = 1\n";
    site.file("shop.toml", wrong);
    let database = ("PRESSLINE__DATABASE__URL", "postgres://localhost/x");
    let log = ("PRESSLINE__LOG__FORMAT", "xml");
    let refused = check(&[database, log]);
    refused.fails(
        2,
        &[
            "6 problems",
            "http.workers: `many` is not a whole number from 0 to 512 (set in shop.toml)",
            "http.listen: `here` is not an address and a port",
            "(set in PRESSLINE__LOG__FORMAT)",
            "egress.ca_file: none.pem: No such file",
            "unknown key `orderz.a`",
            "auth.master_key: PostgreSQL needs a master key",
        ],
    );
    site.file("shop.toml", right);
    let key = ("PRESSLINE__AUTH__MASTER_KEY_FILE", "absent.key");
    check(&[key]).fails(
        2,
        &["absent.key", "(set in PRESSLINE__AUTH__MASTER_KEY_FILE)"],
    );
    check(&[database, ("PRESSLINE__AUTH__MASTER_KEY", MASTER_KEY)]).ok();

    let url_file = ("PRESSLINE__DATABASE__URL_FILE", "database-url");
    check(&[url_file]).fails(2, &["database.url_file: set either", "not both"]);
}

#[test]
fn the_address_of_the_database_can_be_in_a_file() {
    let site = Site::without_database();
    let run = |arguments: &[&str]| -> Finished {
        let mut command = site.bare();
        command
            .env_remove("PRESSLINE__DATABASE__URL")
            .env("PRESSLINE__DATABASE__URL_FILE", "database-url");
        command.args(arguments).output().unwrap().into()
    };
    run(&["migrate"]).fails(2, &["database.url_file: database-url: No such file"]);
    site.file("database-url", "sqlite://of-file.db\n");
    run(&["migrate"]).ok();
    assert!(site.folder().join("of-file.db").exists());
    let shown = run(&["config", "print", "--origin"]).ok().out;
    let line = shown
        .lines()
        .find(|line| line.starts_with("database.url "))
        .unwrap();
    assert!(line.ends_with("# database-url"), "{line}");
}
