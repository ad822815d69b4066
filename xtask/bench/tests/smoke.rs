//! Runs every task of the bench at its smallest size, with a debug build of the server: the tasks
//! work, and each goal gets its figure. The figures themselves mean nothing.

#![expect(clippy::unwrap_used, reason = "a test ends where something is amiss")]

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What the bench says where Node or the packages of the peer are missing.
const LEFT_OUT: &str = "the Fastify peer is left out";

/// The debug server in the folder of the bench. `cargo xtask test` has built it for the tests of its
/// own package; it is built here only if there is none, because a build of one package alone can
/// have other features of the libraries, which would then be compiled again in each run.
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

/// The list of this name in a part of the report.
fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).unwrap().as_array().unwrap()
}

/// Returns a figure of a table, by the beginning of its row and the heading of its column.
fn figure(report: &Value, title: &str, begin: &str, column: &str) -> f64 {
    let mut tables = list(report, "tables").iter();
    let table = tables
        .find(|table| table.get("title").unwrap() == title)
        .unwrap();
    let mut head = list(table, "head").iter();
    let at = head.position(|heading| heading == column).unwrap();
    let mut rows = list(table, "rows").iter();
    let row = rows
        .find(|row| row.get(0).unwrap().as_str().unwrap().starts_with(begin))
        .unwrap();
    // Thousands are separated by commas.
    let text = row.get(at).unwrap().as_str().unwrap().replace(',', "");
    text.parse().unwrap()
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
    let without_fastify = errors.lines().find(|line| line.contains(LEFT_OUT));
    if let Some(line) = without_fastify {
        // Not by a macro, whose output is hidden where a test passes.
        writeln!(io::stderr(), "{line}").unwrap();
    }

    let text = fs::read(folder.path().join("report.json")).unwrap();
    let report: Value = serde_json::from_slice(&text).unwrap();
    let goals = report["goals"].as_array().unwrap();
    let missing: Vec<&str> = goals
        .iter()
        .filter(|goal| goal["figure"].is_null())
        .filter_map(|goal| goal["goal"].as_str())
        .filter(|goal| without_fastify.is_none() || !goal.contains("fastify"))
        .collect();
    assert!(missing.is_empty(), "not measured: {missing:?}\n{errors}");

    writes_are_the_same(&report);
}

/// The peer must write what the service writes, or the comparison means nothing.
fn writes_are_the_same(report: &Value) {
    // The number of words varies from order to order, and these are few orders.
    let title = "create, PostgreSQL, one store";
    let pairs = [
        ("pressline, 4", "pgbench, one CTE"),
        (
            "pressline, 4 connections, orders of 100",
            "pgbench, orders of 100",
        ),
    ];
    for (ours, theirs) in pairs {
        let [rows, entries] = ["rows", "index entries"].map(|column| {
            figure(report, title, ours, column) / figure(report, title, theirs, column)
        });
        assert!(
            (0.99..1.01).contains(&rows),
            "{ours} : {theirs}, rows: {rows}"
        );
        assert!(
            (0.8..1.2).contains(&entries),
            "{ours} : {theirs}, index entries: {entries}"
        );
    }
    for (title, tables) in [
        (
            "create, PostgreSQL, what an order adds",
            &["orders", "line_items", "order_states", "order_events"][..],
        ),
        ("update, PostgreSQL, what it adds", &["order_events"]),
        ("move, PostgreSQL, what it adds", &["order_events"]),
    ] {
        for table in tables {
            let [ours, theirs] = ["", "pgbench's "].map(|whose| {
                let of = |what: &str| figure(report, title, table, &format!("{whose}{what}"));
                of("bytes in rows") / of("rows")
            });
            assert!(
                (0.85..1.15).contains(&(ours / theirs)),
                "{title}: a row of {table} has {ours} bytes, pgbench's {theirs}"
            );
        }
    }
}
