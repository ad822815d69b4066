//! Phone numbers in all usual forms: which words a stored number has besides its digits, and which
//! words a number in a search key is looked up by.
//!
//! The calling code of a number is known if it begins with `+` or `00`. Such a number is stored in
//! its international and national forms, so that any form of a key finds it. If it is not known,
//! the stored number has one more word, its digits after [`MARK`]. A key with a calling code looks
//! up its national forms by such words only: `+44 20 7946 0958` finds `020 7946 0958`, but not
//! `+49 20 7946 0958`.
pub(super) mod codes;

use codes::{CODES, CallingCode, MOBILE_DIGITS, calling_code};

/// First character of the word of a number without a calling code. No key finds such a word by its
/// text, because keys lose their leading punctuation.
const MARK: char = '+';

/// Minimum number of digits in a national number that is looked up. Some islands have no more.
const MIN_NATIONAL: usize = 4;
/// Minimum number of digits in a key, or in its words together, to be read as a whole number
/// without a calling code.
const MIN_WHOLE: usize = 6;
/// Maximum number of digits in a number with prefixes; E.164 has 15.
const MAX_DIGITS: usize = 19;
/// International prefixes besides `00`: of North America, Australia and Japan. They can also begin
/// a national number.
const PREFIXES: [&str; 3] = ["011", "0011", "010"];

/// Japanese keyboards type the sign of a long vowel where others type a hyphen.
const LONG_VOWEL: char = 'ー';

/// A number as written, up to an extension or a second number.
struct Written {
    has_plus: bool,
    /// All digits except for `(0)`.
    digits: String,
    /// Position of `(0)` in `digits`; `None` if the number has none.
    zero_at: Option<usize>,
}

/// A number of a known calling code.
struct Number {
    code: &'static CallingCode,
    /// Without trunk prefix.
    national: String,
}

/// Returns whether `c` can be part of a phone number in a key.
pub(super) fn is_phone_char(c: char) -> bool {
    matches!(
        c,
        '0'..='9' | '+' | '-' | '.' | '(' | ')' | '/' | LONG_VOWEL
    )
}

/// Returns the words by which the folded number `text` is found, besides its words as a text and
/// the digits of its groups.
pub(super) fn stored_words(text: &str) -> Vec<String> {
    let Some(written) = Written::read(text) else {
        return Vec::new();
    };
    if let Some(number) = written.number() {
        return number.forms();
    }
    let digits = written.all_digits();
    if digits.len() < MIN_NATIONAL {
        return Vec::new();
    }
    let mut words = without_trunk(&digits);
    words.extend(written.likely_number().iter().flat_map(Number::forms));
    words.push(marked("", &digits));
    words
}

/// Returns the words that the number `text` of a key is looked up by; empty if `text` cannot be a
/// whole number. `text` is folded.
pub(super) fn key_words(text: &str) -> Vec<String> {
    let Some(written) = Written::read(text) else {
        return Vec::new();
    };
    if let Some(number) = written.number() {
        return number.looked_up();
    }
    let digits = written.all_digits();
    if digits.len() < MIN_WHOLE {
        return Vec::new();
    }
    let without_trunk = without_trunk(&digits);
    let national = without_trunk.iter().map(|rest| marked("", rest));
    let number = written.likely_number();
    let likely = number.iter().flat_map(Number::looked_up);
    let mut words: Vec<String> = national.chain(likely).collect();
    words.insert(0, digits);
    words
}

fn marked(trunk: &str, national: &str) -> String {
    format!("{MARK}{trunk}{national}")
}

/// Returns the digits after the trunk prefix, for each trunk prefix of the world with which `digits`
/// can be a national number.
fn without_trunk(digits: &str) -> Vec<String> {
    let mut rests = Vec::new();
    for code in CODES.iter().filter(|code| !code.trunk.is_empty()) {
        let after_trunk = digits.strip_prefix(code.trunk);
        let rest = after_trunk.filter(|rest| code.lengths.contains(&rest.len()));
        if let Some(rest) = rest.filter(|rest| rests.iter().all(|known| known != rest)) {
            rests.push(rest.to_owned());
        }
    }
    rests
}

