//! Database tests on other ways to run PostgreSQL.

use std::time::Instant;

use pressline_testkit::{
    FOLDER_VARIABLE, POOLER_VARIABLE, Postgres, SHARED_URL_VARIABLE, VARIANT_VARIABLE, Variant,
    try_skip, wheel_folder,
};

use super::program::Program;
use super::report::{print_incidents, report};
use super::schedule::{Surroundings, run as run_programs};
use crate::error::TaskError;

/// Variant with the newest PostgreSQL version in the Python package index.
const WHEEL: &str = "wheel";

/// Variants that `--all` adds to the plain server.
const OTHERS: [&str; 4] = ["partitions", "pgbouncer", "citus", WHEEL];

/// Package and target of programs whose tests `postgres::…` use a service's database.
const DATABASE_PROGRAMS: [(&str, &str); 2] = [
    ("pressline-store-postgres", "contract"),
    ("pressline", "blackbox"),
];

/// Black-box tests that run on the plain server only: their subject does not depend on the variant,
/// or the contract suite covers it.
const NOT_REPEATED: [&str; 7] = [
    "bad_input::",
    "cli::",
    "large_orders::",
    "master_key::",
    "pricing::",
    "texts::",
    "worked_example::",
];

/// Black-box tests that restore a copy of the database. On Citus, each test has a schema of a shared
/// database, and PostgreSQL copies only databases.
const NOT_ON_CITUS: [&str; 3] = [
    "restored::postgres::a_restored_order_has_a_version_that_was_never_used",
    "restored::postgres::lost_writes_that_are_not_skipped_are_noticed",
    "restored::postgres::nothing_is_given_away_twice_after_a_restore",
];

/// Runs all variants except the plain server; returns their failures.
pub(crate) fn run_all(programs: &[Program]) -> Vec<String> {
    let failed = |name: &str| {
        let error = run(name, programs).err()?;
        Some(format!("variant {name}: {error}"))
    };
    OTHERS.into_iter().filter_map(failed).collect()
}

/// Runs the variant `name` on its own cluster. Skips it if a required program is not installed.
pub(crate) fn run(name: &str, programs: &[Program]) -> Result<(), TaskError> {
    let begin = Instant::now();
    let result = if name == WHEEL {
        on_wheel(programs)
    } else {
        on_cluster(Variant::named(name)?, programs)
    };
    eprintln!(
        "xtask: the variant {name} took {:.0} s",
        begin.elapsed().as_secs_f64()
    );
    result
}

/// Runs `variant` on the running server at `url`.
pub(crate) fn on_server(
    variant: Variant,
    url: &str,
    programs: &[Program],
) -> Result<(), TaskError> {
    report(&run_programs(
        database_programs(programs),
        &surroundings(variant, url),
    ))
}

fn on_cluster(variant: Variant, programs: &[Program]) -> Result<(), TaskError> {
    eprintln!(
        "xtask: variant {} ({}) …",
        variant.name(),
        variant.summary()
    );
    let postgres = Postgres::start()?;
    let pooler = match variant.start_pooler(&postgres) {
        Ok(pooler) => pooler,
        Err(error) => {
            let group = error.missing_group().ok_or_else(|| error.clone())?;
            let reason = format!("variant {}: {error}", variant.name());
            return Ok(try_skip(group, reason)?);
        }
    };
    let mut surroundings = surroundings(variant, &postgres.url("postgres"));
    if let Some(pooler) = &pooler {
        let address = pooler.address().to_owned();
        surroundings
            .variables
            .push((POOLER_VARIABLE.to_owned(), address));
    }
    skip(&mut surroundings, &NOT_REPEATED);
    if variant == Variant::Citus {
        skip(&mut surroundings, &NOT_ON_CITUS);
    }
    let finished = run_programs(database_programs(programs), &surroundings);
    print_incidents(&postgres);
    report(&finished)
}

/// Runs all tests of the PostgreSQL store, because plans and messages depend on the server's
/// version, and the black-box tests.
fn on_wheel(programs: &[Program]) -> Result<(), TaskError> {
    let wheel = wheel_folder()?;
    eprintln!(
        "xtask: variant {WHEEL} (PostgreSQL in {}) …",
        wheel.display()
    );
    let postgres = Postgres::options().programs(wheel.clone()).start()?;
    let mut black_box = surroundings(Variant::Plain, &postgres.url("postgres"));
    let folder = wheel.to_string_lossy().into_owned();
    // For tests that start their own cluster.
    black_box
        .variables
        .push((FOLDER_VARIABLE.to_owned(), folder));
    let store = Surroundings {
        arguments: Vec::new(),
        variables: black_box.variables.clone(),
    };
    skip(&mut black_box, &NOT_REPEATED);
    let of_package = |package: &str| -> Vec<Program> {
        let all = programs.iter().filter(|program| program.package == package);
        all.cloned().collect()
    };
    let mut finished = run_programs(of_package("pressline-store-postgres"), &store);
    let server = of_package("pressline")
        .into_iter()
        .filter(|program| program.target == "blackbox")
        .collect();
    finished.extend(run_programs(server, &black_box));
    print_incidents(&postgres);
    report(&finished)
}

fn database_programs(programs: &[Program]) -> Vec<Program> {
    let is_database = |program: &&Program| {
        DATABASE_PROGRAMS.contains(&(program.package.as_str(), program.target.as_str()))
    };
    programs.iter().filter(is_database).cloned().collect()
}

fn surroundings(variant: Variant, url: &str) -> Surroundings {
    Surroundings {
        arguments: vec!["postgres::".to_owned()],
        variables: vec![
            (SHARED_URL_VARIABLE.to_owned(), url.to_owned()),
            (VARIANT_VARIABLE.to_owned(), variant.name().to_owned()),
        ],
    }
}

fn skip(surroundings: &mut Surroundings, tests: &[&str]) {
    for name in tests {
        surroundings
            .arguments
            .extend(["--skip".to_owned(), (*name).to_owned()]);
    }
}
