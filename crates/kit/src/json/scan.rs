//! Checks a body in one pass for faults that parsing would overlook or report without a position.
use std::borrow::Cow;

use super::error::{MAX_DEPTH, ScanError, ScanErrorKind};
use super::is_space;
use super::keys::{Keys, ObjectKeys};

const KEY: &str = "a key in double quotes";
const FIRST_KEY: &str = "a key in double quotes, or `}`";
const VALUE: &str = "a value (string, number, object, array, true, false or null)";
const DIGIT: &str = "a digit";
const STRING_END: &str = "the closing quotation mark of a string";

/// A body that [`scan`] has checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scan<'a> {
    text: &'a str,
}

impl<'a> Scan<'a> {
    /// Returns the whole body, including white space. Parsing it need not check UTF-8 again.
    pub fn text(self) -> &'a str {
        self.text
    }
}

/// Checks a request body before it is parsed: valid UTF-8; a single JSON object (RFC 8259) and
/// nothing else; at most [`MAX_DEPTH`] levels; no NUL, unescaped control character or half
/// surrogate pair in a string or key; no repeated key in an object.
///
/// Checks only the grammar of numbers: their range depends on the field. Takes time proportional to
/// the length of `body`, whatever it contains, and does not recurse.
///
/// # Errors
/// Returns the first fault and its position; bytes that are not UTF-8 come before other faults.
pub fn scan(body: &[u8]) -> Result<Scan<'_>, ScanError> {
    let text = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(error) => {
            let valid = body.get(..error.valid_up_to()).map(str::from_utf8);
            return Err(ScanErrorKind::NotUtf8.at(valid.and_then(Result::ok).unwrap_or_default()));
        }
    };
    let mut scanner = Scanner {
        text,
        at: 0,
        open: Vec::new(),
        keys: Keys::default(),
    };
    match scanner.run() {
        Ok(()) => Ok(Scan { text }),
        Err(kind) => Err(kind.at(text.get(..scanner.at).unwrap_or_default())),
    }
}

enum Open<'a> {
    Object(ObjectKeys<'a>),
    Array,
}

#[derive(Clone, Copy)]
enum Next {
    FirstKeyOrEnd,
    Key,
    FirstItemOrEnd,
    Value,
    CommaOrEnd,
}

struct Scanner<'a> {
    text: &'a str,
    /// Byte position that the scan has reached; after a fault, the position of the fault.
    at: usize,
    open: Vec<Open<'a>>,
    keys: Keys<'a>,
}

type Step<T = ()> = Result<T, ScanErrorKind>;

impl<'a> Scanner<'a> {
    fn run(&mut self) -> Step {
        let mut next = self.start()?;
        while !self.open.is_empty() {
            self.skip_space();
            next = match (next, self.peek()) {
                (Next::FirstKeyOrEnd, Some(b'}')) | (Next::FirstItemOrEnd, Some(b']')) => {
                    self.close()
                }
                (Next::FirstKeyOrEnd | Next::Key, Some(b'"')) => self.key()?,
                (Next::FirstKeyOrEnd, _) => return Err(self.unexpected(FIRST_KEY)),
                (Next::Key, _) => return Err(self.unexpected(KEY)),
                (Next::FirstItemOrEnd | Next::Value, Some(byte)) => self.value(byte)?,
                (Next::FirstItemOrEnd | Next::Value, None) => return Err(self.unexpected(VALUE)),
                (Next::CommaOrEnd, _) => self.comma_or_end()?,
            };
        }
        self.skip_space();
        match self.char() {
            None => Ok(()),
            Some(found) => Err(ScanErrorKind::Trailing { found }),
        }
    }

    fn start(&mut self) -> Step<Next> {
        self.skip_space();
        match self.char() {
            None => Err(ScanErrorKind::Empty),
            Some('{') => self.enter_object(),
            // Named separately, because most editors do not show a byte order mark.
            Some('\u{feff}') if self.at == 0 => Err(ScanErrorKind::ByteOrderMark),
            Some(_) => Err(ScanErrorKind::NotAnObject),
        }
    }

    fn enter_object(&mut self) -> Step<Next> {
        let keys = self.keys.open();
        self.enter(Open::Object(keys))?;
        Ok(Next::FirstKeyOrEnd)
    }

    fn enter(&mut self, open: Open<'a>) -> Step {
        if self.open.len() == MAX_DEPTH {
            return Err(ScanErrorKind::TooDeep);
        }
        self.open.push(open);
        self.at += 1;
        Ok(())
    }

    fn close(&mut self) -> Next {
        if let Some(Open::Object(object)) = self.open.pop() {
            self.keys.close(&object);
        }
        self.at += 1;
        Next::CommaOrEnd
    }

    fn comma_or_end(&mut self) -> Step<Next> {
        let in_object = matches!(self.open.last(), Some(Open::Object(_)));
        match (self.peek(), in_object) {
            (Some(b'}'), true) | (Some(b']'), false) => Ok(self.close()),
            (Some(b','), _) => {
                self.at += 1;
                Ok(if in_object { Next::Key } else { Next::Value })
            }
            (_, true) => Err(self.unexpected("`,` or `}`")),
            (_, false) => Err(self.unexpected("`,` or `]`")),
        }
    }

