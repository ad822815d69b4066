//! Detection of streams that support colors and escape sequences.

use std::ffi::OsStr;
use std::io::IsTerminal;

/// Returns whether escape sequences may be written to `stream`: it is a terminal, `NO_COLOR` is
/// unset or empty (<https://no-color.org>), and `TERM` is not `dumb`.
pub fn is_wanted(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").as_deref() == Some(OsStr::new("dumb"));
    stream.is_terminal() && !refused && !dumb
}
