//! Cost of a request, in figures that are the same on every machine, to detect accidental growth.
//!
//! Allocations are counted per request, and instructions by valgrind, if it is installed. If a
//! bound is exceeded, find the cause (`valgrind --tool=callgrind` on this program). If the growth
//! is justified, update the figure that the failure names. Bounds are about 15 % above the measured
//! allocations, and about 30 % above the measured instructions, which change with the compiler.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends where something is not as it should be, also in the functions that its cases share"
)]

mod service;
mod webhooks;

use std::env;
use std::process::{Command, Stdio};

use pressline_testkit::tool;
use service::{CallCost, Service};

/// Environment variable of the copy of this program that valgrind runs: kind and number of
/// requests.
const SERVE: &str = "PRESSLINE_COST_SERVE";
/// Number of requests whose instructions valgrind counts.
const COUNTED: u32 = 12;

/// Measured: 312. About 90 are for the in-memory store's copy.
const CREATE_ALLOCATIONS: u64 = 400;
/// Measured: 87. About 18 are for the forms of a phone number.
const ROWS_ALLOCATIONS: u64 = 95;
/// Measured: 33.
const REFUSE_ALLOCATIONS: u64 = 38;
/// Measured in a test build: 6.3 million.
const CREATE_INSTRUCTIONS: u64 = 8_200_000;
/// Measured in a test build: 0.65 million.
const REFUSE_INSTRUCTIONS: u64 = 850_000;

#[test]
fn creating_an_order_takes_few_allocations() {
    assert_allocations("create", CREATE_ALLOCATIONS);
}

#[test]
fn the_rows_of_an_order_take_few_allocations() {
    let service = Service::start();
    check("create", &service.call(service.request(true, 1)));
    let made = service.make_rows(1);
    eprintln!("rows: {made} allocations an order");
    assert!(
        made <= ROWS_ALLOCATIONS,
        "{made} allocations for the rows of an order; at most {ROWS_ALLOCATIONS}"
    );
}

#[test]
fn refusing_a_signature_takes_few_allocations() {
    assert_allocations("refuse", REFUSE_ALLOCATIONS);
}

#[test]
fn creating_an_order_takes_few_instructions() {
    assert_instructions("create", CREATE_INSTRUCTIONS);
}

#[test]
fn refusing_a_signature_takes_few_instructions() {
    assert_instructions("refuse", REFUSE_INSTRUCTIONS);
}

/// Run by valgrind. Without the environment variable it does nothing.
#[test]
fn serves_as_many_requests_as_asked() {
    let Ok(task) = env::var(SERVE) else { return };
    let (what, count) = task.split_once(' ').unwrap();
    let count: u32 = count.parse().unwrap();
    let service = Service::start();
    // Always the same number of requests is made, so that two runs differ only in the number
    // served.
    let requests: Vec<_> = (0..2 * COUNTED)
        .map(|number| service.request(what == "create", number))
        .collect();
    for request in requests.into_iter().take(usize::try_from(count).unwrap()) {
        check(what, &service.call(request));
    }
}

fn check(what: &str, called: &CallCost) {
    let status = if what == "create" { 200 } else { 401 };
    assert_eq!(called.status.as_u16(), status, "{what}");
}

/// Checks the minimum of several requests, because sometimes a request also lets a table grow.
fn assert_allocations(what: &str, bound: u64) {
    let service = Service::start();
    let measured = (0..20).map(|number| {
        let called = service.call(service.request(what == "create", number));
        check(what, &called);
        called.allocations
    });
    let least = measured.min().unwrap();
    eprintln!("{what}: {least} allocations a request");
    assert!(
        least <= bound,
        "{what}: {least} allocations a request; at most {bound}"
    );
}

fn assert_instructions(what: &str, bound: u64) {
    let (Some(fewer), Some(more)) = (instructions(what, COUNTED), instructions(what, 2 * COUNTED))
    else {
        return;
    };
    let each = (more - fewer) / u64::from(COUNTED);
    eprintln!("{what}: {each} instructions a request");
    assert!(
        each <= bound,
        "{what}: {each} instructions a request; at most {bound}"
    );
    // If very few instructions are counted, the requests' instructions are missing.
    assert!(
        each > bound / 3,
        "{what}: {each} instructions a request; has it become that cheap?"
    );
}

/// Returns the instructions of a run of this program that serves `count` requests; `None` without
/// valgrind.
fn instructions(what: &str, count: u32) -> Option<u64> {
    let run = Command::new(tool("valgrind", "valgrind")?)
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(env::current_exe().unwrap())
        .args([
            "--exact",
            "serves_as_many_requests_as_asked",
            "--test-threads=1",
        ])
        .env(SERVE, format!("{what} {count}"))
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let output = String::from_utf8_lossy(&run.stderr);
    assert!(
        run.status.success(),
        "{output}{}",
        String::from_utf8_lossy(&run.stdout)
    );
    let collected = output
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    Some(
        collected
            .and_then(|(_, count)| count.trim().parse().ok())
            .unwrap_or_else(|| panic!("{output}")),
    )
}
