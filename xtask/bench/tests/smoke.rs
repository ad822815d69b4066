//! Runs every task of the bench at its smallest size, with a debug build of the server: the tasks work, and each goal gets
//! its figure. The figures themselves mean nothing.

#![expect(clippy::unwrap_used, reason = "a test ends where something is amiss")]

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What the bench says about a missing program, and what the ids of the goals contain that then get no figure.
const LEFT_OUT: [(&str, &str); 2] = [
    ("the Fastify peer is left out", "fastify"),
    ("skipped what needs Citus", "citus"),
];

/// The debug server in the folder of the bench. `cargo xtask test` has built it for the tests of its own package; it is
/// built here only if there is none, because a build of one package alone can have other features of the libraries, which
/// would then be compiled again in each run.
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

/// Returns a figure of a candidate.
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
            // Not by a macro, whose output is hidden where a test passes.
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

    // The peer must write what the service writes, or the comparison means nothing.
    for (ours, theirs, rows, bytes) in [
        ("create, 64 connections", "create, pgbench", 0.01, 0.05),
        // Clients of pgbench draw the same order at the same time now and then: the second of them changes nothing. And the
        // events of few updates differ in the fields that change.
        ("update, PostgreSQL", "update, pgbench", 0.2, 0.2),
    ] {
        for (name, tolerance) in [("rows", rows), ("row_bytes", bytes)] {
            let [ours, theirs] = [ours, theirs].map(|candidate| figure(&report, candidate, name));
            let difference = (ours / theirs - 1.0).abs();
            assert!(difference < tolerance, "{name}: {ours}, pgbench {theirs}");
        }
    }
}