    fn key(&mut self) -> Step<Next> {
        let start = self.at;
        let (raw, escaped) = self.string()?;
        let key = if escaped {
            Cow::Owned(unescape(raw))
        } else {
            Cow::Borrowed(raw)
        };
        if let Some(Open::Object(object)) = self.open.last_mut() {
            // The key moves into the table. A repeated key is unescaped again, for the message.
            if !self.keys.insert(object, key) {
                self.at = start;
                return Err(ScanErrorKind::repeated(&unescape(raw)));
            }
        }
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.at += 1;
        Ok(Next::Value)
    }

    fn value(&mut self, first: u8) -> Step<Next> {
        match first {
            b'"' => self.string().map(|_| ())?,
            b'{' => return self.enter_object(),
            b'[' => {
                self.enter(Open::Array)?;
                return Ok(Next::FirstItemOrEnd);
            }
            b't' => self.word("true")?,
            b'f' => self.word("false")?,
            b'n' => self.word("null")?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => return Err(self.unexpected(VALUE)),
        }
        Ok(Next::CommaOrEnd)
    }

    fn word(&mut self, word: &'static str) -> Step {
        for byte in word.bytes() {
            if self.peek() != Some(byte) {
                return Err(self.unexpected(word));
            }
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Step {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        // RFC 8259 permits no further digit after a leading zero.
        if self.peek() == Some(b'0') {
            self.at += 1;
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                return Err(self.unexpected("a number without leading zeros"));
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Step {
        let digits = self.rest().iter().take_while(|byte| byte.is_ascii_digit());
        let count = digits.count();
        self.at += count;
        if count == 0 {
            Err(self.unexpected(DIGIT))
        } else {
            Ok(())
        }
    }

    /// Returns the text between the quotation marks, and whether the text contains escapes.
    fn string(&mut self) -> Step<(&'a str, bool)> {
        self.at += 1;
        let start = self.at;
        let mut escaped = false;
        loop {
            let plain = |byte: &u8| !matches!(byte, b'"' | b'\\' | 0..=0x1f);
            self.at += self.rest().iter().take_while(|byte| plain(byte)).count();
            match self.peek() {
                Some(b'"') => {
                    let raw = self.text.get(start..self.at).unwrap_or_default();
                    self.at += 1;
                    return Ok((raw, escaped));
                }
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(0) => return Err(ScanErrorKind::Nul),
                Some(control) => return Err(ScanErrorKind::ControlCharacter(char::from(control))),
                None => return Err(self.unexpected(STRING_END)),
            }
        }
    }

    fn escape(&mut self) -> Step {
        let start = self.at;
        match self.rest().get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let unit = self.unit()?;
                // Half a pair is not a character and cannot be stored as UTF-8.
                let pair_missing = match unit {
                    0 => {
                        self.at = start;
                        return Err(ScanErrorKind::Nul);
                    }
                    // A high surrogate must be followed by a low surrogate.
                    0xd800..=0xdbff => {
                        !self.rest().starts_with(b"\\u") || !matches!(self.unit()?, 0xdc00..=0xdfff)
                    }
                    // A low surrogate without a high surrogate before it.
                    0xdc00..=0xdfff => true,
                    _ => false,
                };
                if pair_missing {
                    self.at = start;
                    return Err(ScanErrorKind::LoneSurrogate { unit });
                }
            }
            Some(_) => return Err(ScanErrorKind::Escape),
            None => {
                self.at += 1;
                return Err(self.unexpected("the rest of an escape"));
            }
        }
        Ok(())
    }

    /// Reads the UTF-16 unit of `\uXXXX`. The caller has checked the first two characters.
    fn unit(&mut self) -> Step<u16> {
        let digits = self.text.get(self.at + 2..self.at + 6);
        let hex = digits.filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = hex
            .and_then(|hex| u16::from_str_radix(hex, 16).ok())
            .ok_or(ScanErrorKind::Escape)?;
        self.at += 6;
        Ok(unit)
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn char(&self) -> Option<char> {
        self.text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
    }

    fn unexpected(&self, expected: &'static str) -> ScanErrorKind {
        match self.char() {
            Some(found) => ScanErrorKind::Unexpected { found, expected },
            None => ScanErrorKind::UnexpectedEnd { expected },
        }
    }
}

/// Returns the string that `raw` encodes. The escapes of `raw` must have been checked.
fn unescape(raw: &str) -> String {
    // Collects UTF-16, because an escape may be half of a surrogate pair.
    // UTF-16 has no more units than UTF-8 has bytes, so the buffer never grows.
    let mut units = Vec::with_capacity(raw.len());
    let mut buffer = [0; 2];
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            units.extend_from_slice(c.encode_utf16(&mut buffer));
            continue;
        }
        let Some(escape) = chars.next() else { break };
        units.push(match escape {
            'b' => 0x08,
            'f' => 0x0c,
            'n' => 0x0a,
            'r' => 0x0d,
            't' => 0x09,
            'u' => {
                let hex: String = chars.by_ref().take(4).collect();
                u16::from_str_radix(&hex, 16).unwrap_or_default()
            }
            itself => u16::try_from(u32::from(itself)).unwrap_or_default(),
        });
    }
    String::from_utf16_lossy(&units)
}
