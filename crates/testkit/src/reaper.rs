//! The child process that removes a cluster after its owner has ended, for any reason.
//!
//! It is a shell that reads from a pipe. The owner holds the other end, and so do the processes
//! that must end first. The owner writes the id of the server's process into the pipe. At the end
//! of the pipe, the shell stops this process and removes the folder. The same code thus cleans up
//! after a regular end and after a kill of the owner.

use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::TestkitError;
use crate::user::ServerUser;

/// The script ignores signals that a terminal sends to all its processes, because the owner may
/// survive them. SIGQUIT is PostgreSQL's immediate shutdown. The script watches the lock file and
/// the process: if the init process does not collect its children, a dead process seems alive. A
/// killed server leaves its lock file; its seventh line contains the id of a shared memory segment
/// that nothing else would remove.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
folder=$1
lock=$folder/data/postmaster.pid
process=
while read -r line; do process=$line; done
if [ -n "$process" ]; then
    kill -QUIT "$process"
    tries=0
    while [ $tries -lt 200 ] && [ -e "$lock" ] && kill -0 "$process"; do
        tries=$((tries + 1))
        sleep 0.05
    done
    kill -KILL "$process"
fi
if [ -e "$lock" ]; then
    set -- $(sed -n 7p "$lock")
    [ -z "$2" ] || ipcrm -m "$2"
fi
tries=0
while [ $tries -lt 200 ] && [ -e "$folder" ]; do
    rm -rf "$folder" || sleep 0.05
    tries=$((tries + 1))
done
"#;

/// Cleanup process of a cluster.
#[derive(Debug)]
pub(crate) struct Reaper {
    shell: Child,
}

impl Reaper {
    /// Starts it for `folder`. The folder need not exist yet.
    pub(crate) fn start(folder: &Path, user: ServerUser) -> Result<Self, TestkitError> {
        let shell = user
            .command("sh")
            .args(["-c", SCRIPT, "pressline-testkit-reaper"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(TestkitError::io("starting the shell that clears up"))?;
        Ok(Self { shell })
    }

    /// Returns an end of the pipe for a short-lived child: cleanup waits until it has ended. An
    /// owner that is killed right after starting a child cannot report it, and the child would
    /// recreate removed files.
    pub(crate) fn held_back(&self) -> Result<Stdio, TestkitError> {
        let pipe = self
            .shell
            .stdin
            .as_ref()
            .map(|pipe| pipe.as_fd().try_clone_to_owned())
            .transpose();
        let pipe = pipe.map_err(TestkitError::io(
            "sharing the pipe of the shell that clears up",
        ))?;
        Ok(pipe.map_or_else(Stdio::null, Stdio::from))
    }

    /// Sets the process to stop. Use `None` once it has ended, because its id may be reused.
    pub(crate) fn watch(&mut self, process: Option<u32>) -> Result<(), TestkitError> {
        let line = process.map_or_else(|| "\n".to_owned(), |id| format!("{id}\n"));
        self.shell
            .stdin
            .as_mut()
            .map_or(Ok(()), |pipe| pipe.write_all(line.as_bytes()))
            .map_err(TestkitError::io("telling the shell that clears up"))
    }

    /// Starts the cleanup and waits for its end. `process` is the owner's handle on the stopped
    /// server.
    pub(crate) fn finish(&mut self, process: Option<Child>) {
        drop(self.shell.stdin.take());
        // Errors are ignored: the owner could not handle them. Both waits end, because the shell
        // limits every wait.
        if let Some(mut process) = process {
            let _ = process.wait();
        }
        let _ = self.shell.wait();
    }
}
