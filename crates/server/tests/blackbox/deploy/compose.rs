//! `deploy/compose*.yaml`: validated by the Compose schema, and the commands that create secrets.

use std::fs;
use std::process::Command;

use pressline_testkit::tool;

use super::{run, text};
use crate::common::{clean_command, workspace};
use crate::first_run::has_shell_tools;

const PRODUCTION: &str = "deploy/compose.production.yaml";

#[test]
fn compose_files_fit_the_schema() {
    let Some(program) = tool("deploy", "check-jsonschema") else {
        return;
    };
    let files = ["deploy/compose.yaml", PRODUCTION].map(|file| workspace().join(file));
    let mut command = Command::new(program);
    run(command
        .args(["--builtin-schema", "vendor.compose-spec"])
        .args(files))
    .ok();
}

/// Operators' ports are published on the same machine only.
#[test]
fn compose_files_do_not_publish_operators_ports() {
    for file in ["deploy/compose.yaml", PRODUCTION] {
        let file = text(file);
        let published: Vec<&str> = file
            .lines()
            .filter(|line| line.contains(":8081\""))
            .collect();
        assert_eq!(published, ["      - \"127.0.0.1:8081:8081\""]);
    }
}

#[test]
fn the_documented_commands_create_every_secret() {
    if !has_shell_tools() {
        return;
    }
    let document = text("deploy/COMPOSE.md");
    let (_, marked) = document.split_once("<!-- secrets -->\n```sh\n").unwrap();
    let (script, _) = marked.split_once("\n```\n").unwrap();
    let folder = tempfile::tempdir().unwrap();
    run(Command::new("sh")
        .args(["-euc", script])
        .current_dir(folder.path()))
    .ok();
    let production = text(PRODUCTION);
    let files: Vec<&str> = production
        .lines()
        .filter_map(|line| line.trim().strip_prefix("file: "))
        .collect();
    assert_eq!(files.len(), 6, "{files:?}");
    for file in files {
        assert!(
            fs::metadata(folder.path().join(file)).unwrap().len() > 0,
            "{file}"
        );
    }
    let secrets = folder.path().join("secrets");
    let mut verify = Command::new("openssl");
    verify.args([
        "verify",
        "-verify_hostname",
        "database",
        "-CAfile",
        "authority.pem",
        "database.pem",
    ]);
    run(verify.current_dir(&secrets)).ok();
    let mut print = clean_command(&secrets);
    let shown = run(print.args(["--config", "pressline.toml", "config", "print"])).ok();
    assert!(
        shown
            .out
            .contains("@database/pressline?sslmode=verify-full"),
        "{shown:?}"
    );
    assert!(shown.out.contains("/run/secrets/master_key"), "{shown:?}");
}
