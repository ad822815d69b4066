//! Checks of request bodies before they are parsed, and the compact form that clients sign.
//!
//! [`scan`] and [`compact`] are independent, because a signature is checked first, over unchecked
//! bytes. If the signature does not match the raw body, it is checked over the compact form, so
//! [`compact`] accepts any bytes. Then [`scan`] decides whether the body is parsed at all. That
//! sequence is safe: if [`compact`] changes the meaning of a body (`[1 2]` becomes `[12]`), the
//! body is not JSON, and [`scan`] refuses it.
mod compact;
mod error;
mod keys;
mod scan;
#[cfg(test)]
mod tests;

pub use compact::compact;
pub use error::{MAX_DEPTH, ScanError, ScanErrorKind};
pub use scan::{Scan, scan};

/// Returns whether `byte` is white space according to RFC 8259, section 2.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
