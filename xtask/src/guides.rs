//! `cargo xtask guides`: replays the usual changes that the guides describe.
//!
//! A patch in `xtask/tests/guides/` is an example of each change. A test checks that it applies to
//! the repository, and counts its files against the limit in the guide. The task also builds the
//! changed repository and runs the quick checks in it.

use std::fs;
use std::path::Path;

use crate::cargo::{cargo, git, metadata, output, root, run as run_command};
use crate::error::{TaskError, refuse};

const PATCHES: &str = "xtask/tests/guides";

/// A change, its guide, and the packages that it changes.
struct Guide {
    /// Name of the patch without its ending.
    change: &'static str,
    document: &'static str,
    /// Packages to check; empty for all packages.
    packages: &'static [&'static str],
}

const GUIDES: [Guide; 9] = [
    Guide {
        change: "setting",
        document: "docs/guides/add-a-setting.md",
        packages: &["pressline"],
    },
    Guide {
        change: "warning",
        document: "docs/guides/add-a-warning.md",
        packages: &["pressline-domain"],
    },
    Guide {
        change: "store-operation",
        document: "docs/guides/add-an-endpoint.md",
        packages: &["pressline-domain", "pressline-api"],
    },
    Guide {
        change: "operator-operation",
        document: "docs/guides/add-an-operator-endpoint.md",
        packages: &["pressline-backoffice", "pressline-api"],
    },
    Guide {
        change: "console-page",
        document: "docs/guides/add-a-console-page.md",
        packages: &["pressline-console"],
    },
    Guide {
        change: "order-field",
        document: "docs/guides/add-an-order-field.md",
        packages: &[],
    },
    Guide {
        change: "status-command",
        document: "docs/guides/add-a-status-command.md",
        packages: &[
            "pressline-domain",
            "pressline-contract",
            "pressline-console",
        ],
    },
    Guide {
        change: "event-type",
        document: "docs/guides/add-an-event-type.md",
        packages: &["pressline-domain", "pressline-contract"],
    },
    Guide {
        change: "cold-port",
        document: "docs/guides/add-a-port.md",
        packages: &[
            "pressline-backoffice",
            "pressline-contract",
            "pressline-store-kit",
            "pressline-store-sqlite",
            "pressline-store-postgres",
        ],
    },
];

/// Words in a guide before and after the number of files that its change may touch.
const LIMIT: (&str, &str) = ("at most ", " files edited by hand");

/// Checks every patch, and builds and checks the last commit with it in a temporary worktree.
pub(crate) fn run() -> Result<(), TaskError> {
    check()?;
    let target = metadata(false)?.target_directory.into_std_path_buf();
    // The same folder in each run, so that a later run finds what was built.
    let tree = target.join("guides");
    remove(&tree);
    run_command(
        git()
            .args(["worktree", "add", "--detach", "--quiet"])
            .arg(&tree),
    )?;
    let replayed = GUIDES
        .iter()
        .try_for_each(|guide| replay(guide, &tree, &target));
    remove(&tree);
    replayed
}

/// Removes the worktree `tree`, also an incomplete worktree of an interrupted run.
fn remove(tree: &Path) {
    // Each command fails if there is nothing to remove.
    let _ = output(git().args(["worktree", "remove", "--force"]).arg(tree));
    let _ = fs::remove_dir_all(tree);
    let _ = output(git().args(["worktree", "prune"]));
}

/// Builds and checks the worktree `tree` with the patch of `guide`, and reverts the patch.
fn replay(guide: &Guide, tree: &Path, target: &Path) -> Result<(), TaskError> {
    eprintln!("xtask: {} …", guide.change);
    let patch = root().join(guide.patch());
    run_command(git().arg("-C").arg(tree).arg("apply").arg(&patch))?;
    let steps = [
        vec!["fmt", "--all", "--check"],
        check_of(guide.packages),
        task("check-layers"),
        task("tidy"),
    ];
    for step in steps {
        let mut command = cargo(step);
        // The target folder of this repository, so that dependencies are not built again.
        run_command(command.current_dir(tree).env("CARGO_TARGET_DIR", target))?;
    }
    run_command(
        git()
            .arg("-C")
            .arg(tree)
            .args(["apply", "--reverse"])
            .arg(&patch),
    )
}

