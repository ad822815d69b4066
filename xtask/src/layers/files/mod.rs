//! Finds import cycles between the files of a crate.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cargo_metadata::Metadata;

use crate::error::TaskError;

mod graph;
mod source;

use graph::{Crate, Imports};

/// Folders with known cycles that are still to be resolved, and the number of files of each cycle.
const KNOWN: [(&str, &[usize]); 0] = [];

/// Describes every import cycle that is not [`KNOWN`], and every known cycle that no longer exists.
pub(super) fn circles(metadata: &Metadata) -> Result<Vec<String>, TaskError> {
    let root = metadata.workspace_root.as_std_path();
    let mut found = BTreeSet::new();
    let mut missing: BTreeSet<(&str, usize)> = KNOWN
        .iter()
        .flat_map(|(folder, sizes)| sizes.iter().map(|size| (*folder, *size)))
        .collect();
    let known = missing.clone();
    for package in metadata.workspace_packages() {
        for target in &package.targets {
            let imports = Crate::read(target.src_path.as_std_path())?.imports();
            for circle in graph::circles(&imports) {
                let place = (folder_of(&circle, root), circle.len());
                let place = known
                    .iter()
                    .find(|(folder, size)| place == (root.join(folder), *size));
                match place {
                    Some(place) => _ = missing.remove(place),
                    None => _ = found.insert(describe(&circle, &imports, root)),
                }
            }
        }
    }
    let gone = |(folder, size)| {
        format!("there is no circle of {size} files in {folder} any more: remove it from KNOWN")
    };
    Ok(found
        .into_iter()
        .chain(missing.into_iter().map(gone))
        .collect())
}

/// Returns the innermost folder that contains all files of a cycle.
fn folder_of(circle: &BTreeSet<PathBuf>, root: &Path) -> PathBuf {
    let first = circle.first().map_or(root, PathBuf::as_path);
    let contains = |folder: &&Path| circle.iter().all(|file| file.starts_with(folder));
    let folder = first.ancestors().skip(1).find(contains);
    folder.unwrap_or(root).to_owned()
}

/// Lists the files of a cycle, and the names by which they import each other.
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
