//! Request bodies as bytes: what must be right before anything is parsed, and the compact form that
//! clients sign.
//!
//! [`scan`] and [`compact`] share nothing but the notion of white space, and need not: a signature
//! is checked first, over unchecked bytes, and only where the raw body's doesn't match
//! is [`compact`] asked, which therefore takes anything. Once the signature is good, [`scan`]
//! decides whether the body is parsed at all. That order is safe: a body whose meaning hangs on
//! white space that [`compact`] removes (`[1 2]`, which becomes `[12]`) is not JSON, and [`scan`]
//! refuses it.
mod compact;
mod error;
mod keys;
mod scan;
#[cfg(test)]
mod tests;

pub use compact::compact;
pub use error::{MAX_DEPTH, ScanError, ScanErrorKind};
pub use scan::{Scan, scan};

/// The white space of RFC 8259, section 2.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
