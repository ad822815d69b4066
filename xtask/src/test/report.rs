//! End of a test run: slowest tests, seconds per package, skipped and failed tests.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use pressline_testkit::Postgres;

use super::schedule::Finished;
use crate::error::TaskError;

/// Number of slow tests to list.
const SLOWEST: usize = 10;

/// Prints the report. Returns an error if a program failed, or if no test ran.
pub(crate) fn report(finished: &[Finished]) -> Result<(), TaskError> {
    print_slowest(finished);
    print_packages(finished);
    print_skips(finished);
    let outputs = || finished.iter().flat_map(|finished| &finished.result);
    let passed: usize = outputs().map(|output| output.passed).sum();
    let failed: usize = outputs().map(|output| output.failed.len()).sum();
    eprintln!("xtask: {passed} passed, {failed} failed");
    let failures: Vec<_> = finished.iter().filter_map(failure).collect();
    if !failures.is_empty() {
        return Err(format!("tests failed:\n  {}", failures.join("\n  ")).into());
    }
    if passed == 0 {
        return Err("no test ran: no name matches".into());
    }
    Ok(())
}

/// Returns a line about a failed program; `None` if it passed.
fn failure(finished: &Finished) -> Option<String> {
    let name = finished.program.name();
    match &finished.result {
        Ok(output) if output.success => None,
        Ok(output) => Some(format!("{name}: {}", output.failed.join(", "))),
        Err(reason) => Some(format!("{name}: {reason}")),
    }
}

fn print_slowest(finished: &[Finished]) {
    let mut tests: Vec<(Duration, String)> = finished
        .iter()
        .filter_map(|finished| Some((finished, finished.result.as_ref().ok()?)))
        .flat_map(|(finished, output)| {
            let program = finished.program.name();
            let test_time =
                move |(test, time): &(String, Duration)| (*time, format!("{program} {test}"));
            output.tests.iter().map(test_time)
        })
        .collect();
    tests.sort_by(|left, right| right.cmp(left));
    eprintln!("xtask: the slowest tests:");
    for (time, name) in tests.iter().take(SLOWEST) {
        eprintln!("  {:6.1} s  {name}", time.as_secs_f64());
    }
}

fn print_packages(finished: &[Finished]) {
    let mut packages: BTreeMap<&str, (Duration, usize)> = BTreeMap::new();
    for Finished { program, result } in finished {
        let Ok(output) = result else { continue };
        let (time, tests) = packages.entry(&program.package).or_default();
        *time += output.elapsed;
        *tests += output.passed + output.failed.len();
    }
    eprintln!("xtask: seconds by package (programs run beside each other):");
    for (package, (time, tests)) in packages {
        eprintln!("  {:6.1} s  {tests:5} tests  {package}", time.as_secs_f64());
    }
}

fn print_skips(finished: &[Finished]) {
    let skips: BTreeSet<&String> = finished
        .iter()
        .flat_map(|finished| &finished.result)
        .flat_map(|output| &output.skips)
        .collect();
    if !skips.is_empty() {
        eprintln!("xtask: skipped for want of tools:");
    }
    for skip in skips {
        eprintln!("  {skip}");
    }
}

/// Prints why the tests' PostgreSQL failed, if it did: its log is removed with the cluster.
pub(super) fn print_incidents(postgres: &Postgres) {
    for line in postgres.incidents() {
        eprintln!("xtask: the tests' PostgreSQL: {line}");
    }
}
