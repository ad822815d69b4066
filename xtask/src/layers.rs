//! `cargo xtask check-layers`: whether crates depend only on what their layer may.

use cargo_metadata::{DependencyKind, Metadata};

use crate::{TaskError, cargo, refuse};

mod check;
mod rules;

/// A package of the workspace, as far as the rules look at it.
#[derive(Debug, Clone)]
struct Member {
    name: String,
    /// What its manifest says under `[package.metadata.pressline]`.
    layer: Option<String>,
    dependencies: Vec<Dependency>,
}

/// A dependency that a manifest names.
#[derive(Debug, Clone)]
struct Dependency {
    name: String,
    /// Whether only its tests, examples and benches use it.
    dev: bool,
}

/// Checks the manifests of the workspace.
pub(crate) fn run() -> Result<(), TaskError> {
    let members = members(&cargo::metadata(false)?);
    refuse("check-layers", &check::check(&members, &rules::EXCEPTIONS))
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
