//! The compact form of a body: the same tokens without the white space between them.
use std::borrow::Cow;

use super::is_space;

/// The body without the white space outside of strings; borrowed where there is none.
///
/// Nothing is parsed, and bytes that aren't JSON are taken as well: a quotation mark opens a
/// string, the next one that no backslash escapes closes it, and after the opening mark of a string
/// that never ends everything is kept.
pub fn compact(body: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Vec::new();
    let mut rest = body;
    while let Some((kept, after)) = split_before_space(rest) {
        if out.is_empty() {
            out.reserve_exact(body.len());
        }
        out.extend_from_slice(kept);
        let space = after.iter().take_while(|byte| is_space(**byte)).count();
        rest = after.get(space..).unwrap_or_default();
    }
    if rest.len() == body.len() {
        return Cow::Borrowed(body);
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// Splits bytes that start outside of a string before the first white space outside of one.
fn split_before_space(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (mut in_string, mut escaped) = (false, false);
    let at = bytes.iter().position(|&byte| {
        if in_string {
            // An escaped backslash or quotation mark is skipped; what else an escape holds can't
            // end the string.
            in_string = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            return false;
        }
        in_string = byte == b'"';
        is_space(byte)
    })?;
    bytes.split_at_checked(at)
}
