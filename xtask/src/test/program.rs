//! Test programs: building and running them.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, PipeReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use cargo_metadata::Message;

use super::output::{Output, Watcher};
use crate::cargo::{cargo, metadata};
use crate::error::TaskError;

/// Time limit for the end of the output after the end of the program. A child process that the
/// program left behind can keep it open.
const OUTPUT_GRACE: Duration = Duration::from_secs(5);

/// A program that `cargo test` builds, or the documentation tests.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// Name of the package, such as `pressline-domain`.
    pub(crate) package: String,
    /// Name of the target, such as `usecases`.
    pub(crate) target: String,
    /// Folder of the package's manifest; the working directory.
    folder: PathBuf,
    executable: PathBuf,
    /// Arguments before the harness's own arguments.
    arguments: Vec<String>,
}

/// Builds the test programs that `selection` selects and returns them.
pub(crate) fn build(selection: &[String]) -> Result<Vec<Program>, TaskError> {
    let packages: HashMap<_, _> = metadata(false)?
        .packages
        .into_iter()
        .map(|package| (package.id, package.name.to_string()))
        .collect();
    let mut command = cargo(["test", "--locked", "--no-run"]);
    command
        .arg("--message-format=json-render-diagnostics")
        .args(selection)
        .stdout(Stdio::piped());
    let mut child = command.spawn()?;
    let stdout = child.stdout.take().ok_or("cargo has no output")?;
    let mut programs = Vec::new();
    for message in Message::parse_stream(BufReader::new(stdout)) {
        let Message::CompilerArtifact(artifact) = message? else {
            continue;
        };
        // Other artifacts are libraries and binaries that the tests need.
        let (true, Some(executable)) = (artifact.profile.test, artifact.executable) else {
            continue;
        };
        let folder = artifact.manifest_path.parent().ok_or("no folder")?;
        programs.push(Program {
            package: packages
                .get(&artifact.package_id)
                .cloned()
                .unwrap_or_default(),
            target: artifact.target.name,
            folder: folder.into(),
            executable: executable.into(),
            arguments: Vec::new(),
        });
    }
    if child.wait()?.success() {
        Ok(programs)
    } else {
        Err("the tests do not compile".into())
    }
}

impl Program {
    /// Returns the documentation tests of the packages that `packages` selects.
    pub(crate) fn documentation(packages: &[String]) -> Self {
        let cargo = cargo([""; 0]);
        let mut arguments = ["test", "--locked", "--doc"].map(str::to_owned).to_vec();
        arguments.extend_from_slice(packages);
        arguments.push("--".to_owned());
        Self {
            package: "documentation".to_owned(),
            target: "examples".to_owned(),
            folder: crate::cargo::root().to_owned(),
            executable: cargo.get_program().into(),
            arguments,
        }
    }

    fn is_documentation(&self) -> bool {
        !self.arguments.is_empty()
    }

    /// Returns the name in reports.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.package, self.target)
    }

    /// Runs the program with `arguments` and environment `variables`. `watcher` counts each
    /// finished test.
    pub(crate) fn run(
        &self,
        arguments: &[String],
        variables: &[(String, String)],
        threads: usize,
        watcher: Watcher,
    ) -> Result<Output, TaskError> {
        let names = if self.is_documentation() {
            // Listing the documentation tests would compile them twice.
            Vec::new()
        } else {
            let listed = self.command(arguments, variables).arg("--list").output()?;
            listed_tests(&String::from_utf8_lossy(&listed.stdout))
        };
        let mut command = self.command(arguments, variables);
        command
            .arg(format!("--test-threads={threads}"))
            .arg("--show-output");
        let (reader, writer) = io::pipe()?;
        command
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer);
        let begin = Instant::now();
        let mut child = command.spawn()?;
        // `command` also holds the writing ends, which would keep the pipe open.
        drop(command);
        let collected = collect(reader, Output::new(names, threads), watcher);
        let status = child.wait()?;
        let mut output = collected
            .recv_timeout(OUTPUT_GRACE)
            .map_err(|_| format!("{}: a process that it started outlives it", self.name()))?;
        output.end(begin.elapsed(), status.success());
        Ok(output)
    }

    fn command(&self, arguments: &[String], variables: &[(String, String)]) -> Command {
        // cargo sets the same folder and variables for the tests that it runs.
        let mut command = Command::new(&self.executable);
        command
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .env("CARGO_PKG_NAME", &self.package)
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .args(&self.arguments)
            .args(arguments);
        command
    }
}

/// Reads from `reader` in a separate thread until the last writer has closed the pipe.
fn collect(reader: PipeReader, mut output: Output, watcher: Watcher) -> mpsc::Receiver<Output> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while reader
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            if output.add(&String::from_utf8_lossy(&line)) {
                watcher.ended_test();
            }
            line.clear();
        }
        // There is no receiver if the program failed to end.
        let _ = sender.send(output);
    });
    receiver
}

/// Returns the names in the output of `--list`, in the order in which the harness starts the tests.
fn listed_tests(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .map(str::to_owned)
        .collect()
}
