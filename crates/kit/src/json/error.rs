//! Errors of the scan: the fault, its position, and the expected form.

use crate::text::excerpt;

/// Maximum nesting depth of objects and arrays; the body's own object is level 1.
pub const MAX_DEPTH: usize = 64;

/// Reason why a body must not be parsed: its first fault, and the position of the fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct ScanError {
    /// Kind of fault at `line` and `column`. Its message describes the fault and valid input.
    pub kind: ScanErrorKind,
    /// Line number from 1; lines end at line feeds.
    pub line: u32,
    /// Column number from 1, in characters.
    pub column: u32,
}

/// Problem of a request body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScanErrorKind {
    /// The body is empty or contains only white space.
    #[error("the body is empty; it must be a JSON object")]
    Empty,
    /// The body contains bytes that are not UTF-8.
    #[error("the body must be UTF-8, and here it isn't")]
    NotUtf8,
    /// The body begins with a byte order mark.
    #[error("the body must not begin with a byte order mark")]
    ByteOrderMark,
    /// The body is a JSON value other than an object, such as `[]`.
    #[error("the body must be a JSON object, that is, begin with `{{`")]
    NotAnObject,
    /// A character that the grammar does not allow here.
    #[error("unexpected character {found:?}; expected {expected}")]
    Unexpected {
        /// The unexpected character.
        found: char,
        /// Description of valid input at this position, such as `,` or `}`.
        expected: &'static str,
    },
    /// The body ends before the closing `}` of its object.
    #[error("the body ends too early; expected {expected}")]
    UnexpectedEnd {
        /// Description of valid input at this position, such as `,` or `}`.
        expected: &'static str,
    },
    /// A character other than white space follows the object.
    #[error(
        "unexpected character {found:?} after the object; the body must be one JSON object and nothing else"
    )]
    Trailing {
        /// The first character after the object that is not white space.
        found: char,
    },
    /// Objects and arrays are nested deeper than [`MAX_DEPTH`].
    #[error("objects and arrays must be nested at most {max} deep", max = MAX_DEPTH)]
    TooDeep,
    /// A NUL character in a string, literal or as `\u0000`.
    #[error("strings must not hold the character U+0000")]
    Nul,
    /// An unescaped control character in a string, except [`ScanErrorKind::Nul`].
    #[error("control characters in strings must be escaped; this is U+{:04X}, written \\u{:04x}", u32::from(*.0), u32::from(*.0))]
    ControlCharacter(char),
    /// A backslash that does not begin a valid escape.
    #[error(
        "unknown escape; after a backslash expected one of \" \\ / b f n r t, or u and four hexadecimal digits"
    )]
    Escape,
    /// A `\u` escape is only one half of a surrogate pair.
    #[error(
        "\\u{unit:04x} is half of a surrogate pair; expected both halves, \\ud800 to \\udbff and \\udc00 to \\udfff"
    )]
    LoneSurrogate {
        /// The unpaired UTF-16 unit.
        unit: u16,
    },
    /// The object already has a key equal to this key.
    #[error("the key {key:?} is repeated; each key must occur once in an object")]
    RepeatedKey {
        /// The unescaped key, shortened by [`excerpt`].
        key: String,
    },
}

impl ScanErrorKind {
    pub(super) fn repeated(key: &str) -> Self {
        let key = excerpt(key).into_owned();
        Self::RepeatedKey { key }
    }

    /// Takes the valid beginning of the body. Computes the position here, so that only errors pay.
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
