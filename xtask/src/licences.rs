//! `cargo xtask licences`: whether each dependency's licence, source and name is one we accept.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cargo_metadata::{Metadata, Package, PackageId};
use spdx::{Expression, ParseMode};

use crate::{TaskError, cargo, refuse};

/// Licences that require no more than to be named. The service is MIT OR Apache-2.0, and what it links
/// must not add terms.
const ACCEPTED: [&str; 16] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    // Of data: Mozilla's list of certificate authorities. It asks to be passed on with the data.
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "PostgreSQL",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];

/// Packages that must not come back, with the reason.
const BANNED: [(&str, &str); 4] = [
    (
        "actix-governor",
        "it is GPL-3.0-or-later; our middleware uses governor",
    ),
    ("backoff", "it is unmaintained"),
    (
        "native-tls",
        "it binds the system's TLS library, which a plain machine lacks",
    ),
    (
        "openssl",
        "only libpq uses TLS, through openssl-sys, vendored",
    ),
];

/// Where a package may come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks every dependency, of all platforms and with all features.
pub(crate) fn run() -> Result<(), TaskError> {
    let metadata = cargo::metadata(true)?;
    let features = features(&metadata);
    let findings: Vec<String> = metadata
        .packages
        .iter()
        .filter(|package| !metadata.workspace_members.contains(&package.id))
        .filter_map(|package| {
            let features = features.get(&package.id).map_or(&[][..], Vec::as_slice);
            let problem = problem(package, features)?;
            Some(format!("{} {}: {problem}", package.name, package.version))
        })
        .collect();
    report_duplicates(&metadata);
    refuse("licences", &findings)
}

/// What is wrong with a package, if anything is.
fn problem(package: &Package, features: &[String]) -> Option<String> {
    if let Some((_, reason)) = BANNED
        .iter()
        .find(|(name, _)| *name == package.name.as_str())
    {
        return Some(format!("banned: {reason}"));
    }
    if package.name.as_str() == "openssl-sys"
        && !features.iter().any(|feature| feature == "vendored")
    {
        return Some(
            "only with its feature `vendored`, since a plain machine has no OpenSSL".to_owned(),
        );
    }
    match &package.source {
        Some(source) if source.repr == REGISTRY => {}
        Some(source) => return Some(format!("comes from {source}, not from crates.io")),
        None => return Some("lies outside the workspace".to_owned()),
    }
    licence_problem(package.license.as_deref())
}

fn licence_problem(licence: Option<&str>) -> Option<String> {
    let Some(licence) = licence else {
        return Some("names no licence".to_owned());
    };
    // Lax: it also reads the old `MIT/Apache-2.0`, which means `OR`.
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression)
            if expression.evaluate(|one| ACCEPTED.contains(&one.to_string().as_str())) =>
        {
            None
        }
        Ok(_) => Some(format!("its licence is `{licence}`, which is not accepted")),
        Err(error) => Some(format!(
            "its licence `{licence}` cannot be read: {}",
            error.reason
        )),
    }
}

fn features(metadata: &Metadata) -> HashMap<&PackageId, Vec<String>> {
    metadata
        .resolve
        .iter()
        .flat_map(|resolve| &resolve.nodes)
        .map(|node| {
            (
                &node.id,
                node.features.iter().map(ToString::to_string).collect(),
            )
        })
        .collect()
}

/// Says which packages are built in several incompatible versions. They cost time, but often
/// only their authors can change that.
fn report_duplicates(metadata: &Metadata) {
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for package in &metadata.packages {
        let version = &package.version;
        let compatible = if version.major == 0 {
            format!("0.{}", version.minor)
        } else {
            version.major.to_string()
        };
        versions
            .entry(package.name.as_str())
            .or_default()
            .insert(compatible);
    }
    let several: Vec<String> = versions
        .into_iter()
        .filter(|(_, versions)| versions.len() > 1)
        .map(|(name, versions)| format!("{name} ({})", Vec::from_iter(versions).join(", ")))
        .collect();
    if !several.is_empty() {
        eprintln!(
            "xtask: in several versions, for your information: {}",
            several.join(", ")
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_a_choice_and_refuses_copyleft_and_silence() {
        for accepted in [
            "MIT OR GPL-3.0-only",
            "GPL-3.0-only/MIT",
            "GPL-3.0-only OR MIT AND Zlib",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert_eq!(licence_problem(Some(accepted)), None);
        }
        for refused in [
            "MIT AND GPL-3.0-only",
            "Zlib WITH LLVM-exception",
            "(GPL-3.0-only OR MIT) AND AGPL-3.0-only",
        ] {
            assert!(
                licence_problem(Some(refused))
                    .is_some_and(|problem| problem.contains("not accepted")),
                "{refused}"
            );
        }
        assert!(
            licence_problem(Some("GPL-3.0-or-later"))
                .is_some_and(|problem| problem.contains("not accepted"))
        );
        assert!(
            licence_problem(Some("MIT OR"))
                .is_some_and(|problem| problem.contains("cannot be read"))
        );
        assert_eq!(licence_problem(None).as_deref(), Some("names no licence"));
    }
}
