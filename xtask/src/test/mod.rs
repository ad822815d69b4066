//! `cargo xtask test`: builds the test programs and runs them in parallel, with a shared PostgreSQL
//! cluster. With `--all`, the database tests also run on each variant of PostgreSQL.

use std::env;
use std::time::Instant;

use pressline_testkit::{Postgres, SHARED_URL_VARIABLE, Variant};

use crate::error::TaskError;

mod arguments;
mod output;
mod program;
mod report;
mod schedule;
mod variants;

pub(crate) use arguments::Arguments;
use program::Program;
use schedule::Surroundings;

/// Sizes of random and long tests with `--all`, unless the environment sets them. Otherwise these
/// tests use their own smaller defaults.
const LONG_RUNS: [(&str, &str); 8] = [
    ("PRESSLINE_CONTRACT_STEPS", "1000"),
    ("PRESSLINE_TEST_FEED_CURSORS", "100"),
    ("PRESSLINE_TEST_FEED_KILLS", "2"),
    ("PRESSLINE_TEST_NODE_KILLS", "2"),
    ("PRESSLINE_TEST_TRACKING_NUMBERS", "500"),
    ("PRESSLINE_TEST_DEAD_EVENTS", "3000"),
    ("PRESSLINE_TEST_DUE_ORDERS", "2000"),
    ("PRESSLINE_TEST_MUTATED_FILES", "5000"),
];

/// Runs the tests that `arguments` select.
pub(crate) fn run(arguments: &Arguments) -> Result<(), TaskError> {
    let begin = Instant::now();
    let programs = program::build(&arguments.selection())?;
    let built = begin.elapsed().as_secs_f64();
    eprintln!(
        "xtask: built {} test programs in {built:.0} s",
        programs.len()
    );
    let result = run_on_cluster(arguments, &programs);
    eprintln!(
        "xtask: tests took {:.0} s, {built:.0} s of it to build them",
        begin.elapsed().as_secs_f64()
    );
    result
}

fn run_on_cluster(arguments: &Arguments, programs: &[Program]) -> Result<(), TaskError> {
    if let Some(url) = &arguments.database_url {
        let name = arguments.variant.as_deref();
        let variant = name.map_or(Ok(Variant::Plain), Variant::named)?;
        return variants::on_server(variant, url, programs);
    }
    if let Some(name) = &arguments.variant {
        return variants::run(name, programs);
    }
    if let Ok(url) = env::var(SHARED_URL_VARIABLE) {
        eprintln!("xtask: using the PostgreSQL that {SHARED_URL_VARIABLE} names");
        return run_plain(arguments, programs, url);
    }
    let postgres = Postgres::start()?;
    let mut failures = Vec::new();
    let plain = run_plain(arguments, programs, postgres.url("postgres"));
    failures.extend(plain.err().map(|error| error.to_string()));
    report::print_incidents(&postgres);
    // Stopped before the variants start their own clusters.
    drop(postgres);
    if arguments.all {
        failures.extend(variants::run_all(programs));
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(failures.join("\n").into())
}

/// Runs the selected programs once, on the embedded database and on the PostgreSQL at `url`.
fn run_plain(arguments: &Arguments, programs: &[Program], url: String) -> Result<(), TaskError> {
    let mut programs = programs.to_vec();
    if arguments.with_documentation() {
        programs.push(Program::documentation(&arguments.packages()));
    }
    let mut variables = vec![(SHARED_URL_VARIABLE.to_owned(), url)];
    // Variables of the caller take precedence.
    if arguments.all {
        let long = LONG_RUNS.map(|(name, value)| (name.to_owned(), value.to_owned()));
        variables.extend(
            long.into_iter()
                .filter(|(name, _)| env::var_os(name).is_none()),
        );
    }
    let surroundings = Surroundings {
        arguments: [&arguments.filters[..], &arguments.harness].concat(),
        variables,
    };
    report::report(&schedule::run(programs, &surroundings))
}
