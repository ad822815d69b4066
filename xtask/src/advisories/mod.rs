//! `cargo xtask advisories`: finds known vulnerabilities of locked dependencies in the RustSec
//! advisory database.

use std::path::Path;
use std::{fs, io};

use cargo_metadata::Package;
use cargo_metadata::semver::{Version, VersionReq};
use serde::Deserialize;

use crate::cargo;
use crate::error::{TaskError, refuse};

mod fetch;

/// Machine-readable part of an advisory: TOML at the top of a Markdown file.
#[derive(Deserialize)]
struct Advisory {
    advisory: Description,
    versions: Versions,
}

#[derive(Deserialize)]
struct Description {
    id: String,
    /// Kind of an advisory without a vulnerability, such as `unmaintained`.
    informational: Option<String>,
    /// Date of the withdrawal, if the advisory was withdrawn.
    withdrawn: Option<String>,
}

/// Versions without the vulnerability. All other versions have it.
#[derive(Deserialize)]
struct Versions {
    patched: Vec<VersionReq>,
    #[serde(default)]
    unaffected: Vec<VersionReq>,
}

/// Lines about advisories on locked packages.
#[derive(Default)]
struct Findings {
    vulnerabilities: Vec<String>,
    /// Advisories such as `unmaintained`: printed, but not a failure.
    notes: Vec<String>,
}

/// Checks every dependency on all platforms and with all features. If the database cannot be
/// fetched, the check is skipped, because `cargo xtask ci` must pass on a machine without a
/// network.
pub(crate) fn run() -> Result<(), TaskError> {
    let metadata = cargo::metadata(true)?;
    let database = match fetch::database(metadata.target_directory.as_std_path()) {
        Ok(database) => database,
        Err(reason) => {
            eprintln!("xtask: advisories SKIPPED: {reason}");
            return Ok(());
        }
    };
    let mut findings = Findings::default();
    for package in &metadata.packages {
        // Packages without a source are the workspace's own.
        if package.source.is_some() {
            check(&database, package, &mut findings)?;
        }
    }
    for note in &findings.notes {
        eprintln!("xtask: for your information: {note}");
    }
    refuse("advisories", &findings.vulnerabilities)
}

/// Adds the advisories about `package` to `findings`.
fn check(database: &Path, package: &Package, findings: &mut Findings) -> Result<(), TaskError> {
    let folder = database.join("crates").join(package.name.as_str());
    let entries = match fs::read_dir(&folder) {
        // Most packages have no advisory and therefore no folder.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let file = entry?.path();
        if file.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = fs::read_to_string(&file)?;
        judge(&text, package.name.as_str(), &package.version, findings)
            .map_err(|reason| format!("{}: {reason}", file.display()))?;
    }
    Ok(())
}

/// Adds a finding if the advisory applies to `version` of the package.
fn judge(
    text: &str,
    name: &str,
    version: &Version,
    findings: &mut Findings,
) -> Result<(), TaskError> {
    let Advisory {
        advisory:
            Description {
                id,
                informational,
                withdrawn,
            },
        versions,
    } = toml::from_str(front_matter(text)?)?;
    let mut safe = versions.patched.iter().chain(&versions.unaffected);
    if withdrawn.is_some() || safe.any(|safe| safe.matches(version)) {
        return Ok(());
    }
    let title = title(text);
    match informational {
        Some(kind) => findings
            .notes
            .push(format!("{name} {version} is {kind}: {title} ({id})")),
        None => findings.vulnerabilities.push(format!(
            "{name} {version}: {title} (https://rustsec.org/advisories/{id})"
        )),
    }
    Ok(())
}

fn front_matter(text: &str) -> Result<&str, TaskError> {
    text.strip_prefix("```toml\n")
        .and_then(|rest| rest.split_once("\n```"))
        .map(|(toml, _)| toml)
        .ok_or_else(|| "it does not begin with a block of TOML".into())
}

fn title(text: &str) -> &str {
    text.lines()
        .skip_while(|line| *line != "```")
        .find_map(|line| line.strip_prefix("# "))
        .unwrap_or("without a title")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advisory(extra: &str) -> String {
        format!(
            "```toml\n[advisory]\nid = \"RUSTSEC-2024-0001\"\npackage = \"demo\"\ndate = \"2024-02-29\"\n\
             {extra}\n# a comment\n[versions]\npatched = [\">= 1.2.3\", \"^1.0.8\"]\nunaffected = [\"< 1.0.0\"]\n\
             ```\n\n# Reads beyond the end\n\nText.\n"
        )
    }

    /// Returns the numbers of vulnerabilities and of notes.
    fn found(extra: &str, version: &str) -> (usize, usize) {
        let mut findings = Findings::default();
        let version = Version::parse(version).unwrap();
        judge(&advisory(extra), "demo", &version, &mut findings).unwrap();
        (findings.vulnerabilities.len(), findings.notes.len())
    }

    #[test]
    fn reports_only_versions_that_are_neither_patched_nor_unaffected() {
        for safe in ["0.9.0", "1.0.8", "1.2.3", "2.0.0"] {
            assert_eq!(found("", safe), (0, 0), "{safe}");
        }
        for vulnerable in ["1.0.0", "1.0.7"] {
            assert_eq!(found("", vulnerable), (1, 0), "{vulnerable}");
        }
    }

    #[test]
    fn unmaintained_packages_are_notes_and_withdrawn_advisories_are_ignored() {
        assert_eq!(found("informational = \"unmaintained\"", "1.0.0"), (0, 1));
        assert_eq!(found("withdrawn = \"2024-03-01\"", "1.0.0"), (0, 0));
    }

    #[test]
    fn a_finding_names_package_version_title_and_address() {
        let mut findings = Findings::default();
        judge(&advisory(""), "demo", &Version::new(1, 0, 0), &mut findings).unwrap();
        assert_eq!(
            findings.vulnerabilities,
            ["demo 1.0.0: Reads beyond the end (https://rustsec.org/advisories/RUSTSEC-2024-0001)"]
        );
    }

    #[test]
    fn a_file_without_front_matter_is_an_error() {
        let mut findings = Findings::default();
        assert!(judge("# Text", "demo", &Version::new(1, 0, 0), &mut findings).is_err());
    }
}
