//! The child process that removes a cluster once its owner has ended, for any reason.
//!
//! It is a shell that reads a pipe whose other end the owner holds, and what must end before it
//! clears up. The owner writes the id of the server's process there; when the pipe ends, the shell
//! stops that process and removes the folder. So one way of clearing up serves both: the owner that
//! lets go of the cluster, and the owner that was killed and can do nothing any more.

use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::TestkitError;
use crate::user::ServerUser;

/// Signals that a terminal sends to everybody are ignored: the owner may survive them. SIGQUIT is
/// PostgreSQL's immediate shutdown. The lock file is watched besides the process, because under an
/// init that doesn't collect its children a dead process seems to live on. A server that was killed
/// leaves its lock file, whose seventh line holds the id of a shared memory segment that nobody
/// else would remove.
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

/// The clearing child of one cluster.
#[derive(Debug)]
pub(crate) struct Reaper {
    shell: Child,
}

impl Reaper {
    /// Starts it for a folder that may not be there yet.
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

    /// An end of the pipe for a child that ends by itself: nothing is cleared up before it has. An
    /// owner that is killed right after it started a child could not report it, and the child
    /// would create again what is removed.
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

    /// Tells it which process to stop, from now on; `None` once that process has ended and its id
    /// may be another's.
    pub(crate) fn watch(&mut self, process: Option<u32>) -> Result<(), TestkitError> {
        let line = process.map_or_else(|| "\n".to_owned(), |id| format!("{id}\n"));
        self.shell
            .stdin
            .as_mut()
            .map_or(Ok(()), |pipe| pipe.write_all(line.as_bytes()))
            .map_err(TestkitError::io("telling the shell that clears up"))
    }

    /// Lets it clear up, and waits until it has. `process` is the owner's handle on what it stops.
    pub(crate) fn finish(&mut self, process: Option<Child>) {
        drop(self.shell.stdin.take());
        // Neither can fail in a way that the owner could mend, and both end: the shell bounds every
        // wait.
        if let Some(mut process) = process {
            let _ = process.wait();
        }
        let _ = self.shell.wait();
    }
}
