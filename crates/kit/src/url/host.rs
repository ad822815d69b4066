//! Parses the host of a URL: a name, or an IP address in any spelling that some resolver
//! understands.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;

/// Maximum length of a host name, in characters, without the final dot.
const NAME: usize = 253;
/// Maximum length of a label of a host name, in characters. Dots separate labels.
const LABEL: usize = 63;

/// The host of a URL.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Host {
    /// A name in lower case without a final dot. The caller must convert non-ASCII letters to
    /// Punycode before a DNS look-up.
    Name(String),
    /// An IP address.
    Address(IpAddr),
}

/// Reason that a text is not the host of a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// A character that no host name can contain.
    #[error("`{0}` is not allowed in a host name")]
    Character(char),
    /// An empty label, a label or name that is too long, or invalid percent-encoding.
    #[error(
        "the host name must have at most 253 characters, in parts of 1 to 63 characters between dots"
    )]
    Name,
    /// Brackets that do not contain an IPv6 address.
    #[error("the brackets do not contain an IPv6 address")]
    Brackets,
    /// Numbers that look like an IPv4 address but are invalid, or an IPv6 address with a zone.
    #[error("an address that cannot be reached: IPv4 has four numbers up to 255, and IPv6 no zone")]
    Address,
}

impl Host {
    /// Returns whether the host is `localhost` or a subdomain: always this machine (RFC 6761).
    pub fn is_localhost(&self) -> bool {
        match self {
            Self::Name(name) => name == "localhost" || name.ends_with(".localhost"),
            Self::Address(_) => false,
        }
    }
}

impl FromStr for Host {
    type Err = HostError;

    /// Parses the host of a URL as resolvers do: first decodes percent-encoding, maps full-width
    /// letters and digits and ideographic full stops to ASCII, and removes a final dot.
    fn from_str(text: &str) -> Result<Self, HostError> {
        let folded = fold(&decode(text)?);
        if let Some(rest) = folded.strip_prefix('[') {
            return bracketed(rest).map(Self::Address);
        }
        let name = folded.strip_suffix('.').unwrap_or(&folded);
        check_name(name)?;
        // Resolvers take a name of numbers for an IPv4 address, so the policy must check it.
        match numbers(name) {
            Some(address) => address.map(|address| Self::Address(IpAddr::V4(address))),
            None => Ok(Self::Name(name.to_owned())),
        }
    }
}

fn decode(text: &str) -> Result<String, HostError> {
    // Within brackets, `%` begins the zone.
    if text.starts_with('[') {
        return Ok(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (Some(high), Some(low)) = (digit(rest.next()), digit(rest.next())) else {
            return Err(HostError::Name);
        };
        bytes.push(high * 16 + low);
    }
    String::from_utf8(bytes).map_err(|_| HostError::Name)
}

fn digit(byte: Option<u8>) -> Option<u8> {
    let value = char::from(byte?).to_digit(16)?;
    u8::try_from(value).ok()
}

/// Maps characters nearly as resolvers do by UTS 46: lower case, usual widths, no invisible
/// characters. Other non-ASCII characters become Punycode later, with the exact mapping.
fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let visible = text.nfkc().filter(|c| !is_ignored(*c));
    let small: String = visible.flat_map(char::to_lowercase).collect();
    // NFKC maps the half-width full stop to U+3002, and the full-width full stop to `.`.
    let dots = |c| if c == '\u{3002}' { '.' } else { c };
    small.nfkc().map(dots).collect()
}

/// Returns whether `c` is a soft hyphen, joiner, zero-width space or variation selector.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2064}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{e0100}'..='\u{e01ef}')
}

fn bracketed(text: &str) -> Result<IpAddr, HostError> {
    let text = text.strip_suffix(']').ok_or(HostError::Brackets)?;
    let (address_text, zone) = match text.split_once('%') {
        Some((address, zone)) => (address, Some(zone)),
        None => (text, None),
    };
    let address: Ipv6Addr = address_text.parse().map_err(|_| HostError::Brackets)?;
    // A zone only has a meaning on the machine where the URL was written.
    match zone {
        Some(_) => Err(HostError::Address),
        None => Ok(IpAddr::V6(address)),
    }
}

fn check_name(name: &str) -> Result<(), HostError> {
    if name.chars().count() > NAME {
        return Err(HostError::Name);
    }
    for label in name.split('.') {
        if label.is_empty() || label.chars().count() > LABEL {
            return Err(HostError::Name);
        }
    }
    let wrong = name.chars().find(|c| !belongs_to_names(*c));
    wrong.map_or(Ok(()), |c| Err(HostError::Character(c)))
}

fn belongs_to_names(c: char) -> bool {
    let is_named = c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    is_named || (!c.is_ascii() && !c.is_whitespace() && !c.is_control())
}

/// Parses an IPv4 address like `inet_aton`: up to four decimal, octal or hexadecimal numbers; the
/// last number fills the remaining bytes. Returns `None` if the last part is not a number.
fn numbers(name: &str) -> Option<Result<Ipv4Addr, HostError>> {
    let last = name.rsplit('.').next()?;
    let is_decimal = last.bytes().all(|byte| byte.is_ascii_digit());
    let hex = last.strip_prefix("0x");
    let is_hex = hex.is_some_and(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
    (is_decimal || is_hex).then(|| address_of(name).ok_or(HostError::Address))
}

fn address_of(name: &str) -> Option<Ipv4Addr> {
    let numbers: Vec<u32> = name.split('.').map(number).collect::<Option<_>>()?;
    let (last, leading) = numbers.split_last()?;
    let mut bits = 0;
    let mut remaining = 32u32;
    for number in leading {
        let byte = u8::try_from(*number).ok()?;
        // Leaves at least one byte for the last number.
        remaining = remaining.checked_sub(8).filter(|left| *left > 0)?;
        bits |= u32::from(byte) << remaining;
    }
    // A shift by 32 overflows: a single number fills all bytes, so it always fits.
    if last.checked_shr(remaining).unwrap_or(0) != 0 {
        return None;
    }
    Some(Ipv4Addr::from_bits(bits | last))
}

fn number(text: &str) -> Option<u32> {
    if let Some(hex) = text.strip_prefix("0x") {
        let digits = if hex.is_empty() { "0" } else { hex };
        return parse_digits(digits, 16);
    }
    match text.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => parse_digits(octal, 8),
        _ => parse_digits(text, 10),
    }
}

/// Parses a `text` of digits only. The standard library would accept a sign, too.
fn parse_digits(text: &str, radix: u32) -> Option<u32> {
    let digits = text.chars().all(|c| c.is_digit(radix));
    digits.then(|| u32::from_str_radix(text, radix).ok())?
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => write!(f, "{address}"),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}
