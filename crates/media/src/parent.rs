//! The parent's side: starts a child process for each file, and says why one died.

use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use pressline_backoffice::media::{DecodeError, Decoded, FileDecoder};
use pressline_domain::media::{FileFacts, FileFormat, FileHash, UnreadableReason};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::answer::{ANSWER_BYTES, Answer};
use crate::bounds::Bounds;
use crate::child::arguments;

/// Maximum time of a child process, whatever it waits for. Twice the processor time, because other
/// work may keep the processors busy.
const WALL_CLOCK: Duration = Duration::from_secs(60);
/// Maximum size of the child's messages, in bytes; the log gets them.
const MESSAGE_BYTES: usize = 4096;

/// [`FileDecoder`] that reads each file in a child process.
pub struct ChildDecoder {
    program: PathBuf,
    bounds: Bounds,
    permits: Semaphore,
}

impl ChildDecoder {
    /// Returns a decoder that runs this program, with up to `children` concurrent processes. The
    /// program must call [`run_child`](crate::run_child).
    ///
    /// # Errors
    /// Returns an error if the operating system does not name the file of this program.
    pub fn of_this_program(bounds: Bounds, children: usize) -> io::Result<Self> {
        // The link leads to the running program even after an update has replaced its file.
        let program = match cfg!(target_os = "linux") {
            true => PathBuf::from("/proc/self/exe"),
            false => std::env::current_exe()?,
        };
        Ok(Self {
            program,
            bounds,
            permits: Semaphore::new(children.max(1)),
        })
    }

    fn start(&self, original: File, hash: FileHash) -> io::Result<Child> {
        Command::new(&self.program)
            .args(arguments(hash, &self.bounds))
            .env_clear()
            // The limit of memory would count a gigabyte that the allocator reserves at the start.
            .env("MIMALLOC_ARENA_EAGER_COMMIT", "0")
            .current_dir("/")
            .stdin(original)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
    }
}

#[async_trait]
impl FileDecoder for ChildDecoder {
    #[tracing::instrument(name = "media.decode", level = "debug", skip_all)]
    async fn decode(&self, original: File, hash: FileHash) -> Result<Decoded, DecodeError> {
        let failed = |error: io::Error| DecodeError(error.into());
        let permit = self.permits.acquire().await;
        let _permit = permit.map_err(|error| DecodeError(error.into()))?;
        let bytes = original.metadata().map_err(failed)?.len();
        let mut child = self.start(original, hash).map_err(failed)?;
        let end = timeout(WALL_CLOCK, run(&mut child)).await;
        let (answer, ended) = match end {
            Ok(output) => {
                let output = output.map_err(failed)?;
                let ended = ended(&output, &self.bounds);
                (Answer::read(&output.answer), ended)
            }
            Err(_) => {
                kill(&mut child).await;
                let limit = u32::try_from(WALL_CLOCK.as_secs()).unwrap_or(u32::MAX);
                (Answer::default(), UnreadableReason::Time { limit })
            }
        };
        let facts = answer.facts.clone();
        let facts = facts.filter(|facts| facts.sha256 == hash && facts.bytes == bytes);
        let is_trusted = answer.is_complete && facts.is_some();
        let mut facts = facts.unwrap_or_else(|| FileFacts::new(FileFormat::Other, bytes, hash));
        if !is_trusted {
            tracing::info!(%hash, reason = ?ended, "a print file ended its decoder");
            facts.unreadable = Some(ended);
        }
        Ok(answer.into_decoded(facts))
    }
}

struct Output {
    answer: Vec<u8>,
    message: Vec<u8>,
    status: ExitStatus,
}

/// Reads the answer and the message at the same time, so that the child never waits for one.
async fn run(child: &mut Child) -> io::Result<Output> {
    let (answer, message) = (child.stdout.take(), child.stderr.take());
    let (answer, message) = tokio::join!(
        read_start(answer, ANSWER_BYTES),
        read_start(message, MESSAGE_BYTES)
    );
    Ok(Output {
        answer: answer?,
        message: message?,
        status: child.wait().await?,
    })
}

/// Reads `stream` to its end, and returns up to `limit` bytes of its start.
async fn read_start(stream: Option<impl AsyncRead + Unpin>, limit: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    let Some(mut stream) = stream else {
        return Ok(start);
    };
    let window = u64::try_from(limit).unwrap_or(u64::MAX);
    (&mut stream).take(window).read_to_end(&mut start).await?;
    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    Ok(start)
}

/// Says why the child ended, if it did not answer.
fn ended(output: &Output, bounds: &Bounds) -> UnreadableReason {
    let message = String::from_utf8_lossy(&output.message);
    tracing::debug!(%message, status = %output.status, "the decoder of print files ended");
    if output.status.signal() == Some(Signal::XCPU.as_raw()) {
        let limit = bounds.seconds;
        return UnreadableReason::Time { limit };
    }
    // Rust's message before it aborts.
    if message.contains("memory allocation of") {
        let limit = bounds.memory_mb;
        return UnreadableReason::Memory { limit };
    }
    UnreadableReason::Crashed
}

/// Ends the child with all processes that it might have started.
async fn kill(child: &mut Child) {
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    if let Some(group) = id.and_then(Pid::from_raw) {
        // It fails only if the child has just ended.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait().await;
}
