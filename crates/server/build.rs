//! Tells the program its commit, and the moment that counts as its build date. Packs its relocations.

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
    let (commit_id, commit_seconds) = commit
        .as_deref()
        .and_then(|text| text.split_once(' '))
        .unzip();
    let set = |variable| std::env::var(variable).ok();
    let id = set(COMMIT)
        .or(commit_id.map(str::to_owned))
        .unwrap_or_default();
    let seconds = set(EPOCH)
        .or(commit_seconds.map(str::to_owned))
        .unwrap_or_default();
    println!("cargo::rustc-env=PRESSLINE_COMMIT={id}");
    println!("cargo::rustc-env=PRESSLINE_EPOCH={seconds}");
    if loader_unpacks_relocations() {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Returns whether the loader of the target reads packed relocations. They take 40 KB instead of 3.5 MB, which each start
/// would read.
fn loader_unpacks_relocations() -> bool {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let target = ["CARGO_CFG_TARGET_OS", "CARGO_CFG_TARGET_ENV"].map(variable);
    match target.each_ref().map(String::as_str) {
        // A static program contains the loader of Rust's own musl, which does so.
        ["linux", "musl"] => variable("CARGO_CFG_TARGET_FEATURE")
            .split(',')
            .any(|feature| feature == "crt-static"),
        // The glibc of another machine is unknown.
        ["linux", "gnu"] => variable("HOST") == variable("TARGET") && glibc() >= Some((2, 36)),
        _ => false,
    }
}

/// Returns the version of this machine's glibc; `None` if it cannot be found out.
fn glibc() -> Option<(u32, u32)> {
    let mut command = Command::new("getconf");
    let text = printed_by(command.arg("GNU_LIBC_VERSION"))?;
    let (major, minor) = text.strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
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
    printed_by(command.args(["-c", "safe.directory=*"]).args(arguments))
}

/// Returns the output of `command`, or `None` if it fails.
fn printed_by(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
