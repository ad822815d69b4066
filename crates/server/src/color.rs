//! Whether a stream shows colors and can be drawn on.

use std::ffi::OsStr;
use std::io::IsTerminal;

/// True where text on this stream may be colored: on a terminal, unless `NO_COLOR` is set
/// (<https://no-color.org>) or the terminal is a dumb one.
pub(crate) fn is_wanted(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    can_redraw(stream) && !refused
}

/// True where a line on this stream can be drawn again in place: on a terminal that is not a dumb
/// one.
pub(crate) fn can_redraw(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").as_deref() != Some(OsStr::new("dumb"))
}
