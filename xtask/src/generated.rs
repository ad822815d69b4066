//! `cargo xtask generated`: checks or rewrites generated files of the repository.
//!
//! Each file is checked by a test of the crate that generates it, in a test target with a common
//! name. The test compares the file, and rewrites it if the environment contains `UPDATE=1`. A
//! single command tests the whole workspace: a selection of packages would have other features, and
//! everything would be built again.

use crate::cargo::{cargo, run as run_command};
use crate::error::TaskError;

/// Names of the test targets that check generated files.
const TARGETS: [&str; 1] = ["golden"];

/// Runs the tests. They rewrite the files if `update` is set, else they compare them.
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
