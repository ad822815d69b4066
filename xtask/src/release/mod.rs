//! `cargo xtask release`: builds all artefacts of a release in `target/release-artefacts/`.

mod debian;
mod files;
mod inputs;
mod sbom;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::cargo::{cargo, git, metadata, output, root, run as run_command};
use crate::error::{TaskError, refuse};
use inputs::Release;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Accept a version that the changelog does not have and that is not tagged
    #[arg(long)]
    dry_run: bool,
    /// Pack this binary, compressed quickly, instead of building two with the profile `dist`
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), TaskError> {
    let metadata = metadata(true)?;
    let package = metadata
        .packages
        .iter()
        .find(|one| *one.name == "pressline");
    let version = package
        .ok_or("there is no package pressline")?
        .version
        .to_string();
    refuse("versions", &other_versions(&version)?)?;
    if !arguments.dry_run {
        require_released(&version)?;
    }
    let target = metadata.target_directory.as_std_path();
    let folder = target.join("release-artefacts");
    // Artefacts of an earlier run must not end up in the checksums.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    // The binary given on the command line takes both places, and is not required to be static.
    let (binary, portable) = match &arguments.binary {
        Some(binary) => {
            let binary = std::path::absolute(binary)?;
            (binary.clone(), binary)
        }
        None => (build(target, &[])?, build_static(target)?),
    };
    let release = Release {
        version,
        binary,
        portable,
        epoch: epoch()?,
        folder,
        small: arguments.binary.is_none(),
    };
    let staging = tempfile::tempdir()?;
    files::tarball(&release, staging.path())?;
    debian::package(&release, staging.path())?;
    let components = serde_json::to_string_pretty(&sbom::document(&metadata, &release.version))?;
    let name = format!("pressline-{}.cdx.json", release.version);
    fs::write(release.folder.join(name), components)?;
    checksums(&release.folder)
}

/// Texts before the version in the files of `deploy/` that name it, with the files.
const VERSIONS: [(&str, &str); 4] = [
    ("ARG VERSION=", "deploy/container/Dockerfile"),
    (
        "image: pressline:",
        "deploy/kubernetes/base/deployment.yaml",
    ),
    (
        "image: pressline:",
        "deploy/kubernetes/overlays/postgres/migrate.yaml",
    ),
    (
        "image: pressline:",
        "deploy/kubernetes/overlays/sqlite/deployment.yaml",
    ),
];

/// Returns a finding for each file of [`VERSIONS`] that does not name `version`.
fn other_versions(version: &str) -> Result<Vec<String>, TaskError> {
    let mut findings = Vec::new();
    for (before, file) in VERSIONS {
        let text = fs::read_to_string(root().join(file))?;
        let mut lines = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix(before));
        if lines.next() != Some(version) || lines.any(|other| other != version) {
            findings.push(format!("{file}: must have `{before}{version}`"));
        }
    }
    Ok(findings)
}

/// Returns an error unless the changelog has a section for `version` and its tag points to this
/// commit.
fn require_released(version: &str) -> Result<(), TaskError> {
    let changelog = fs::read_to_string(root().join("docs/CHANGELOG.md"))?;
    let heading = format!("## {version}");
    if !changelog
        .lines()
        .any(|line| line.split(" (").next() == Some(&heading))
    {
        return Err(format!("docs/CHANGELOG.md has no section `{heading}`").into());
    }
    let tag = format!("v{version}");
    let tags = output(git().args(["tag", "--points-at", "HEAD"]))?;
    if !tags.lines().any(|line| line == tag) {
        return Err(format!("this commit has no tag `{tag}`; --dry-run needs none").into());
    }
    Ok(())
}

/// Builds the binary below `target` and returns its path.
fn build(target: &Path, options: &[&str]) -> Result<PathBuf, TaskError> {
    let mut command = cargo(["build", "--locked", "--profile", "dist", "-p", "pressline"]);
    // Packages draw PDF pages; the first build of a contributor does not wait for that.
    command.args(["--features", "pdf"]);
    run_command(command.args(options))?;
    Ok(target.join("dist/pressline"))
}

fn build_static(target: &Path) -> Result<PathBuf, TaskError> {
    let triple = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let binary = build(&target.join(&triple), &["--target", &triple]).map_err(|error| {
        format!("{error}; the tarball needs `rustup target add {triple}` and Debian's musl-tools")
    })?;
    // A static binary has no glibc symbols.
    if let Some(version) = debian::glibc(&fs::read(&binary)?) {
        let name = binary.display();
        return Err(format!("{name} needs glibc {version}; it must be static").into());
    }
    Ok(binary)
}

/// Returns `SOURCE_DATE_EPOCH`, else the time of the commit.
fn epoch() -> Result<String, TaskError> {
    if let Ok(epoch) = std::env::var("SOURCE_DATE_EPOCH") {
        return Ok(epoch);
    }
    output(git().args(["log", "-1", "--no-show-signature", "--format=%ct"]))
}

fn checksums(folder: &Path) -> Result<(), TaskError> {
    let mut names: Vec<_> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.file_name()))
        .collect::<Result<_, std::io::Error>>()?;
    // Sorted, so that equal artefacts give an equal file.
    names.sort();
    let sums = output(Command::new("sha256sum").current_dir(folder).args(&names))?;
    fs::write(folder.join("SHA256SUMS"), format!("{sums}\n"))?;
    eprintln!("{}:\n{sums}", folder.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_another_version_are_named() {
        let findings = other_versions("9.9.9").unwrap();
        assert_eq!(findings.len(), VERSIONS.len());
        assert_eq!(
            findings[0],
            "deploy/container/Dockerfile: must have `ARG VERSION=9.9.9`"
        );
    }

    #[test]
    fn a_version_without_a_section_of_the_changelog_is_refused() {
        let error = require_released("9.9.9").unwrap_err().to_string();
        assert_eq!(error, "docs/CHANGELOG.md has no section `## 9.9.9`");
    }
}
