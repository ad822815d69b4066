//! What is wrong with a body, where, and what would be right.

use crate::text::excerpt;

/// How deep objects and arrays may be nested; the body's own object is the first level.
pub const MAX_DEPTH: usize = 64;

/// A body that must not be parsed, and the place where that shows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct ScanError {
    /// What is wrong.
    pub kind: ScanErrorKind,
    /// From 1; lines end at line feeds.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

/// What is wrong with a body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScanErrorKind {
    /// Nothing, or white space only.
    #[error("the body is empty; it must be a JSON object")]
    Empty,
    /// Bytes that aren't UTF-8.
    #[error("the body must be UTF-8, and here it isn't")]
    NotUtf8,
    /// A byte order mark in front.
    #[error("the body must not begin with a byte order mark")]
    ByteOrderMark,
    /// Another JSON value than an object.
    #[error("the body must be a JSON object, that is, begin with `{{`")]
    NotAnObject,
    /// A character that the grammar doesn't allow here.
    #[error("unexpected character {found:?}; expected {expected}")]
    Unexpected {
        /// The character.
        found: char,
        /// What would be valid there.
        expected: &'static str,
    },
    /// The body ends too early.
    #[error("the body ends too early; expected {expected}")]
    UnexpectedEnd {
        /// What would be valid there.
        expected: &'static str,
    },
    /// Something after the object.
    #[error(
        "unexpected character {found:?} after the object; the body must be one JSON object and nothing else"
    )]
    Trailing {
        /// Its first character.
        found: char,
    },
    /// Objects and arrays in each other, too many.
    #[error("objects and arrays must be nested at most {max} deep", max = MAX_DEPTH)]
    TooDeep,
    /// A NUL character in a string, as it is or as `\u0000`.
    #[error("strings must not hold the character U+0000")]
    Nul,
    /// Another control character in a string.
    #[error("control characters in strings must be escaped; this is U+{:04X}, written \\u{:04x}", u32::from(*.0), u32::from(*.0))]
    ControlCharacter(char),
    /// A backslash and something that can't follow one.
    #[error(
        "unknown escape; after a backslash expected one of \" \\ / b f n r t, or u and four hexadecimal digits"
    )]
    Escape,
    /// Half of a surrogate pair.
    #[error(
        "\\u{unit:04x} is half of a surrogate pair; expected both halves, \\ud800 to \\udbff and \\udc00 to \\udfff"
    )]
    LoneSurrogate {
        /// The UTF-16 unit without its counterpart.
        unit: u16,
    },
    /// A key that the same object has already.
    #[error("the key {key:?} is repeated; each key must occur once in an object")]
    RepeatedKey {
        /// The key, unescaped, or its beginning.
        key: String,
    },
}

impl ScanErrorKind {
    pub(super) fn repeated(key: &str) -> Self {
        let key = excerpt(key).into_owned();
        Self::RepeatedKey { key }
    }

    /// Counts line and column only now, so that only errors pay for it.
    pub(super) fn at(self, before: &str) -> ScanError {
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        ScanError {
            kind: self,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }
}