/// Returns the arguments of `cargo` that check all targets of `packages`, or of all packages if
/// `packages` is empty.
fn check_of(packages: &[&'static str]) -> Vec<&'static str> {
    let mut arguments = vec!["check", "--locked", "--all-targets"];
    if packages.is_empty() {
        arguments.push("--workspace");
    }
    arguments.extend(packages.iter().flat_map(|package| ["--package", *package]));
    arguments
}

/// Returns the arguments of `cargo` that run the task `name` of this program.
fn task(name: &'static str) -> Vec<&'static str> {
    vec![
        "run",
        "--locked",
        "--quiet",
        "--package",
        "xtask",
        "--",
        name,
    ]
}

/// Checks that every patch applies and keeps the limit of its guide.
fn check() -> Result<(), TaskError> {
    let mut findings = Vec::new();
    for guide in &GUIDES {
        findings.extend(problem(guide)?);
    }
    for file in fs::read_dir(root().join(PATCHES))? {
        let name = file?.file_name();
        if GUIDES.iter().all(|guide| *name != *guide.file()) {
            findings.push(format!("{PATCHES}/{}: belongs to no guide", name.display()));
        }
    }
    refuse("guides", &findings)
}

/// Returns the problem with the patch of `guide`; `None` if it applies and keeps the limit.
fn problem(guide: &Guide) -> Result<Option<String>, TaskError> {
    let (patch, document) = (guide.patch(), guide.document);
    let text = fs::read_to_string(root().join(document))
        .map_err(|error| format!("{document}: {error}"))?;
    let Some(limit) = limit(&text) else {
        let (before, after) = LIMIT;
        return Ok(Some(format!("{document}: must contain `{before}…{after}`")));
    };
    if let Err(error) = output(git().args(["apply", "--check", &patch])) {
        return Ok(Some(format!(
            "{patch}: make this change again as {document} says: {error}"
        )));
    }
    let counts = output(git().args(["apply", "--numstat", &patch]))?;
    let files_by_hand: Vec<&str> = changed(&counts).filter(|file| is_by_hand(file)).collect();
    if files_by_hand.len() <= limit {
        return Ok(None);
    }
    let (count, files) = (files_by_hand.len(), files_by_hand.join(", "));
    Ok(Some(format!(
        "{patch}: touches {count} files, limit {limit} in {document}: {files}"
    )))
}

impl Guide {
    fn file(&self) -> String {
        format!("{}.patch", self.change)
    }

    fn patch(&self) -> String {
        format!("{PATCHES}/{}", self.file())
    }
}

/// Returns the limit that the text of a guide states; `None` if it states none.
fn limit(text: &str) -> Option<usize> {
    let (before, after) = LIMIT;
    // The sentence may be wrapped anywhere.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (number, _) = text.split_once(after)?;
    number.rsplit_once(before)?.1.parse().ok()
}

/// Returns the paths of `git apply --numstat`, whose lines have two counts and a path.
fn changed(counts: &str) -> impl Iterator<Item = &str> {
    counts.lines().filter_map(|line| line.split('\t').nth(2))
}

/// Returns whether the file at `path` counts: documents, tests and generated files do not. The crate
/// `contract` is a suite of tests. Statements of the stores do not count either, unless they are new:
/// `cargo xtask sql --copy-column` adds columns to them.
fn is_by_hand(path: &str) -> bool {
    let is_in = |folder: &str| path.split('/').any(|part| part == folder);
    let is_document = is_in("docs") || path.ends_with(".md");
    let is_test = is_in("tests")
        || path.starts_with("crates/contract/")
        || path.ends_with("tests.rs")
        || path.ends_with(".snap");
    let is_example = is_in("examples") && path.ends_with(".json");
    let is_statement = is_in("src") && path.ends_with(".sql") && root().join(path).exists();
    !(is_document || is_test || is_example || is_statement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_patch_applies_and_keeps_the_limit_of_its_guide() {
        check().unwrap();
    }

    #[test]
    fn the_limit_is_read_from_a_wrapped_sentence() {
        let text = "# Add\n\nA setting needs at most 3 files\nedited by hand, besides tests.\n";
        assert_eq!(limit(text), Some(3));
        assert_eq!(limit("at most some files edited by hand"), None);
        assert_eq!(limit("# Add"), None);
    }

    #[test]
    fn documents_tests_and_examples_do_not_count() {
        let counts = "1\t0\tcrates/api/src/order/get.rs\n2\t2\tdocs/API.md\n1\t1\tcrates/api/tests/api/a.rs\n\
                      3\t0\tcrates/api/src/order/examples/order.json\n2\t0\tcrates/contract/src/audit/mod.rs\n1\t0\tcrates/server/src/config/default.toml\n\
                      2\t1\tcrates/store-postgres/src/order/sql/create.sql\n9\t0\tcrates/store-postgres/src/order/sql/new.sql\n";
        let counted: Vec<&str> = changed(counts).filter(|file| is_by_hand(file)).collect();
        let expected = [
            "crates/api/src/order/get.rs",
            "crates/server/src/config/default.toml",
            "crates/store-postgres/src/order/sql/new.sql",
        ];
        assert_eq!(counted, expected);
    }
}
