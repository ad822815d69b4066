//! `cargo xtask bench`: builds the distributed server and the bench, and runs the bench.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cargo::{cargo, git, metadata, run as run_command};
use crate::error::TaskError;

/// Option with the revision to compare with.
const COMPARE: &str = "--compare";
const SERVER: &str = "pressline";
const BENCH: &str = "pressline-bench";

/// Cargo profile of the measured programs.
const PROFILE: &str = "dist";

/// Runs the bench. Its `arguments` are passed on, except for `--compare REV`.
pub(crate) fn run(arguments: &[OsString]) -> Result<(), TaskError> {
    let (arguments, revision) = split(arguments)?;
    let target = metadata(false)?.target_directory.into_std_path_buf();
    let output = target.join("bench");
    // Separate builds: in a joint build, the server's dependencies would also get the features that
    // only the bench requests.
    for package in [SERVER, BENCH] {
        run_command(&mut build(package))?;
    }
    let folder = target.join(PROFILE);
    let mut bench = Command::new(folder.join(BENCH));
    bench
        .args(arguments)
        .arg("--server")
        .arg(folder.join(SERVER))
        .arg("--output")
        .arg(&output);
    if let Some(revision) = revision {
        bench
            .arg("--baseline")
            .arg(build_revision(&revision, &output)?);
    }
    run_command(&mut bench)
}

/// Splits `--compare REV` or `--compare=REV` from the arguments.
fn split(arguments: &[OsString]) -> Result<(Vec<OsString>, Option<String>), TaskError> {
    let (mut rest, mut revision) = (Vec::new(), None);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        if text == COMPARE {
            let value = arguments.next().ok_or("--compare needs a revision")?;
            revision = Some(value.to_string_lossy().into_owned());
        } else if let Some(value) = text
            .strip_prefix(COMPARE)
            .and_then(|value| value.strip_prefix('='))
        {
            revision = Some(value.to_owned());
        } else {
            rest.push(argument.clone());
        }
    }
    // An option after `--compare` is a missing revision.
    match revision {
        Some(revision) if revision.is_empty() || revision.starts_with('-') => {
            Err(format!("`{revision}` is not a revision").into())
        }
        revision => Ok((rest, revision)),
    }
}

/// Builds the server of `revision` in a copy of its files, so that this working tree does not
/// change. The folder is kept: comparing with the same commit again builds nothing.
fn build_revision(revision: &str, output: &Path) -> Result<PathBuf, TaskError> {
    let commit = commit_of(revision)?;
    let folder = output.join("revisions").join(&commit);
    let source = folder.join("source");
    // The sources of a commit never change.
    if !source.join("Cargo.toml").exists() {
        fs::create_dir_all(&source)?;
        unpack(&commit, &source)?;
    }
    let target = folder.join("target");
    let mut build = build(SERVER);
    run_command(build.current_dir(&source).env("CARGO_TARGET_DIR", &target))?;
    Ok(target.join(PROFILE).join(SERVER))
}

/// Returns the build command of `package` as it is distributed. It defines the profile, because
/// earlier revisions do not.
fn build(package: &str) -> Command {
    let mut build = cargo([
        "build",
        "--locked",
        "--profile",
        PROFILE,
        "--package",
        package,
    ]);
    for setting in ["inherits='release'", "lto='thin'", "codegen-units=4"] {
        build
            .arg("--config")
            .arg(format!("profile.{PROFILE}.{setting}"));
    }
    build
}

fn commit_of(revision: &str) -> Result<String, TaskError> {
    // `--end-of-options`, because `revision` comes from the command line.
    let output = git()
        .args(["rev-parse", "--verify", "--end-of-options"])
        .arg(format!("{revision}^{{commit}}"))
        .output()?;
    if !output.status.success() {
        return Err(format!(
            "`{revision}` is not a revision: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )
        .into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

fn unpack(commit: &str, folder: &Path) -> Result<(), TaskError> {
    let mut archive = git()
        .args(["archive", commit])
        .stdout(Stdio::piped())
        .spawn()?;
    let files = archive.stdout.take().ok_or("git archive has no output")?;
    let unpacked = run_command(
        Command::new("tar")
            .arg("-x")
            .current_dir(folder)
            .stdin(files),
    );
    // git may fail after tar has begun.
    if !archive.wait()?.success() {
        return Err("git archive failed".into());
    }
    unpacked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn the_revision_is_taken_out_from_any_position() {
        for line in [
            "--compare main create --quick",
            "create --compare=main --quick",
            "create --quick --compare main",
        ] {
            assert_eq!(
                split(&words(line)).unwrap(),
                (words("create --quick"), Some("main".to_owned())),
                "{line}"
            );
        }
        assert_eq!(split(&words("all")).unwrap(), (words("all"), None));
    }

    #[test]
    fn a_missing_revision_is_refused() {
        for line in ["--compare", "--compare=", "--compare --quick"] {
            assert!(split(&words(line)).is_err(), "{line}");
        }
    }
}
