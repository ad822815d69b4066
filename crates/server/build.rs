//! Tells the program its commit, and the moment that counts as its build date.

use std::path::Path;
use std::process::Command;

/// Set by packagers who build outside a clone.
const COMMIT: &str = "PRESSLINE_BUILD_COMMIT";
/// Seconds since 1970, as reproducible-builds.org specifies. Without it, the date of the commit counts.
const EPOCH: &str = "SOURCE_DATE_EPOCH";

fn main() {
    for variable in [COMMIT, EPOCH] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    let commit = from_git();
    let (id, seconds) = commit
        .as_deref()
        .and_then(|text| text.split_once(' '))
        .unzip();
    let set = |variable| std::env::var(variable).ok();
    let id = set(COMMIT).or(id.map(str::to_owned)).unwrap_or_default();
    let seconds = set(EPOCH)
        .or(seconds.map(str::to_owned))
        .unwrap_or_default();
    println!("cargo::rustc-env=PRESSLINE_COMMIT={id}");
    println!("cargo::rustc-env=PRESSLINE_EPOCH={seconds}");
}

/// Returns the commit and its time, or `None` outside a clone of this repository: a crate that is vendored into another
/// repository must not name the commit of that one.
fn from_git() -> Option<String> {
    if git(&["rev-parse", "--show-prefix"])? != "crates/server/" {
        return None;
    }
    // Each commit and each checkout adds a line there.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    // Cargo would run this script at each build for the sake of a missing file.
    if Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&[
        "log",
        "-1",
        "--no-show-signature",
        "--format=%h %ct",
        "--abbrev=12",
    ])
}

fn git(arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    // The clone of a build machine often belongs to another user.
    let output = command
        .args(["-c", "safe.directory=*"])
        .args(arguments)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
