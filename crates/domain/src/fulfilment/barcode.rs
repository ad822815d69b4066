//! Layouts of the barcodes on shipping labels that hold more than the tracking number.
//!
//! Only published layouts are read; a barcode of any other layout is its own number.
//!
//! - USPS: Publication 199, Intelligent Mail Package Barcode: `420`, the postal code of 5 or 9
//!   digits, and a number of 22 or 26 digits that begins with 91 to 95, with a GS1 check digit.
//! - FedEx: Bar Code & Label Layout Specification: Ground's `96` barcode has 22 digits; the last
//!   15 are the number, with a GS1 check digit. Barcodes of 34 digits end with a number of 14
//!   digits; FedEx shows the last 12, the first two being zeros. Weights of its check digit and
//!   examples: <https://github.com/jkeen/tracking_number_data> (MIT).
//! - DPD: DPD parcel label specification 2.4: an optional `%`, 7 characters of postal code, 14
//!   digits of the parcel number, 3 of the service, 3 of the country; below the bars also a check
//!   character by ISO 7064 MOD 37,36.
//! - Australia Post: the developer documentation of `barcode_id`: GTIN `99312650999998` (01), the
//!   article id of 21 characters (91), then the postal code (420) and further data.

/// Digits of the number in a USPS barcode.
const USPS_LENGTHS: [usize; 2] = [22, 26];
/// Digits of a USPS barcode with a postal code of 5 digits, which can be read in one way only.
const USPS_CLEAR_LENGTH: usize = 30;
/// Product of Australia Post: application identifier 01 and a GTIN, then identifier 91.
const AUSTRALIA_POST: &str = "019931265099999891";
/// Length of an Australia Post article id.
const ARTICLE_ID: usize = 21;

type Layout = fn(carrier: Option<&str>, code: &str) -> Option<String>;

const LAYOUTS: [Layout; 5] = [usps, fedex, fedex_ground, dpd, australia_post];

/// Returns the number in the barcode `code`, in capitals and without white space. `carrier` is a
/// name in lower-case letters and digits.
pub(super) fn number_in(carrier: Option<&str>, code: &str) -> Option<String> {
    // Labels show application identifiers in brackets: `(420) 94105 …`.
    let bare = match code.starts_with('(') {
        true => code.replace(['(', ')'], ""),
        false => code.to_owned(),
    };
    LAYOUTS.iter().find_map(|layout| layout(carrier, &bare))
}

fn is_of(carrier: Option<&str>, names: &[&str]) -> bool {
    carrier.is_none_or(|carrier| names.iter().any(|name| carrier.starts_with(name)))
}

/// Other carriers hand parcels over to USPS under such barcodes, so that a right check digit counts
/// for any carrier. The one length that can be read in one way only counts with a wrong check digit
/// too, because the bars have a check character of their own.
fn usps(carrier: Option<&str>, code: &str) -> Option<String> {
    let digits = all_digits(code)?.strip_prefix("420")?;
    let mut numbers = [9, 5].iter().filter_map(|zip| digits.get(*zip..));
    let is_number = |number: &&str| {
        let begins =
            number.starts_with('9') && matches!(number.as_bytes().get(1), Some(b'1'..=b'5'));
        begins && USPS_LENGTHS.contains(&number.len())
    };
    let number = numbers.find(|number| is_number(number) && has_gs1_digit(number));
    let is_clear = code.len() == USPS_CLEAR_LENGTH
        && is_of(
            carrier,
            &["usps", "unitedstatespostalservice", "uspostalservice"],
        );
    let clear = || {
        digits
            .get(5..)
            .filter(|number| is_clear && is_number(number))
    };
    number.or_else(clear).map(str::to_owned)
}

fn fedex(carrier: Option<&str>, code: &str) -> Option<String> {
    let digits = all_digits(code).filter(|_| is_of(carrier, &["fedex", "federalexpress"]))?;
    let begins = digits.starts_with("96") || digits.starts_with("100");
    let padded = digits.get(20..).filter(|_| begins && digits.len() == 34)?;
    let number = padded.strip_prefix("00").unwrap_or(padded);
    has_fedex_digit(number).then(|| number.to_owned())
}

fn fedex_ground(carrier: Option<&str>, code: &str) -> Option<String> {
    let digits = all_digits(code).filter(|_| is_of(carrier, &["fedex", "federalexpress"]))?;
    let is_ground = digits.starts_with("96") && digits.len() == 22;
    let number = digits.get(7..).filter(|_| is_ground)?;
    has_gs1_digit(number).then(|| number.to_owned())
}

/// Without the `%`, only the given carrier tells that the barcode is of DPD.
fn dpd(carrier: Option<&str>, code: &str) -> Option<String> {
    let without_mark = code.strip_prefix('%');
    if !is_of(carrier, &["dpd"]) || (without_mark.is_none() && carrier.is_none()) {
        return None;
    }
    let plain = without_mark.unwrap_or(code);
    let (postal_code, number, rest) = (plain.get(..7)?, plain.get(7..21)?, plain.get(21..)?);
    let (service, check) = (rest.get(..6)?, rest.get(6..)?);
    let is_right = postal_code.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && all_digits(number).is_some()
        && all_digits(service).is_some()
        && (check.is_empty() || (check.len() == 1 && has_mod_37_36(plain)));
    is_right.then(|| number.to_owned())
}

fn australia_post(_: Option<&str>, code: &str) -> Option<String> {
    let rest = code.strip_prefix(AUSTRALIA_POST)?;
    let (article, after) = rest.split_at_checked(ARTICLE_ID)?;
    let is_article = article.bytes().all(|byte| byte.is_ascii_alphanumeric());
    // Scanners write the end of a field as `|` or leave it out.
    let ends = after.is_empty() || after.starts_with('|') || after.starts_with("420");
    (is_article && ends).then(|| article.to_owned())
}

fn all_digits(code: &str) -> Option<&str> {
    let is_number = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(code)
}

/// Returns the check digit at the end of `number`, after the other digits from right to left.
fn checked(number: &str) -> Option<(impl Iterator<Item = u32>, u32)> {
    let mut digits = number.chars().rev().filter_map(|digit| digit.to_digit(10));
    let last = digits.next()?;
    Some((digits, last))
}

/// GS1: weights 3 and 1 from the right.
fn has_gs1_digit(number: &str) -> bool {
    let Some((digits, last)) = checked(number) else {
        return false;
    };
    let sum: u32 = digits
        .zip([3, 1].into_iter().cycle())
        .map(|(digit, weight)| digit * weight)
        .sum();
    (sum + last).is_multiple_of(10)
}

/// FedEx: weights 1, 3 and 7 from the right, modulo 11; 10 becomes 0.
fn has_fedex_digit(number: &str) -> bool {
    let Some((digits, last)) = checked(number) else {
        return false;
    };
    let weighted = digits.zip([1, 3, 7].into_iter().cycle());
    let sum: u32 = weighted.map(|(digit, weight)| digit * weight).sum();
    sum % 11 % 10 == last
}

/// ISO 7064 MOD 37,36 over digits and letters; the last character is the check character.
fn has_mod_37_36(text: &str) -> bool {
    let mut product = 36;
    let mut values = text.chars().map(|c| c.to_digit(36)).peekable();
    while let Some(value) = values.next() {
        let Some(value) = value else {
            return false;
        };
        if values.peek().is_none() {
            return (product + value) % 36 == 1;
        }
        product = match (product + value) % 36 {
            0 => 36,
            rest => rest,
        } * 2
            % 37;
    }
    false
}
