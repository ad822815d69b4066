//! Tests of phone numbers: every usual form of a stored number is found by every usual form of a
//! key.

use super::super::phone::codes::{CODES, calling_code};
use super::super::phone::stored_words;
use super::super::{FORM, SearchKey, WordSet};
use super::phone_words;

/// Example numbers of every region, from libphonenumber 9.0.43 (Apache-2.0): region, E.164,
/// international, national and RFC 3966 form.
const EXAMPLES: &str = include_str!("../phone/examples.tsv");

fn stored(text: &str) -> WordSet {
    let mut words = WordSet::default();
    words.phone(text);
    words.reduced()
}

fn finds(key: &str, words: &WordSet) -> bool {
    SearchKey::parse(key).unwrap().unwrap().matches(words)
}

#[test]
fn calling_codes_are_sorted_and_none_begins_another() {
    assert!(CODES.is_sorted_by(|one, next| one.code < next.code));
    for code in &CODES {
        assert_eq!(calling_code(&format!("{}0", code.code)), Some(code));
        assert!((1..=3).contains(&code.code.len()) && !code.lengths.is_empty());
        let mut others = CODES.iter().filter(|other| *other != code);
        assert!(others.all(|other| !other.code.starts_with(code.code)));
    }
    assert_eq!(calling_code("999"), None);
    assert_eq!(calling_code(""), None);
}

/// Returns usual forms of a number: with a calling code, with and without marks of it, and without.
fn forms(e164: &str, international: &str, national: &str) -> Vec<String> {
    let digits = e164.trim_start_matches('+');
    let code = calling_code(digits).unwrap();
    let significant = &digits[code.code.len()..];
    let mut forms: Vec<String> = [e164, international, national, digits]
        .map(str::to_owned)
        .into();
    forms.extend([
        format!("00{digits}"),
        international.replace('+', "00 "),
        international.replace(['+', '-'], " ").trim().to_owned(),
        format!("+{} {significant}", code.code),
        format!("{}{significant}", code.trunk),
        national.chars().filter(char::is_ascii_digit).collect(),
    ]);
    if code.trunk == "0" {
        forms.push(international.replacen(' ', " (0)", 1));
        forms.push(international.replacen(' ', " (0) ", 1));
        forms.push(format!("00{}(0){significant}", code.code));
    }
    forms
}

#[test]
fn every_form_of_every_number_is_found_by_every_form() {
    let mut codes = std::collections::BTreeSet::new();
    for line in EXAMPLES.lines() {
        let [region, e164, international, national, uri] =
            line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        codes.insert(calling_code(&e164[1..]).unwrap().code);
        let mut forms = forms(e164, international, national);
        // So few digits in several groups are ordinary key words.
        let is_short = |form: &String| form.chars().filter(char::is_ascii_digit).count() < 6;
        forms.retain(|form| !is_short(form));
        // Argentina writes 15 in the middle of a national mobile number instead of 9 before it.
        if e164.starts_with("+549") {
            forms.retain(|form| !form.starts_with('0') || form.starts_with("00"));
        }
        for form in forms.iter().map(String::as_str).chain([uri]) {
            let words = stored(form);
            for key in forms.iter().map(String::as_str).chain([uri]) {
                assert!(finds(key, &words), "{region}: {form} is not found by {key}");
            }
        }
    }
    assert_eq!(codes.len(), CODES.len());
}

