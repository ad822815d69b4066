//! Runs every task of the bench at its smallest size with a debug build of the server. Checks that
//! the tasks work and that each goal gets a figure. The figures themselves have no meaning.

#![expect(clippy::unwrap_used, reason = "a test ends where something is amiss")]

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Message about a missing program, and the part of goal ids that then have no figure.
const LEFT_OUT: [(&str, &str); 2] = [
    ("the Fastify peer is left out", "fastify"),
    ("skipped (citus)", "citus"),
];

/// Path of the debug server, next to the bench. `cargo xtask test` has built it for the tests of
/// its own package. It is built here only if it is missing: a build of a single package can have
/// other features of the libraries, which would then be compiled again in each run.
fn server() -> PathBuf {
    let bench = Path::new(env!("CARGO_BIN_EXE_pressline-bench"));
    let server = bench.with_file_name("pressline");
    if !server.exists() {
        let build = ["build", "--locked", "--package", "pressline"];
        let status = Command::new(env!("CARGO")).args(build).status().unwrap();
        assert!(status.success(), "the server cannot be built");
    }
    server
}

/// Value of `figure` of `candidate` in the first round.
fn figure(report: &Value, candidate: &str, figure: &str) -> f64 {
    let tables = report["tables"].as_array().unwrap().iter();
    let mut candidates = tables.flat_map(|table| table["candidates"].as_array().unwrap());
    let rounds = candidates
        .find(|named| named.get(0).unwrap() == candidate)
        .unwrap();
    let figure = rounds.pointer(&format!("/1/0/{figure}"));
    figure.unwrap().as_f64().unwrap()
}

#[test]
fn every_task_works_and_every_goal_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_pressline-bench"))
        .args(["--tiny", "--server"])
        .arg(server())
        .arg("--output")
        .arg(folder.path())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let left_out = LEFT_OUT.map(|(line, goals)| errors.contains(line).then_some(goals));
    for line in errors.lines() {
        if LEFT_OUT.iter().any(|(said, _)| line.contains(said)) {
            // Not by `eprintln!`, whose output is hidden if the test passes.
            writeln!(io::stderr(), "{line}").unwrap();
        }
    }

    let text = fs::read(folder.path().join("report.json")).unwrap();
    let report: Value = serde_json::from_slice(&text).unwrap();
    let goals = report["goals"].as_array().unwrap().iter();
    let missing = goals.filter(|goal| goal["figure"].is_null());
    let missing = missing.filter_map(|goal| goal["id"].as_str());
    let missing: Vec<&str> = missing
        .filter(|id| !left_out.iter().flatten().any(|goals| id.contains(goals)))
        .collect();
    assert!(missing.is_empty(), "not measured: {missing:?}\n{errors}");

    // pgbench must write the same amount as the service, or the comparison is meaningless.
    for (ours, theirs, rows, bytes) in [
        ("create, 64 connections", "create, pgbench", 0.01, 0.05),
        // Clients of pgbench sometimes draw the same order at the same time; the second update then
        // changes nothing. With few updates, the events also differ in the changed fields.
        ("update, PostgreSQL", "update, pgbench", 0.2, 0.2),
    ] {
        for (name, tolerance) in [("rows", rows), ("row_bytes", bytes)] {
            let [ours, theirs] = [ours, theirs].map(|candidate| figure(&report, candidate, name));
            let difference = (ours / theirs - 1.0).abs();
            assert!(difference < tolerance, "{name}: {ours}, pgbench {theirs}");
        }
    }
}
