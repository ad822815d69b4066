//! A cluster leaves neither processes nor files behind, whether its owner ends or is killed.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write, stdin};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

use libtest_mimic::{Arguments, Failed, Trial};
use pressline_testkit::Postgres;
use tempfile::TempDir;

/// Argument that makes this program hold a cluster until its standard input ends.
const HOLD: &str = "hold-a-cluster";

/// Test timeout; far longer than a server takes to stop.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> Result<(), Failed> {
    if env::args_os().nth(1).as_deref() == Some(OsStr::new(HOLD)) {
        return hold();
    }
    let trials = vec![
        Trial::test("a_cluster_let_go_leaves_nothing", || {
            let folder = temporary_folder()?;
            let mut owner = owner(folder.path())?;
            wait_until_ready(&mut owner)?;
            drop(owner.stdin.take());
            owner.wait()?;
            // The owner waits for the cleanup before it ends, so no further wait is needed.
            nothing_left(folder.path()).map_err(Failed::from)
        }),
        Trial::test("a_killed_owner_leaves_nothing", || {
            let folder = temporary_folder()?;
            let mut owner = owner(folder.path())?;
            wait_until_ready(&mut owner)?;
            if nothing_left(folder.path()).is_ok() {
                return Err("a running cluster was not seen".into());
            }
            kill(&mut owner)?;
            wait_until_nothing_left(folder.path())
        }),
        Trial::test(
            "an_owner_killed_while_it_starts_a_cluster_leaves_nothing",
            || {
                // The delays fall into each phase of the start: folder, `initdb`, server.
                for milliseconds in [0, 3, 15, 30, 45, 200, 500, 800, 900, 1000] {
                    let folder = temporary_folder()?;
                    let mut owner = owner(folder.path())?;
                    thread::sleep(Duration::from_millis(milliseconds));
                    kill(&mut owner)?;
                    wait_until_nothing_left(folder.path()).map_err(|left| {
                        format!(
                            "killed after {milliseconds} ms: {}",
                            left.message().unwrap_or("")
                        )
                    })?;
                }
                Ok(())
            },
        ),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn hold() -> Result<(), Failed> {
    let postgres = Postgres::start()?;
    writeln!(io::stdout(), "{}", postgres.url("postgres"))?;
    io::copy(&mut stdin().lock(), &mut io::sink())?;
    Ok(())
}

/// A temporary folder that the server's user may use too, like the system's `/tmp`.
fn temporary_folder() -> io::Result<TempDir> {
    let folder = tempfile::tempdir()?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777))?;
    Ok(folder)
}

fn owner(folder: &Path) -> io::Result<Child> {
    Command::new(env::current_exe()?)
        .arg(HOLD)
        .env("TMPDIR", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
}

fn wait_until_ready(owner: &mut Child) -> Result<(), Failed> {
    let mut line = String::new();
    BufReader::new(owner.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    if line.starts_with("postgres://") {
        return Ok(());
    }
    Err(format!("no address, but {line:?}").into())
}

fn kill(owner: &mut Child) -> io::Result<()> {
    owner.kill()?;
    owner.wait().map(drop)
}

fn wait_until_nothing_left(folder: &Path) -> Result<(), Failed> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match nothing_left(folder) {
            Ok(()) => return Ok(()),
            Err(left) if Instant::now() > deadline => return Err(left.into()),
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Reports remaining files of the folder, or processes that use it.
fn nothing_left(folder: &Path) -> Result<(), String> {
    let files: Vec<_> = fs::read_dir(folder)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    let processes = processes(folder);
    if files.is_empty() && processes.is_empty() {
        return Ok(());
    }
    Err(format!("files {files:?}, processes {processes:?}"))
}

/// Processes that work in the folder or have it in their arguments: the server's and the cleanup
/// shell. Empty on systems without `/proc`, where only files are checked.
fn processes(folder: &Path) -> Vec<String> {
    let name = folder.display().to_string();
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let arguments = fs::read(entry.path().join("cmdline")).ok()?;
            let arguments = String::from_utf8_lossy(&arguments).replace('\0', " ");
            let works_there =
                fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder));
            (works_there || arguments.contains(&name)).then_some(arguments)
        })
        .collect()
}