/// Stored numbers, each with keys that find it and keys that do not.
const CASES: [(&str, &[&str], &[&str]); 9] = [
    (
        "+14155550111",
        &[
            "4155550111",
            "(415) 555-0111",
            "415-555-0111",
            "415.555.0111",
            "415/555-0111",
            "+1 415 555 0111",
            "14155550111",
            "1 (415) 555 0111",
            "001 415 555 0111",
            "tel:+1-415-555-0111",
            "011 1 415 555 0111",
            "+1 (415",
            "415",
            "ana 415-555-0111",
            "４１５－５５５－０１１１",
            "415\u{2011}555\u{2011}0111",
            "(415) 555-0111,",
        ],
        &[
            "+44 4155550111",
            "5550111",
            "04155550112",
            "+1 415 555 0112",
            "ana 4155550112",
        ],
    ),
    (
        "+44 (0)20 7946 0958",
        &[
            "+442079460958",
            "02079460958",
            "020 7946 0958",
            "442079460958",
            "+44 (0)20 7946 0958",
            "00442079460958",
            "0044 (0) 20 7946 0958",
            "+44 020 7946 0958",
            "2079460958",
            "44 (0)20 79460958",
            "011442079460958",
            "(020) 7946 0958",
        ],
        &["+492079460958", "+12079460958", "4402079460950"],
    ),
    (
        "004915112345678",
        &[
            "+49 151 12345678",
            "015112345678",
            "0151 12345678",
            "0151/12345678",
            "+49 (0)151 12345678",
        ],
        &["+43 151 12345678", "0151 12345679"],
    ),
    (
        "020 7946 0958",
        &[
            "+44 20 7946 0958",
            "+442079460958",
            "00442079460958",
            "442079460958",
            "2079460958",
        ],
        &["+12079460958", "+44 20 7946 0959"],
    ),
    (
        "4155550111",
        &[
            "+1 415 555 0111",
            "14155550111",
            "(415) 555-0111",
            "+1415555",
        ],
        &["+44 415 555 0111 2", "+1 415 555 0112"],
    ),
    (
        "+39 06 1234 5678",
        &[
            "+39 (0)6 12345678",
            "0612345678",
            "06 1234 5678",
            "390612345678",
        ],
        &["+39 6 1234 5679"],
    ),
    (
        "8 (495) 123-45-67",
        &[
            "+7 495 123-45-67",
            "74951234567",
            "84951234567",
            "495 1234567",
            "+74951234567",
        ],
        &["+375 495 1234567"],
    ),
    (
        "+52 1 55 1234 5678",
        &[
            "+52 55 1234 5678",
            "5512345678",
            "5215512345678",
            "+5215512345678",
            "525512345678",
        ],
        &["+52 55 1234 5679"],
    ),
    (
        "Tel. 06-1-234-5678 ext. 9",
        &[
            "+36 1 234 5678",
            "0612345678",
            "3612345678",
            "12345678",
            "ext 9",
        ],
        &["+39 1 234 5678"],
    ),
];

#[test]
fn a_number_is_found_by_its_usual_forms_and_by_no_other_number() {
    for (text, found, others) in CASES {
        let mut words = stored(text);
        words.text("Ana");
        for key in found {
            assert!(
                finds(key, &words),
                "{text} is not found by {key}: {words:?}"
            );
        }
        for key in others {
            assert!(!finds(key, &words), "{text} is found by {key}");
        }
    }
}

#[test]
fn the_international_prefix_of_australia_is_read() {
    let words = stored("0412 345 678");
    for key in ["0011 61 412 345 678", "001161412345678", "+61 412 345 678"] {
        assert!(finds(key, &words), "{key}");
    }
    assert!(!finds("0011 61 412 345 679", &words));
    assert!(finds("001 415 555 0111", &stored("415 555 0111")));
}

#[test]
fn a_text_without_a_number_has_no_further_words() {
    for text in ["", "none", "123", "+", "()", &"1".repeat(30), "(0)"] {
        assert!(stored_words(text).is_empty(), "{text}");
    }
}

/// A failure means that stored words would have another form: raise [`FORM`], also in both
/// migrations, then copy the words.
#[test]
fn the_words_of_this_form_are_unchanged() {
    let mut set = WordSet::default();
    set.text("Jean-D’Arc Đỗ shop-1 ana@x-y.com")
        .phone("020 7946-0958")
        .phone("+1 415 5550111");
    let words_of_form_2 = "+02079460958 02079460958 0958 14155550111 2079460958 4155550111 \
        5550111 7946-0958 79460958 ana@x-y.com arc darc do jean-d'arc jean-darc shop-1 x-y.com";
    let words: Vec<String> = set.reduced().iter().map(str::to_owned).collect();
    assert_eq!((FORM, words.join(" ")), (2, words_of_form_2.to_owned()));
}

#[test]
fn words_of_phone_numbers() {
    let words = phone_words("+84 90-123");
    assert_eq!(
        words,
        [
            "84", "90-123", "90", "123", "8490123", "90123", "123", "8490123", "090123", "90123"
        ]
    );
    assert!(phone_words("").is_empty());
    assert_eq!(phone_words("none"), ["none"]);
}
