//! `cargo xtask licences`: checks licence, source and name of each dependency.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};
use spdx::{Expression, ParseMode};

use crate::cargo;
use crate::error::{TaskError, refuse};

/// Licences that require only attribution. The service is `MIT OR Apache-2.0`, and linked crates
/// must not add terms.
const ACCEPTED: [&str; 16] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    // For data: Mozilla's list of certificate authorities. The licence text must be passed on with
    // the data.
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

/// Additional licences for crates that only tests use: such crates are not distributed.
const ACCEPTED_IN_TESTS: [&str; 1] = [
    // For the WebDriver protocol, with which tests drive a browser.
    "MPL-2.0",
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

/// The only permitted source of packages.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks every dependency on all platforms and with all features.
pub(crate) fn run() -> Result<(), TaskError> {
    let metadata = cargo::metadata(true)?;
    let features_of_each = features(&metadata);
    let shipped = shipped(&metadata, metadata.workspace_members.iter());
    let findings: Vec<String> = metadata
        .packages
        .iter()
        .filter(|package| !metadata.workspace_members.contains(&package.id))
        .filter_map(|package| {
            let features = features_of_each
                .get(&package.id)
                .map_or(&[][..], Vec::as_slice);
            let problem = problem(package, features, shipped.contains(&package.id))?;
            Some(format!("{} {}: {problem}", package.name, package.version))
        })
        .collect();
    report_duplicates(&metadata);
    refuse("licences", &findings)
}

/// Returns `roots` and their dependencies, without dev-dependencies.
pub(crate) fn shipped<'a>(
    metadata: &'a Metadata,
    roots: impl Iterator<Item = &'a PackageId>,
) -> BTreeSet<&'a PackageId> {
    let nodes: HashMap<&PackageId, _> = metadata
        .resolve
        .iter()
        .flat_map(|resolve| &resolve.nodes)
        .map(|node| (&node.id, node))
        .collect();
    let mut shipped: BTreeSet<&PackageId> = BTreeSet::new();
    let mut waiting: Vec<&PackageId> = roots.collect();
    while let Some(id) = waiting.pop() {
        // Visited before: the graph has shared dependencies.
        if !shipped.insert(id) {
            continue;
        }
        let dependencies = nodes.get(id).into_iter().flat_map(|node| &node.deps);
        let is_part = |kind: &DependencyKind| *kind != DependencyKind::Development;
        let parts = dependencies.filter(|it| it.dep_kinds.iter().any(|info| is_part(&info.kind)));
        waiting.extend(parts.map(|dependency| &dependency.pkg));
    }
    shipped
}

/// Returns the problem of `package`; `None` if it is accepted.
fn problem(package: &Package, features: &[String], is_shipped: bool) -> Option<String> {
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
        // Git and path dependencies bypass the checks of the registry.
        Some(source) => return Some(format!("comes from {source}, not from crates.io")),
        None => return Some("lies outside the workspace".to_owned()),
    }
    licence_problem(package.license.as_deref(), is_shipped)
}

fn licence_problem(licence: Option<&str>, is_shipped: bool) -> Option<String> {
    let Some(licence) = licence else {
        return Some("names no licence".to_owned());
    };
    // Lax mode also accepts the old form `MIT/Apache-2.0`, which means `OR`.
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression)
            if expression.evaluate(|one| {
                let one = one.to_string();
                let in_tests = !is_shipped && ACCEPTED_IN_TESTS.contains(&one.as_str());
                in_tests || ACCEPTED.contains(&one.as_str())
            }) =>
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

/// Prints packages that are built in several incompatible versions. They cost build time, but often
/// only their authors can change that.
fn report_duplicates(metadata: &Metadata) {
    let mut versions: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for package in &metadata.packages {
        let version = &package.version;
        // Versions are compatible within the same major version, or minor version below 1.0.
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
    fn accepts_alternatives_and_refuses_copyleft_or_no_licence() {
        for accepted in [
            "MIT OR GPL-3.0-only",
            "GPL-3.0-only/MIT",
            "GPL-3.0-only OR MIT AND Zlib",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert_eq!(licence_problem(Some(accepted), true), None);
        }
        for refused in [
            "MIT AND GPL-3.0-only",
            "Zlib WITH LLVM-exception",
            "(GPL-3.0-only OR MIT) AND AGPL-3.0-only",
        ] {
            assert!(
                licence_problem(Some(refused), false)
                    .is_some_and(|problem| problem.contains("not accepted")),
                "{refused}"
            );
        }
        assert!(
            licence_problem(Some("GPL-3.0-or-later"), false)
                .is_some_and(|problem| problem.contains("not accepted"))
        );
        assert!(
            licence_problem(Some("MIT OR"), true)
                .is_some_and(|problem| problem.contains("cannot be read"))
        );
        assert_eq!(
            licence_problem(None, true).as_deref(),
            Some("names no licence")
        );
    }

    #[test]
    fn tests_may_use_copyleft_licences() {
        assert_eq!(licence_problem(Some("MPL-2.0"), false), None);
        assert!(licence_problem(Some("MPL-2.0"), true).is_some());
    }
}
