//! Tracking numbers: their canonical form, and the number in the barcode of a carrier's label.

use std::fmt;

use pressline_kit::text::is_invisible;

use super::barcode::number_in;

/// A tracking number in the form in which numbers are compared. Letter case, white space and
/// invisible characters do not count.
///
/// Compare and look up numbers by this type, but show and store them as given.
///
/// ```
/// use pressline_domain::fulfilment::CanonicalNumber;
///
/// let given = CanonicalNumber::new("1z 999 aa1 01 2345 6784");
/// assert_eq!(given.as_str(), "1Z999AA10123456784");
/// assert_eq!(given, CanonicalNumber::new("1Z999AA10123456784"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalNumber(String);

impl CanonicalNumber {
    /// Returns the canonical form of `number`.
    pub fn new(number: &str) -> Self {
        let counts = |c: &char| !c.is_whitespace() && !c.is_control() && !is_invisible(*c);
        let counted = number.chars().filter(counts);
        Self(counted.flat_map(char::to_uppercase).collect())
    }

    /// Returns the canonical form, for example `1Z999AA10123456784`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CanonicalNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns whether both are the same tracking number, or both are absent.
pub fn is_same_number(one: Option<&str>, other: Option<&str>) -> bool {
    one == other || one.map(CanonicalNumber::new) == other.map(CanonicalNumber::new)
}

/// Returns the tracking number in `text`, which a scanner read from a label of `carrier`, or which
/// someone entered. Returns `None` if `text` is not a barcode that holds more than the number: it
/// is then the number as it is.
///
/// `carrier` is the name in any spelling, such as `U.S.P.S.`; `None` if it is not known. Without a
/// carrier, and of another carrier than the barcode's, only barcodes that no other carrier prints
/// are recognised.
///
/// ```
/// use pressline_domain::fulfilment::number_in_barcode;
///
/// let number = number_in_barcode(Some("USPS"), "420221539101026837331000039521");
/// assert_eq!(number.as_deref(), Some("9101026837331000039521"));
/// assert_eq!(number_in_barcode(Some("USPS"), "9101026837331000039521"), None);
/// ```
pub fn number_in_barcode(carrier: Option<&str>, text: &str) -> Option<String> {
    let plain = CanonicalNumber::new(text).0;
    let (rest, is_identified) = match without_symbology(&plain) {
        Some(rest) => (rest, true),
        None => (plain.as_str(), false),
    };
    let carrier = carrier.map(carrier_name);
    let number = number_in(carrier.as_deref(), rest);
    number.or_else(|| is_identified.then(|| rest.to_owned()))
}

/// Returns the letters and digits of a carrier's name, in lower case.
pub(super) fn carrier_name(carrier: &str) -> String {
    let letters = carrier.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Removes the symbology identifier of ISO/IEC 15424 that some scanners put before the data, for
/// example `]C1`. `None` if there is none.
fn without_symbology(plain: &str) -> Option<&str> {
    let rest = plain.strip_prefix(']')?;
    let is_identifier =
        |id: &str| id.starts_with(|c: char| c.is_ascii_alphabetic()) && id.is_ascii();
    rest.get(..2).filter(|id| is_identifier(id))?;
    rest.get(2..).filter(|rest| !rest.is_empty())
}
