//! Whether files of a crate import each other in a circle.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cargo_metadata::Metadata;

use crate::error::TaskError;

mod graph;
mod source;

use graph::{Crate, Imports};

/// Describes every circle of files in the targets of the workspace.
pub(super) fn circles(metadata: &Metadata) -> Result<Vec<String>, TaskError> {
    let root = metadata.workspace_root.as_std_path();
    let mut found = BTreeSet::new();
    for package in metadata.workspace_packages() {
        for target in &package.targets {
            let imports = Crate::read(target.src_path.as_std_path())?.imports();
            for circle in graph::circles(&imports) {
                found.insert(describe(&circle, &imports, root));
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// Lists the files of a circle, and the names by which they import each other.
fn describe(circle: &BTreeSet<PathBuf>, imports: &Imports, root: &Path) -> String {
    let name = |file: &Path| {
        file.strip_prefix(root)
            .unwrap_or(file)
            .display()
            .to_string()
    };
    let mut text = format!("circle of {} files:", circle.len());
    for file in circle {
        for (target, names) in imports.get(file).into_iter().flatten() {
            if circle.contains(target) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let line = format!(
                    "\n  {} -> {}: {}",
                    name(file),
                    name(target),
                    names.join(", ")
                );
                text.push_str(&line);
            }
        }
    }
    text
}
