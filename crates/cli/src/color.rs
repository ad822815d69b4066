//! Whether a stream shows colors and follows escape sequences.

use std::ffi::OsStr;
use std::io::IsTerminal;

/// True where escape sequences may be written to this stream: on a terminal, unless `NO_COLOR` is set
/// (<https://no-color.org>) or the terminal is a dumb one.
pub(crate) fn is_wanted(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").as_deref() == Some(OsStr::new("dumb"));
    stream.is_terminal() && !refused && !dumb
}
