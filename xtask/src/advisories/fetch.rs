//! Keeps a copy of the advisory database in the target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// Default repository of the database.
const DATABASE: &str = "https://github.com/RustSec/advisory-db";

/// Environment variable with another repository, such as a mirror.
const DATABASE_VARIABLE: &str = "PRESSLINE_ADVISORY_DB";

/// Maximum age of the copy before it is fetched again.
const MAXIMUM_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Time limit for fetching about 2 MB: a network that drops packets must not delay CI.
const FETCH_TIMEOUT: Duration = Duration::from_secs(20);

const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Returns the folder in `target` with a copy that is less than a day old, and fetches it if
/// necessary. The error is a single line with the reason.
pub(super) fn database(target: &Path) -> Result<PathBuf, String> {
    let folder = target.join("advisory-db");
    if is_fresh(&folder) {
        return Ok(folder);
    }
    let source = std::env::var(DATABASE_VARIABLE).unwrap_or_else(|_| DATABASE.to_owned());
    // Fetched into a temporary folder and renamed, so that an interrupted fetch leaves no partial
    // database.
    let partial = target.join("advisory-db.partial");
    remove(&partial).map_err(|error| format!("{}: {error}", partial.display()))?;
    clone(&source, &partial).map_err(|reason| format!("{source} cannot be fetched: {reason}"))?;
    // The old copy is removed only after the new copy is complete.
    remove(&folder)
        .and_then(|()| fs::rename(&partial, &folder))
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

fn remove(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
    } else {
        Ok(())
    }
}

fn is_fresh(folder: &Path) -> bool {
    fs::metadata(folder)
        .and_then(|metadata| metadata.modified())
        .is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age < MAXIMUM_AGE))
}

fn clone(source: &str, folder: &Path) -> Result<(), String> {
    let mut command = Command::new("git");
    command
        .args(["clone", "--quiet", "--depth", "1", "--single-branch", "--"])
        .arg(source)
        .arg(folder)
        // Neither git nor ssh may ask for a password.
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ASKPASS", "true");
    run(&mut command, FETCH_TIMEOUT)
}

/// Runs a program and its child processes for at most `timeout`. The error is the last line of its
/// output.
fn run(command: &mut Command, timeout: Duration) -> Result<(), String> {
    use std::os::unix::process::CommandExt;

    let program = command.get_program().display().to_string();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        // git leaves the transfer to a child process; killing the process group ends both.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("{program} does not run: {error}"))?;
    let Some(status) = wait(&mut child, timeout).map_err(|error| error.to_string())? else {
        end_group(&mut child);
        return Err(format!("no result after {} s", timeout.as_secs()));
    };
    if status.success() {
        return Ok(());
    }
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let last = messages.trim_end().lines().last().unwrap_or_default();
    Err(format!("{program}: {status}: {last}"))
}

/// Waits for the end of a program; returns `None` after `timeout`.
fn wait(child: &mut Child, timeout: Duration) -> std::io::Result<Option<ExitStatus>> {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begin.elapsed() >= timeout {
            return Ok(None);
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Kills `child` and its child processes. An error means that they have already ended.
fn end_group(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_takes_too_long_is_ended() {
        let begin = Instant::now();
        let result = run(Command::new("sleep").arg("60"), Duration::from_millis(50));
        assert!(result.unwrap_err().starts_with("no result after"));
        assert!(begin.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_repository_that_does_not_exist_is_an_error_of_one_line() {
        let folder = std::env::temp_dir().join("pressline-no-such-repository");
        let reason = clone(&folder.display().to_string(), &folder.join("copy")).unwrap_err();
        assert!(reason.starts_with("git: "), "{reason}");
        assert!(!reason.contains('\n'), "{reason}");
    }
}
