//! Every task of the bench at its smallest size, with a debug build of the server: the tasks work,
//! and each goal gets its figure.

#![expect(clippy::unwrap_used, reason = "a test ends where something is amiss")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The debug server, which is next to the programs of the tests. Builds it where only this test is
/// run, and nothing has built it.
fn server() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_pressline-bench"))
        .parent()
        .unwrap();
    let status = Command::new(env!("CARGO"))
        .args(["build", "--locked", "--package", "pressline"])
        .status()
        .unwrap();
    assert!(status.success());
    folder.join("pressline")
}

#[test]
fn every_task_works_and_every_goal_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_pressline-bench"))
        .args(["all", "--tiny", "--server"])
        .arg(server())
        .arg("--output")
        .arg(folder.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = fs::read(folder.path().join("report.json")).unwrap();
    let report: Value = serde_json::from_slice(&text).unwrap();
    let goals = report["goals"].as_array().unwrap();
    let missing: Vec<&str> = goals
        .iter()
        .filter(|goal| goal["figure"].is_null())
        .filter_map(|goal| goal["goal"].as_str())
        // Where Node is missing, the peer is left out.
        .filter(|goal| !goal.contains("fastify"))
        .collect();
    assert!(missing.is_empty(), "not measured: {missing:?}\n{errors}");
}
