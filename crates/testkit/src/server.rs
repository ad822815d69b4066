//! Folder and server process of a cluster.

use std::fs::{self, DirBuilder, File, Permissions};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use rustix::process::{Pid, Signal, kill_process};

use crate::binaries::Binaries;
use crate::reaper::Reaper;
use crate::user::ServerUser;
use crate::{TestkitError, random};

/// Time limit of a start or a stop. The longest case is a start after a kill: the old server's
/// processes hold its shared memory for some seconds.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum number of lines that [`Server::incidents`] returns.
const INCIDENTS: usize = 20;

/// Time between two checks of a condition.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Settings of every cluster. No socket file and no shared memory file outside the cluster's
/// folder, so that removing the folder removes everything.
const SETTINGS: [(&str, &str); 4] = [
    ("listen_addresses", "127.0.0.1"),
    ("unix_socket_directories", ""),
    ("dynamic_shared_memory_type", "mmap"),
    ("max_connections", "300"),
];

/// A cluster that this process owns. Dropping the value stops the server and removes the folder.
#[derive(Debug)]
pub(crate) struct Server {
    binaries: Binaries,
    user: ServerUser,
    folder: PathBuf,
    settings: Vec<(String, String)>,
    password: String,
    port: u16,
    process: Option<Child>,
    reaper: Reaper,
}

/// Result of an attempt to start.
enum Attempt {
    Ready,
    Exited { log: String },
}

impl Server {
    /// Creates a cluster and starts it.
    pub(crate) fn create(
        settings: Vec<(String, String)>,
        files: &[(String, String)],
        password: Option<String>,
        programs: Option<PathBuf>,
    ) -> Result<Self, TestkitError> {
        let user = ServerUser::find()?;
        let binaries = match programs {
            Some(folder) => Binaries::in_folder(folder, user)?,
            None => Binaries::locate(user)?,
        };
        let folder = env::temp_dir().join(format!("pressline-postgres-{}", random::hex()?));
        // Started before there is anything to remove, so that nothing can be left behind.
        let reaper = Reaper::start(&folder, user)?;
        let mut server = Self {
            binaries,
            user,
            folder,
            settings,
            password: password.map_or_else(random::hex, Ok)?,
            port: 0,
            process: None,
            reaper,
        };
        server.initialise()?;
        for (name, content) in files {
            server.write(name, content)?;
        }
        server.start()?;
        Ok(server)
    }

    /// URL of `database`.
    pub(crate) fn url(&self, database: &str) -> String {
        format!(
            "postgres://postgres:{}@127.0.0.1:{}/{database}",
            self.password, self.port
        )
    }

