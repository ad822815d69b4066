//! Bounded queue of log lines with the thread that writes them: no request waits for the log.
//!
//! The non-blocking writer of `tracing-appender` 0.2 does not fit: it does not count lines that
//! could not be written. If its thread does not end in time, it prints to standard output and
//! error, which blocks or panics exactly then.

use pressline_kit::lock;

use std::io::{self, ErrorKind, Write};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Maximum total size of queued lines, in bytes: some 12,000 request lines, or seconds of full
/// load.
pub(super) const CAPACITY: usize = 4 * 1024 * 1024;

/// Time for which the writing thread collects lines before a write. One write then takes many
/// lines, and a busy server wakes the thread up to 200 times a second instead of once per line.
const BATCH_DELAY: Duration = Duration::from_millis(5);

/// Maximum capacity of an empty buffer, in bytes. A buffer that became larger during a stall is
/// shrunk.
const RETAINED_BYTES: usize = 64 * 1024;

/// Drops lines that do not fit, so that `push` never blocks or fails.
#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Signalled when a line arrives while [`State::idle`] is true.
    arrived: Condvar,
    /// Signalled when all lines are written, or dropped because writing failed.
    emptied: Condvar,
    capacity: usize,
}

#[derive(Debug, Default)]
struct State {
    bytes: Vec<u8>,
    /// Number of dropped lines that the log does not report yet. `lost` counts all dropped lines.
    dropped: u64,
    lost: u64,
    /// True while the writing thread waits for a line.
    idle: bool,
    /// True while the writing thread holds lines that it took from `bytes`.
    writing: bool,
}

impl Queue {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::default(),
            arrived: Condvar::new(),
            emptied: Condvar::new(),
            capacity,
        }
    }

    pub(super) fn push(&self, line: &[u8]) {
        let mut state = lock(&self.state);
        if state.bytes.len() + line.len() > self.capacity {
            state.dropped = state.dropped.saturating_add(1);
            state.lost = state.lost.saturating_add(1);
            return;
        }
        state.bytes.extend_from_slice(line);
        // Waking a thread costs a system call, so only one that sleeps is woken.
        if state.idle {
            state.idle = false;
            self.arrived.notify_one();
        }
    }

    pub(super) fn lost(&self) -> u64 {
        lock(&self.state).lost
    }

    pub(super) fn flush(&self, limit: Duration) {
        // The lines of the current write are no longer in `bytes`, but not written yet either.
        let waits = |state: &mut State| state.writing || !state.bytes.is_empty();
        // Lines that a stalled reader does not take within the limit are lost with the process.
        drop(
            self.emptied
                .wait_timeout_while(lock(&self.state), limit, waits),
        );
    }

    /// Never returns. `notice` formats the log line about the given number of dropped lines.
    pub(super) fn write_to(&self, mut out: impl Write, notice: impl Fn(u64) -> Vec<u8>) {
        let mut batch = Vec::new();
        let mut torn = false;
        loop {
            self.take(&mut batch);
            if torn {
                // The line that failed halfway must not run into the next line.
                write(&mut out, b"\n", &mut torn);
            }
            let lost = write(&mut out, &batch, &mut torn);
            self.count(lost);
            let dropped = lock(&self.state).dropped;
            // The notice waits until lines can be written again.
            if lost == 0 && dropped > 0 && write(&mut out, &notice(dropped), &mut torn) == 0 {
                lock(&self.state).dropped -= dropped;
            }
            batch.clear();
            batch.shrink_to(RETAINED_BYTES);
        }
    }

    fn take(&self, batch: &mut Vec<u8>) {
        let mut state = lock(&self.state);
        state.writing = false;
        if state.bytes.is_empty() {
            self.emptied.notify_all();
            state.idle = true;
            let empty = |state: &mut State| state.bytes.is_empty();
            drop(
                self.arrived
                    .wait_while(state, empty)
                    .unwrap_or_else(PoisonError::into_inner),
            );
            thread::sleep(BATCH_DELAY);
            state = lock(&self.state);
        }
        state.idle = false;
        state.writing = true;
        // Swapped, so that the lock is not held while lines are copied.
        std::mem::swap(&mut state.bytes, batch);
    }

    fn count(&self, lost: u64) {
        let mut state = lock(&self.state);
        state.dropped = state.dropped.saturating_add(lost);
        state.lost = state.lost.saturating_add(lost);
    }
}

