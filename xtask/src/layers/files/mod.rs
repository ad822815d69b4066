//! Finds import cycles between the files of a crate, and modules that import each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{Metadata, Target};

use crate::error::TaskError;

mod folders;
mod graph;
mod source;

use folders::Pair;
use graph::{Crate, Imports, relative};

/// Folders, each with modules that may import each other because they are one aggregate.
const AGGREGATES: [(&str, &[&str]); 1] = [("crates/domain/src", &["event", "fulfilment", "order"])];

/// Describes every import cycle, and every two modules of a folder that import each other or against
/// the order.
pub(super) fn check(metadata: &Metadata) -> Result<Vec<String>, TaskError> {
    let mut check = Check::new(metadata.workspace_root.as_std_path());
    for package in metadata.workspace_packages() {
        for target in &package.targets {
            check.target(target)?;
        }
    }
    Ok(check.found.into_iter().collect())
}

/// Findings so far.
struct Check<'a> {
    root: &'a Path,
    found: BTreeSet<String>,
}

impl<'a> Check<'a> {
    fn new(root: &'a Path) -> Self {
        Self {
            root,
            found: BTreeSet::new(),
        }
    }

    fn target(&mut self, target: &Target) -> Result<(), TaskError> {
        let file = target.src_path.as_std_path();
        let tree = Crate::read(file)?;
        let imports = tree.imports();
        for circle in graph::circles(&imports) {
            self.found.insert(describe(&circle, &imports, self.root));
        }
        let (modules, paths) = (tree.modules_of_root(), tree.paths());
        let name = relative(file, self.root);
        let findings = self.found.len();
        let mut order = None;
        // A test states no order, and a single module has none.
        let is_ordered = (target.is_lib() || target.is_bin()) && modules.len() > 1;
        if is_ordered {
            order = folders::order(&fs::read_to_string(file)?, &modules)
                .inspect_err(|problem| _ = self.found.insert(format!("{name}: {problem}")))
                .ok();
        }
        for pair in folders::pairs(&imports, &paths, order.as_deref()) {
            self.pair(&pair, file.parent().unwrap_or(file));
        }
        if is_ordered && self.found.len() > findings {
            let permitted = folders::permitted_order(&imports, &paths, &modules);
            let joined_groups: Vec<String> =
                permitted.iter().map(|group| group.join(", ")).collect();
            let groups = joined_groups.join(" | ");
            self.found
                .insert(format!("{name}: the imports permit this order: {groups}"));
        }
        Ok(())
    }

    /// Adds a pair of the crate with the root folder `root`.
    fn pair(&mut self, pair: &Pair, root: &Path) {
        let folder = relative(&pair.folder(root), self.root);
        let mut aggregates = AGGREGATES.into_iter();
        if aggregates.any(|(known, names)| known == folder && pair.is_among(names)) {
            return;
        }
        let problem = pair.describe(self.root);
        self.found.insert(format!("{folder}: {problem}"));
    }
}

/// Lists the files of the cycle `circle`, and the names by which they import each other.
fn describe(circle: &BTreeSet<PathBuf>, imports: &Imports, root: &Path) -> String {
    let mut text = format!("circle of {} files:", circle.len());
    for file in circle {
        for (target, names) in imports.get(file).into_iter().flatten() {
            if circle.contains(target) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let line = format!(
                    "\n  {} -> {}: {}",
                    relative(file, root),
                    relative(target, root),
                    names.join(", ")
                );
                text.push_str(&line);
            }
        }
    }
    text
}
