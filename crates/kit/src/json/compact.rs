//! The compact form of a body: its tokens without the white space between them.
use std::borrow::Cow;

use super::is_space;

/// Returns `body` without the white space outside strings; borrowed if there is none. Also takes
/// bytes that are not JSON: everything after the start of an unclosed string is kept.
pub fn compact(body: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Vec::new();
    let mut rest = body;
    while let Some((before, after)) = split_before_space(rest) {
        if out.is_empty() {
            // Allocated once: the compact form is shorter than the body.
            out.reserve_exact(body.len());
        }
        out.extend_from_slice(before);
        let space = after.iter().take_while(|byte| is_space(**byte)).count();
        rest = after.get(space..).unwrap_or_default();
    }
    if rest.len() == body.len() {
        return Cow::Borrowed(body);
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// `bytes` must begin outside a string. Returns `None` if there is no white space outside strings.
fn split_before_space(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (mut in_string, mut escaped) = (false, false);
    let at = bytes.iter().position(|&byte| {
        if in_string {
            // Skips an escaped backslash or quotation mark; other escapes cannot end the string.
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            return false;
        }
        in_string = byte == b'"';
        is_space(byte)
    })?;
    bytes.split_at_checked(at)
}
