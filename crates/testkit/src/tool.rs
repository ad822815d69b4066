//! Optional programs of some tests. Without their program, these tests are skipped.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Environment variable with the groups of tools that must be present, separated by commas. `all`
/// means every group that Debian, PyPI or npm provide.
pub const REQUIRE_VARIABLE: &str = "PRESSLINE_TEST_REQUIRE";

/// Folders of system programs, often missing in `PATH`.
const SYSTEM_FOLDERS: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];

/// Tools that are installed together.
struct Group {
    name: &'static str,
    /// Instructions for installing the group.
    install: &'static str,
    /// Whether the package registries of Debian, PyPI or npm provide the group.
    in_registries: bool,
}

impl Group {
    const fn new(name: &'static str, install: &'static str) -> Self {
        Self {
            name,
            install,
            in_registries: true,
        }
    }
}

/// All groups; `docs/CONTRIBUTING.md` says what they are for.
const GROUPS: [Group; 15] = [
    Group::new(
        "browser",
        "apt-get install chromium chromium-driver, or PRESSLINE_TEST_BROWSER_FETCH=system",
    ),
    Group::new(
        "axe",
        "npm pack axe-core, and PRESSLINE_TEST_AXE names its axe.min.js",
    ),
    Group::new(
        "clients",
        ".ci/client-tools FOLDER, and PRESSLINE_TEST_CLIENT_TOOLS names FOLDER",
    ),
    Group::new("curl", "apt-get install bash curl openssl"),
    Group::new("python", "apt-get install python3"),
    Group::new("node", "apt-get install nodejs"),
    Group::new("php", "apt-get install php-cli"),
    Group::new("go", "apt-get install golang-go"),
    Group::new("valgrind", "apt-get install valgrind"),
    Group::new("barcodes", "apt-get install poppler-utils zbar-tools"),
    Group::new("clocks", "apt-get install faketime"),
    Group::new("pgbouncer", "apt-get install pgbouncer"),
    Group::new(
        "deploy",
        ".ci/deploy-tools FOLDER, and PATH begins with FOLDER/bin",
    ),
    Group::new("root", "run the tests as root, for example in a container"),
    Group {
        name: "citus",
        install: "packages for the version of PostgreSQL from https://docs.citusdata.com",
        in_registries: false,
    },
];

/// Returns the path of `program`, from `PATH` or a folder of system programs. If it is missing,
/// [`skip`] is called with `group`.
///
/// # Panics
/// Same as [`skip`].
#[track_caller]
pub fn tool(group: &str, program: &str) -> Option<PathBuf> {
    let found = find_program(program);
    if found.is_none() {
        skip(group, format!("there is no `{program}` in PATH"));
    }
    found
}

/// Returns whether the calling process runs as root. If it does not, [`skip`] is called with the
/// group `root` and `reason`.
///
/// # Panics
/// Same as [`skip`].
#[track_caller]
pub fn runs_as_root(reason: &str) -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        skip("root", reason);
    }
    is_root
}

/// Skips the calling test, as [`try_skip`] does.
///
/// # Panics
/// Panics with the error of [`try_skip`].
#[track_caller]
pub fn skip(group: &str, reason: impl Display) {
    let required = try_skip(group, reason).err();
    assert!(required.is_none(), "{}", required.unwrap_or_default());
}

/// Prints on standard error that something is skipped because a tool of `group` is missing, and how
/// to install it. Each `reason` is printed once per process.
///
/// # Errors
/// Returns a message if `PRESSLINE_TEST_REQUIRE` contains `group`, or if there is no such group.
pub fn try_skip(group: &str, reason: impl Display) -> Result<(), String> {
    static REQUIRED: LazyLock<Result<Vec<&str>, String>> =
        LazyLock::new(|| required(&env::var(REQUIRE_VARIABLE).unwrap_or_default()));
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let Some(Group { name, install, .. }) = GROUPS.iter().find(|known| known.name == group) else {
        return Err(format!(
            "there is no group of tools `{group}`, but {}",
            names()
        ));
    };
    if REQUIRED.clone()?.contains(name) {
        return Err(format!(
            "{REQUIRE_VARIABLE} requires {name}, but {reason}; to install: {install}"
        ));
    }
    let line = format!("skipped ({name}): {reason}; to install: {install}");
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !printed.contains(&line) {
        // Not by `eprintln!`, whose output the test harness hides if the test passes.
        let _ = writeln!(io::stderr(), "{line}");
        printed.insert(line);
    }
    Ok(())
}

/// Returns the path of `program`, from `PATH` or a folder of system programs.
pub(crate) fn find_program(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain(SYSTEM_FOLDERS.map(PathBuf::from))
        .map(|folder| folder.join(program))
        .find(|file| file.is_absolute() && file.is_file())
}

/// Parses a comma-separated list of groups.
fn required(list: &str) -> Result<Vec<&'static str>, String> {
    let mut groups = Vec::new();
    for word in list
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
    {
        let before = groups.len();
        groups.extend(
            GROUPS
                .iter()
                .filter(|group| group.name == word || (word == "all" && group.in_registries))
                .map(|group| group.name),
        );
        if groups.len() == before {
            return Err(format!(
                "{REQUIRE_VARIABLE} must consist of `all` and {}, not `{word}`",
                names()
            ));
        }
    }
    Ok(groups)
}

fn names() -> String {
    GROUPS.map(|group| format!("`{}`", group.name)).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_excludes_groups_outside_the_registries() {
        let all = required("all").unwrap();
        assert!(all.contains(&"browser") && !all.contains(&"citus"));
        assert!(required("all, citus").unwrap().contains(&"citus"));
        assert_eq!(required("php,go").unwrap(), ["php", "go"]);
        assert!(required("").unwrap().is_empty());
    }

    #[test]
    fn an_unknown_group_is_refused() {
        let error = required("browser,phantom").unwrap_err();
        assert!(error.contains("not `phantom`"), "{error}");
        assert!(error.contains("`deploy`"), "{error}");
    }
}
