//! `cargo xtask test`: every test, with one PostgreSQL cluster for all test programs.

use std::env;
use std::ffi::{OsStr, OsString};
use std::process::Command;
use std::time::Instant;

use pressline_testkit::{Postgres, SHARED_URL_VARIABLE};

use crate::TaskError;
use crate::cargo::{cargo, run as run_command};

/// Runs `cargo test` with `arguments`, for the whole workspace unless they choose packages.
pub(crate) fn run(arguments: &[OsString]) -> Result<(), TaskError> {
    let mut command = command(arguments);
    if env::var_os(SHARED_URL_VARIABLE).is_some() {
        eprintln!("xtask: using the PostgreSQL that {SHARED_URL_VARIABLE} names");
        return run_command(&mut command);
    }
    let begin = Instant::now();
    let postgres = Postgres::start()?;
    eprintln!(
        "xtask: a throw-away PostgreSQL is up after {:.1} s",
        begin.elapsed().as_secs_f64()
    );
    let result = run_command(command.env(SHARED_URL_VARIABLE, postgres.url("postgres")));
    drop(postgres);
    eprintln!(
        "xtask: the throw-away PostgreSQL is removed; tests took {:.0} s",
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
