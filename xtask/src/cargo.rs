//! Runs programs in the workspace, mainly cargo.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand};

use crate::error::TaskError;

/// Returns the workspace's root folder.
pub(crate) fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// Returns a cargo command in the workspace, with the cargo that runs this task.
pub(crate) fn cargo<I, S>(arguments: I) -> Command
where
    I: IntoIterator<Item = S>,
    S: AsRef<OsStr>,
{
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    command
}

pub(crate) fn git() -> Command {
    let mut git = Command::new("git");
    // On build machines, the clone often belongs to another user, which git refuses. It is only
    // read here.
    git.args(["-c", "safe.directory=*"]).current_dir(root());
    git
}

/// Runs `command` with its output on the terminal. The error contains the command line.
pub(crate) fn run(command: &mut Command) -> Result<(), TaskError> {
    let name = describe(command);
    let status = command
        .status()
        .map_err(|error| format!("`{name}` does not run: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("`{name}` failed: {status}").into())
}

/// Runs `command` and returns its output without surrounding whitespace.
pub(crate) fn output(command: &mut Command) -> Result<String, TaskError> {
    let name = format!("{command:?}");
    let output = command
        .output()
        .map_err(|error| format!("{name}: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name} failed: {said}").into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Returns the workspace's packages, or with `whole_graph` all dependencies with every feature.
pub(crate) fn metadata(whole_graph: bool) -> Result<Metadata, TaskError> {
    let mut command = MetadataCommand::new();
    command
        .current_dir(root())
        .other_options(["--locked".to_owned()]);
    if whole_graph {
        command.features(cargo_metadata::CargoOpt::AllFeatures);
    } else {
        command.no_deps();
    }
    Ok(command.exec()?)
}

/// Returns the command line of `command` as it would be typed.
fn describe(command: &Command) -> String {
    let path = Path::new(command.get_program());
    let program = path.file_name().unwrap_or(path.as_os_str());
    let words: Vec<_> = std::iter::once(program)
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect();
    words.join(" ")
}
