//! Runs programs in the workspace, cargo above all.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use cargo_metadata::{Metadata, MetadataCommand};

use crate::error::TaskError;

/// The folder of the workspace's manifest.
pub(crate) fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// A cargo command in the workspace, by the cargo that runs this task.
pub(crate) fn cargo<I, S>(arguments: I) -> Command
where
    I: IntoIterator<Item = S>,
    S: AsRef<OsStr>,
{
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    command
}

/// Returns a git command in the workspace.
pub(crate) fn git() -> Command {
    let mut git = Command::new("git");
    // A build machine's clone often belongs to another user, whom git would not trust; it is only
    // read here.
    git.args(["-c", "safe.directory=*"]).current_dir(root());
    git
}

/// Runs a command, which prints its own output. The error names the command.
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

/// The workspace's packages alone, or the whole graph with every feature on.
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

/// Returns the command as it would be typed.
fn describe(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(program.as_os_str());
    let words: Vec<_> = std::iter::once(program)
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect();
    words.join(" ")
}