    /// Id of the first process; `None` while the server is stopped.
    pub(crate) fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Child::id)
    }

    /// Starts the server unless it runs. The port is chosen once, so that URLs stay valid.
    pub(crate) fn start(&mut self) -> Result<(), TestkitError> {
        if self.process.is_some() {
            return Ok(());
        }
        // A port is chosen once only, or the URLs that tests hold would become invalid.
        let chooses_port = self.port == 0;
        let deadline = Instant::now() + TIMEOUT;
        loop {
            if chooses_port {
                self.port = free_port()?;
            }
            match self.try_start(deadline)? {
                Attempt::Ready => return Ok(()),
                // Retried only for reasons that pass by themselves.
                Attempt::Exited { log } if passes(&log) && Instant::now() < deadline => {
                    thread::sleep(POLL_INTERVAL * 10)
                }
                Attempt::Exited { log } => {
                    return Err(TestkitError::Start {
                        program: "PostgreSQL",
                        log,
                    });
                }
            }
        }
    }

    /// Shuts the server down regularly: closes connections and writes all data.
    pub(crate) fn stop(&mut self) -> Result<(), TestkitError> {
        let Some(process) = self.process.as_mut() else {
            return Ok(());
        };
        // SIGINT is PostgreSQL's fast shutdown, which does not wait for clients.
        kill_process(Pid::from_child(process), Signal::INT)
            .map_err(|error| TestkitError::io("stopping the server")(error.into()))?;
        let deadline = Instant::now() + TIMEOUT;
        while process
            .try_wait()
            .map_err(TestkitError::io("waiting for the server"))?
            .is_none()
        {
            if Instant::now() > deadline {
                return Err(self.deadline("stop"));
            }
            thread::sleep(POLL_INTERVAL);
        }
        self.ended()
    }

    /// Kills the server's first process with SIGKILL, as a crash would. Its other processes end by
    /// themselves.
    pub(crate) fn kill(&mut self) -> Result<(), TestkitError> {
        let Some(process) = self.process.as_mut() else {
            return Ok(());
        };
        process
            .kill()
            .and_then(|()| process.wait())
            .map_err(TestkitError::io("killing the server"))?;
        self.ended()
    }

    fn ended(&mut self) -> Result<(), TestkitError> {
        self.process = None;
        // The id may be reused, so the reaper must not signal it any more.
        self.reaper.watch(None)
    }

    fn initialise(&mut self) -> Result<(), TestkitError> {
        DirBuilder::new()
            .mode(0o700)
            .create(&self.folder)
            .map_err(TestkitError::io(format!(
                "creating {}",
                self.folder.display()
            )))?;
        // `initdb` reads a password only from a file or from a terminal.
        let password_file = self.folder.join("password");
        fs::write(&password_file, &self.password)
            .map_err(TestkitError::io("writing the password file"))?;
        self.user.own(&password_file)?;
        self.user.own(&self.folder)?;

        let mut command = self.binaries.command("initdb", self.user);
        command
            .arg("--pgdata")
            .arg(self.folder.join("data"))
            .arg("--pwfile")
            .arg(&password_file)
            .args([
                "--username=postgres",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
            ])
            .arg("--no-sync")
            .process_group(0)
            // The reaper waits for `initdb`, which would otherwise recreate the removed folder.
            .stdin(self.reaper.held_back()?)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command
            .spawn()
            .map_err(TestkitError::io("running initdb"))?;
        let output = child
            .wait_with_output()
            .map_err(TestkitError::io("running initdb"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(TestkitError::program(Path::new("initdb"), &output))
    }

    /// Writes a file into the data folder.
    fn write(&self, name: &str, content: &str) -> Result<(), TestkitError> {
        let path = self.folder.join("data").join(name);
        fs::write(&path, content)
            .and_then(|()| fs::set_permissions(&path, Permissions::from_mode(0o600)))
            .map_err(TestkitError::io(format!("writing {}", path.display())))?;
        self.user.own(&path)
    }

    fn try_start(&mut self, deadline: Instant) -> Result<Attempt, TestkitError> {
        let log =
            File::create(self.log_file()).map_err(TestkitError::io("creating the server's log"))?;
        let errors = log
            .try_clone()
            .map_err(TestkitError::io("opening the server's log"))?;
        let mut command = self.binaries.command("postgres", self.user);
        command
            .arg("-D")
            .arg(self.folder.join("data"))
            .arg(format!("--port={}", self.port));
        // Given as arguments, settings take precedence over `postgresql.conf`.
        for (name, value) in SETTINGS {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        for (name, value) in &self.settings {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        command.stdout(log).stderr(errors).process_group(0);

        let mut process = command
            .spawn()
            .map_err(TestkitError::io("running postgres"))?;
        // Before the server is ready: the owner may be killed while it waits.
        self.reaper.watch(Some(process.id()))?;
        let ended = loop {
            if self.is_ready(process.id()) {
                self.process = Some(process);
                return Ok(Attempt::Ready);
            }
            if process
                .try_wait()
                .map_err(TestkitError::io("waiting for the server"))?
                .is_some()
            {
                break true;
            }
            if Instant::now() > deadline {
                break false;
            }
            thread::sleep(POLL_INTERVAL);
        };
        if ended {
            self.reaper.watch(None)?;
            return Ok(Attempt::Exited { log: self.log() });
        }
        // Kept, so that dropping the cluster waits for the process.
        self.process = Some(process);
        Err(self.deadline("start"))
    }

    /// Reads the server's state from the eighth line of its lock file. The first line contains the
    /// process id: a killed predecessor leaves its lock file behind.
    fn is_ready(&self, process: u32) -> bool {
        let Ok(text) = fs::read_to_string(self.folder.join("data/postmaster.pid")) else {
            return false;
        };
        let mut lines = text.lines();
        lines.next() == Some(process.to_string().as_str())
            && lines.nth(6).is_some_and(|state| state.trim() == "ready")
    }

    fn log_file(&self) -> PathBuf {
        self.folder.join("log")
    }

    fn log(&self) -> String {
        fs::read_to_string(self.log_file()).unwrap_or_else(|error| format!("(unreadable: {error})"))
    }

    /// Returns the lines of the log about failures of the server itself, at most the latest
    /// [`INCIDENTS`]. Failed statements do not count.
    pub(crate) fn incidents(&self) -> Vec<String> {
        let log = self.log();
        let lines: Vec<String> = log
            .lines()
            .filter(|line| is_incident(line))
            .map(str::to_owned)
            .collect();
        let first = lines.len().saturating_sub(INCIDENTS);
        lines.into_iter().skip(first).collect()
    }

    fn deadline(&self, action: &'static str) -> TestkitError {
        TestkitError::Deadline {
            action,
            seconds: TIMEOUT.as_secs(),
            log: self.log(),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.reaper.finish(self.process.take());
    }
}

fn is_incident(line: &str) -> bool {
    [
        "PANIC:",
        "No space left on device",
        "out of memory",
        "too many clients already",
        "was terminated by signal",
        "shutting down",
        "in recovery mode",
    ]
    .iter()
    .any(|text| line.contains(text))
}

/// Returns whether a retry can help: another program took the port, or the processes of a killed
/// server have not ended yet.
fn passes(log: &str) -> bool {
    [
        "Address already in use",
        "pre-existing shared memory block",
        "lock file \"postmaster.pid\" already exists",
    ]
    .iter()
    .any(|reason| log.contains(reason))
}

/// Returns a port that was free at the time of the call.
pub(crate) fn free_port() -> Result<u16, TestkitError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(TestkitError::io("looking for a free port"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_the_server_are_incidents_and_failed_statements_are_not() {
        assert!(is_incident(
            "2026-11-29 10:00:00 UTC [7] PANIC:  could not write to file: No space left on device"
        ));
        assert!(is_incident("FATAL:  sorry, too many clients already"));
        assert!(!is_incident(
            "ERROR:  duplicate key value violates unique constraint \"orders_pkey\""
        ));
    }
}
