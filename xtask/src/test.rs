//! `cargo xtask test`: every test, with one PostgreSQL cluster for all test programs; then the tests of
//! the databases again, with each variant of PostgreSQL.

use std::env;
use std::ffi::{OsStr, OsString};
use std::process::Command;
use std::time::Instant;

use pressline_testkit::{
    POOLER_VARIABLE, Postgres, SHARED_URL_VARIABLE, VARIANT_VARIABLE, Variant,
};

use crate::TaskError;
use crate::cargo::{cargo, run as run_command};

/// The tests of the databases: the contract suite of the PostgreSQL store, and the black box tests that
/// run on both databases. All packages are named, so that nothing is built again with other features.
const DATABASE_TESTS: [&str; 8] = [
    "test",
    "--locked",
    "--workspace",
    "--no-fail-fast",
    "--test=contract",
    "--test=blackbox",
    "--",
    "postgres::",
];

/// Black box tests that are not repeated with each variant: what they are about does not depend on the
/// way to run PostgreSQL, or the contract suite covers it. They are 41 of 96.
const NOT_REPEATED: [&str; 7] = [
    "bad_input::",
    "cli::",
    "large_orders::",
    "master_key::",
    "pricing::",
    "texts::",
    "worked_example::",
];

/// What to run, besides the arguments of `cargo test`.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    /// A PostgreSQL server to use instead of a temporary one; then only the tests of the databases run.
    pub(crate) database_url: Option<String>,
    /// The only variant to run.
    pub(crate) variant: Option<String>,
}

/// Runs all tests and then those of the databases with each variant. With `arguments` of `cargo
/// test`, only the tests that they choose are run; with a choice, only the tests of the databases.
pub(crate) fn run(choice: &Choice, arguments: &[OsString]) -> Result<(), TaskError> {
    let variant = choice.variant.as_deref().map(Variant::named).transpose()?;
    if let Some(url) = &choice.database_url {
        let variant = variant.unwrap_or(Variant::Plain);
        return run_timed(variant, &mut database_tests(variant, url));
    }
    if env::var_os(SHARED_URL_VARIABLE).is_some() {
        eprintln!("xtask: using the PostgreSQL that {SHARED_URL_VARIABLE} names");
        return run_command(&mut command(arguments));
    }
    let begin = Instant::now();
    let postgres = Postgres::start()?;
    eprintln!(
        "xtask: a throw-away PostgreSQL is up after {:.1} s",
        begin.elapsed().as_secs_f64()
    );
    let result = match variant {
        Some(variant) => on_cluster(variant, &postgres),
        None => run_all(arguments, &postgres),
    };
    drop(postgres);
    eprintln!(
        "xtask: the throw-away PostgreSQL is removed; tests took {:.0} s",
        begin.elapsed().as_secs_f64()
    );
    result
}

fn run_all(arguments: &[OsString], postgres: &Postgres) -> Result<(), TaskError> {
    let mut command = command(arguments);
    let tests = run_command(command.env(SHARED_URL_VARIABLE, postgres.url("postgres")));
    if !arguments.is_empty() {
        return tests;
    }
    let mut failures: Vec<String> = tests.err().iter().map(ToString::to_string).collect();
    let others = Variant::ALL.into_iter().filter(|v| *v != Variant::Plain);
    for variant in others {
        if let Err(error) = on_cluster(variant, postgres) {
            failures.push(format!("{}: {error}", variant.name()));
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    Err(failures.join("\n").into())
}

/// Runs the tests of a variant on a temporary cluster. One whose parts are not installed is skipped.
fn on_cluster(variant: Variant, postgres: &Postgres) -> Result<(), TaskError> {
    let pooler = match variant.start_pooler(postgres) {
        Ok(pooler) => pooler,
        Err(missing) if missing.is_missing_part() => {
            eprintln!("xtask: skipped the variant {}: {missing}", variant.name());
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let mut command = database_tests(variant, &postgres.url("postgres"));
    if let Some(pooler) = &pooler {
        command.env(POOLER_VARIABLE, pooler.address());
    }
    for tests in NOT_REPEATED {
        command.args(["--skip", tests]);
    }
    run_timed(variant, &mut command)
}

/// Returns the command that runs the tests of the databases on a server.
fn database_tests(variant: Variant, url: &str) -> Command {
    let mut command = cargo(DATABASE_TESTS);
    command
        .env(SHARED_URL_VARIABLE, url)
        .env(VARIANT_VARIABLE, variant.name());
    command
}

fn run_timed(variant: Variant, command: &mut Command) -> Result<(), TaskError> {
    let begin = Instant::now();
    eprintln!(
        "xtask: the variant {} ({}) …",
        variant.name(),
        variant.summary()
    );
    let result = run_command(command);
    eprintln!(
        "xtask: the variant {} took {:.0} s",
        variant.name(),
        begin.elapsed().as_secs_f64()
    );
    result
}

fn command(arguments: &[OsString]) -> Command {
    let mut command = cargo(["test", "--locked"]);
    let of_cargo = || arguments.iter().take_while(|argument| *argument != "--");
    if !of_cargo().any(|argument| chooses_packages(argument)) {
        command.arg("--workspace");
    }
    // One failure does not hide the others.
    if !of_cargo().any(|argument| argument == "--no-fail-fast") {
        command.arg("--no-fail-fast");
    }
    command.args(arguments);
    command
}

fn chooses_packages(argument: &OsStr) -> bool {
    let argument = argument.to_string_lossy();
    ["--package", "--workspace", "--all"].contains(&argument.as_ref())
        || argument.starts_with("--package=")
        || (argument.starts_with("-p") && !argument.starts_with("--"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(arguments: &[&str]) -> String {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let command = command(&arguments);
        let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
        words.join(" ")
    }

    #[test]
    fn tests_the_workspace_unless_packages_are_chosen() {
        assert_eq!(typed(&[]), "test --locked --workspace --no-fail-fast");
        assert_eq!(
            typed(&["orders"]),
            "test --locked --workspace --no-fail-fast orders"
        );
        assert_eq!(
            typed(&["-p", "xtask"]),
            "test --locked --no-fail-fast -p xtask"
        );
        assert_eq!(
            typed(&["--package=xtask"]),
            "test --locked --no-fail-fast --package=xtask"
        );
    }

    #[test]
    fn what_follows_two_dashes_is_not_for_cargo() {
        assert_eq!(
            typed(&["--", "-p"]),
            "test --locked --workspace --no-fail-fast -- -p"
        );
    }
}
