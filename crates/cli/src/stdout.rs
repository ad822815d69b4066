//! Writing to standard output.

use std::io::{self, Write};

/// Returns false if the reader closed the pipe, as `head` does.
pub(crate) fn write_out(text: &[u8]) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    // Flushed, so that an error is reported here and not lost when the process exits.
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => written.map(|()| true),
    }
}