/// Queues the bytes of each call as one line: the log's formatter writes whole lines.
impl Write for &Queue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.push(line);
        // Also if the line was dropped: the formatter could do nothing about an error.
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the number of lines not fully written. Sets `torn` if the output ends within a line.
fn write(out: &mut impl Write, lines: &[u8], torn: &mut bool) -> u64 {
    let mut rest = lines;
    while !rest.is_empty() {
        match out.write(rest) {
            // A stream that accepts no bytes would be tried forever.
            Ok(0) => break,
            Ok(length) => {
                *torn = rest.get(length - 1) != Some(&b'\n');
                rest = rest.get(length..).unwrap_or_default();
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // Another process has made the stream non-blocking; this thread can wait.
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(BATCH_DELAY),
            Err(_) => break,
        }
    }
    let lost = rest.iter().filter(|byte| **byte == b'\n').count();
    u64::try_from(lost).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{self, Receiver, Sender};

    use super::*;

    /// Stream with writes that wait for a permission: the number of bytes to accept, or an error.
    struct Gate {
        begun: Sender<()>,
        permissions: Receiver<Result<usize, ErrorKind>>,
        written: Sender<Vec<u8>>,
    }

    impl Write for Gate {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.begun.send(());
            // After the test the stream accepts nothing more.
            let Ok(permission) = self.permissions.recv() else {
                loop {
                    thread::park()
                }
            };
            let length = permission.map_err(io::Error::from)?.min(bytes.len());
            self.written.send(bytes[..length].to_vec()).unwrap();
            Ok(length)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Log {
        queue: Arc<Queue>,
        begun: Receiver<()>,
        permit: Sender<Result<usize, ErrorKind>>,
        written: Receiver<Vec<u8>>,
    }

    impl Log {
        fn new(capacity: usize) -> Self {
            let (permit, permissions) = mpsc::channel();
            let (sender, written) = mpsc::channel();
            let (begin, begun) = mpsc::channel();
            let queue = Arc::new(Queue::new(capacity));
            let writer = Arc::clone(&queue);
            let gate = Gate {
                begun: begin,
                permissions,
                written: sender,
            };
            thread::spawn(move || {
                writer.write_to(gate, |lost| format!("{lost} dropped\n").into_bytes())
            });
            Self {
                queue,
                begun,
                permit,
                written,
            }
        }

        fn permit(&self, permission: Result<usize, ErrorKind>) {
            self.permit.send(permission).unwrap();
        }

        fn text(&self) -> String {
            String::from_utf8(self.written.recv().unwrap()).unwrap()
        }
    }

    const ALL: Result<usize, ErrorKind> = Ok(usize::MAX);

    #[test]
    fn lines_that_do_not_fit_are_dropped_and_counted() {
        let log = Log::new(8);
        log.queue.push(b"0\n");
        // From here on the thread holds this line, and takes no other.
        log.begun.recv().unwrap();
        for _ in 0..5 {
            log.queue.push(b"123\n");
        }
        for text in ["0\n", "3 dropped\n", "123\n123\n"] {
            log.permit(ALL);
            assert_eq!(log.text(), text);
        }
        // The count begins again.
        log.queue.push(b"4\n");
        log.permit(ALL);
        assert_eq!(log.text(), "4\n");
        log.queue.flush(Duration::from_secs(60));
        assert_eq!(lock(&log.queue.state).dropped, 0);
    }

    #[test]
    fn lines_that_cannot_be_written_are_counted_and_the_next_one_begins_a_line() {
        let log = Log::new(100);
        log.queue.push(b"one\ntwo\nthree\n");
        log.permit(Ok(5));
        log.permit(Err(ErrorKind::Interrupted));
        log.permit(Err(ErrorKind::StorageFull));
        assert_eq!(log.text(), "one\nt");
        log.queue.flush(Duration::from_secs(60));
        log.queue.push(b"four\n");
        for text in ["\n", "four\n", "2 dropped\n"] {
            log.permit(ALL);
            assert_eq!(log.text(), text);
        }
    }

    #[test]
    fn a_flush_does_not_wait_longer_than_its_limit() {
        let log = Log::new(100);
        log.queue.push(b"one\n");
        log.queue.flush(Duration::from_millis(1));
        log.permit(ALL);
        log.queue.flush(Duration::from_secs(60));
        assert_eq!(log.text(), "one\n");
    }
}