impl Written {
    /// Returns `None` if `text` has no digit, or too many for a number.
    fn read(text: &str) -> Option<Self> {
        let start = text.find(|c: char| c == '+' || c.is_ascii_digit())?;
        let text = text.get(start..)?;
        let mut written = Self {
            has_plus: text.starts_with('+'),
            digits: String::new(),
            zero_at: None,
        };
        let mut skipped = 0;
        for (at, c) in text.char_indices() {
            // `415 555 0111 ext. 5` and `415 555 0111, 415 555 0112`.
            let ends = c == '+' || matches!(c, ',' | ';' | '#') || c.is_alphabetic();
            if ends && c != LONG_VOWEL && written.digits.len() >= MIN_WHOLE {
                break;
            }
            if text.get(at..).is_some_and(|rest| rest.starts_with("(0)")) {
                written.zero_at.get_or_insert(written.digits.len());
                skipped = at + 2;
            }
            if c.is_ascii_digit() && at >= skipped {
                written.digits.push(c);
            }
        }
        let count = written.digits.len();
        (count > 0 && count <= MAX_DIGITS).then_some(written)
    }

    fn all_digits(&self) -> String {
        let mut digits = self.digits.clone();
        if let Some(at) = self.zero_at {
            digits.insert(at, '0');
        }
        digits
    }

    /// Returns the number if it says that it begins with a calling code.
    fn number(&self) -> Option<Number> {
        match self.digits.strip_prefix("00") {
            Some(digits) => {
                let number = self.number_of(digits);
                // Australia's prefix begins alike: after `00`, the rest would be a number of North
                // America.
                let australian = self.digits.strip_prefix("0011");
                let other = australian.and_then(|digits| self.number_of(digits));
                let is_taken = !number.as_ref().is_some_and(Number::is_complete);
                other
                    .filter(|other| is_taken && other.is_complete())
                    .or(number)
            }
            None if self.has_plus => self.number_of(&self.digits),
            None => None,
        }
    }

    /// Returns the number if its digits can be a calling code and a complete national number.
    fn likely_number(&self) -> Option<Number> {
        let after_prefix = PREFIXES
            .iter()
            .map(|prefix| self.digits.strip_prefix(prefix));
        let readings = std::iter::once(Some(self.digits.as_str())).chain(after_prefix);
        let numbers = readings
            .flatten()
            .filter_map(|digits| self.number_of(digits));
        let mut complete = numbers.filter(Number::is_complete);
        complete.next()
    }

    /// `digits` are the last of the number, and begin with a calling code.
    fn number_of(&self, digits: &str) -> Option<Number> {
        let code = calling_code(digits)?;
        let after_code = digits.get(code.code.len()..)?;
        let before = self.digits.len() - after_code.len();
        let keeps_zero = code.trunk.is_empty() && code.lengths.contains(&(after_code.len() + 1));
        let dialled = match self.zero_at {
            // Italian numbers keep their first zero: `+39 (0)6 …`.
            Some(at) if at == before && keeps_zero => format!("0{after_code}"),
            // `+44 020 …` has a trunk prefix too many. Other trunk prefixes than `0` can also begin
            // a national number.
            _ if code.trunk.starts_with('0') => {
                let rest = after_code.strip_prefix(code.trunk);
                rest.unwrap_or(after_code).to_owned()
            }
            _ => after_code.to_owned(),
        };
        let has_digit = |(of, digit, count): &(&str, char, usize)| {
            *of == code.code && dialled.len() == *count && dialled.starts_with(*digit)
        };
        let national = match MOBILE_DIGITS.iter().any(has_digit) {
            true => dialled.get(1..)?.to_owned(),
            false => dialled,
        };
        Some(Number { code, national })
    }
}

impl Number {
    fn is_complete(&self) -> bool {
        self.code.lengths.contains(&self.national.len())
    }

    fn international(&self) -> String {
        format!("{}{}", self.code.code, self.national)
    }

    /// Returns the international form, and the national form with and without trunk prefix.
    fn forms(&self) -> Vec<String> {
        let mut forms = vec![self.international()];
        if self.national.len() >= MIN_NATIONAL {
            forms.push(format!("{}{}", self.code.trunk, self.national));
            forms.push(self.national.clone());
        }
        forms
    }

    /// Returns the international form, and the national forms as the words of numbers without a
    /// calling code.
    fn looked_up(&self) -> Vec<String> {
        let mut forms = vec![self.international()];
        if self.national.len() < MIN_NATIONAL {
            return forms;
        }
        forms.push(marked("", &self.national));
        let CallingCode { code, trunk, .. } = self.code;
        // The trunk prefix `1` makes the international form.
        if !trunk.is_empty() && trunk != code {
            forms.push(marked(trunk, &self.national));
        }
        forms
    }
}
