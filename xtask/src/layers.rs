//! `cargo xtask check-layers`: checks that crates depend only on the crates that their layer
//! permits.

use cargo_metadata::{DependencyKind, Metadata};

use crate::cargo;
use crate::error::{TaskError, refuse};

mod check;
mod files;
mod member;
mod rules;

use member::{Dependency, Member};

/// Checks the manifests of the workspace.
pub(crate) fn run() -> Result<(), TaskError> {
    let metadata = cargo::metadata(false)?;
    let mut findings = check::check(&members(&metadata), &rules::EXCEPTIONS);
    findings.extend(files::check(&metadata)?);
    refuse("check-layers", &findings)
}

fn members(metadata: &Metadata) -> Vec<Member> {
    metadata
        .workspace_packages()
        .into_iter()
        .map(|package| Member {
            name: package.name.to_string(),
            layer: package
                .metadata
                .get("pressline")
                .and_then(|table| table.get("layer"))
                .and_then(|layer| layer.as_str())
                .map(str::to_owned),
            dependencies: package
                .dependencies
                .iter()
                .map(|dependency| Dependency {
                    name: dependency.name.clone(),
                    dev: dependency.kind == DependencyKind::Development,
                })
                .collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_workspace_keeps_its_layers() {
        super::run().unwrap();
    }
}
