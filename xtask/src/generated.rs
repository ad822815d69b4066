//! `cargo xtask generated`: files that are written by programs and kept in the repository.
//!
//! Each is checked by a test of the crate that knows its source, in a test target of a common name:
//! the test compares, and rewrites the file where the environment has `UPDATE=1`. All of them
//! are run as one command over the whole workspace, because a choice of packages would choose other
//! features, and so build everything again.

use crate::cargo::{cargo, run as run_command};
use crate::error::TaskError;

/// The names of the test targets that hold such tests.
const TARGETS: [&str; 1] = ["golden"];

/// Runs the tests, which compare, or write with `update`.
pub(crate) fn run(update: bool) -> Result<(), TaskError> {
    let mut command = cargo(["test", "--locked", "--workspace"]);
    for target in TARGETS {
        command.args(["--test", target]);
    }
    if update {
        command.env("UPDATE", "1");
    } else {
        command.env_remove("UPDATE");
    }
    run_command(&mut command)
}
