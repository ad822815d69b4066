//! `cargo xtask ci`: all checks that must pass before a change is merged.

use std::time::Instant;

use crate::cargo::{cargo, run as run_command};
use crate::error::TaskError;
use crate::{advisories, generated, layers, licences, prose, test, tidy};

/// Name and function of a check.
type Step = (&'static str, fn() -> Result<(), TaskError>);

/// Quick checks first. Clippy and the documentation share compiled dependencies, and so do the
/// tests and the generated files.
const STEPS: [Step; 10] = [
    ("fmt", fmt),
    ("tidy", tidy::run),
    ("prose", || prose::run(false)),
    ("check-layers", layers::run),
    ("licences", licences::run),
    ("advisories", advisories::run),
    (TEST, || test::run(&test::Arguments::default())),
    ("generated", || generated::run(false)),
    ("clippy", clippy),
    ("doc", doc),
];

const TEST: &str = "test";

/// Runs every step, even after a failure, and lists the failed steps at the end. Leaves the tests
/// out unless `with_tests` is `true`.
pub(crate) fn run(with_tests: bool) -> Result<(), TaskError> {
    let begin = Instant::now();
    let mut failures = Vec::new();
    for (name, step) in STEPS
        .into_iter()
        .filter(|(name, _)| with_tests || *name != TEST)
    {
        eprintln!("xtask: {name} …");
        let step_begin = Instant::now();
        let result = step();
        let seconds = step_begin.elapsed().as_secs_f64();
        // A failure does not end the run: all findings are reported together.
        match result {
            Ok(()) => eprintln!("xtask: {name} passed ({seconds:.1} s)"),
            Err(failure) => {
                eprintln!("xtask: {name} FAILED ({seconds:.1} s)\n{failure}");
                failures.push(name);
            }
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    if failures.is_empty() {
        eprintln!("xtask: all passed ({seconds:.0} s)");
        return Ok(());
    }
    Err(format!("failed: {} ({seconds:.0} s in all)", failures.join(", ")).into())
}

fn fmt() -> Result<(), TaskError> {
    run_command(&mut cargo(["fmt", "--all", "--check"]))
}

fn clippy() -> Result<(), TaskError> {
    // After `--`, because in RUSTFLAGS it would cause a separate build of every dependency.
    run_command(&mut cargo([
        "clippy",
        "--locked",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))
}

fn doc() -> Result<(), TaskError> {
    run_command(
        cargo(["doc", "--locked", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
    )
}
