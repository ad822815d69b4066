//! Tests of the variants of an apostrophe, a quotation mark, a hyphen or a space.

use regex::Regex;

use super::super::variants::{APOSTROPHES, HYPHENS, QUOTES, typed};
use super::super::{SearchKey, WordSet, fold};
use super::set_of;
use crate::text::is_invisible;

fn of_property(name: &str) -> Vec<char> {
    let class = Regex::new(&format!(r"^\p{{{name}}}$")).unwrap();
    let is_in = |c: &char| class.is_match(c.encode_utf8(&mut [0; 4]));
    ('\0'..=char::MAX).filter(is_in).collect()
}

#[test]
fn tables_are_sorted() {
    for table in [APOSTROPHES, QUOTES, HYPHENS] {
        assert!(table.is_sorted());
    }
}

#[test]
fn every_dash_of_unicode_is_a_hyphen() {
    for dash in of_property("Dash") {
        assert_eq!(fold(&format!("a{dash}b")), "a-b", "{:x}", u32::from(dash));
    }
    for hyphen in HYPHENS {
        assert_eq!(fold(&hyphen.to_string()), "-", "{:x}", u32::from(*hyphen));
    }
}

#[test]
fn every_apostrophe_and_quote_is_the_typed_one() {
    for (variants, want) in [(APOSTROPHES, "a'b"), (QUOTES, "a\"b")] {
        for c in variants {
            assert_eq!(fold(&format!("a{c}b")), want, "{:x}", u32::from(*c));
        }
    }
    // Brackets keep their form.
    let kept = "«»‹›「」『』｢｣\u{fe41}\u{fe42}\u{fe43}\u{fe44}";
    for quote in of_property("Quotation_Mark") {
        let is_typed = matches!(typed(quote), '\'' | '"');
        assert_ne!(is_typed, kept.contains(quote), "{:x}", u32::from(quote));
    }
}

#[test]
fn every_white_space_separates_and_every_invisible_character_is_dropped() {
    for space in of_property("White_Space").into_iter().chain(['\u{2800}']) {
        let folded = fold(&format!("a{space}b"));
        let is_kept = space.is_ascii() && folded == format!("a{space}b");
        assert!(is_kept || folded == "a b", "{:x}", u32::from(space));
    }
    let invisible = of_property("Default_Ignorable_Code_Point");
    for c in ('\0'..=char::MAX).filter(|c| is_invisible(*c)) {
        assert!(invisible.binary_search(&c).is_ok(), "{:x}", u32::from(c));
    }
    for c in invisible {
        assert_eq!(fold(&format!("a{c}b")), "ab", "{:x}", u32::from(c));
    }
}

fn finds(key: &str, words: &WordSet) -> bool {
    SearchKey::parse(key).unwrap().unwrap().matches(words)
}

#[test]
fn a_word_with_an_apostrophe_is_also_a_word_without_it() {
    assert_eq!(
        set_of("Jean-D’Arc O`Neil").iter().collect::<Vec<_>>(),
        [
            "jean-d'arc",
            "jean",
            "d",
            "arc",
            "o'neil",
            "o",
            "neil",
            "jean-darc",
            "jean",
            "darc",
            "oneil"
        ]
    );
    assert_eq!(
        set_of("'tis dogs'").iter().collect::<Vec<_>>(),
        ["tis", "dogs"]
    );
    for name in [
        "O'Brien",
        "O\u{2019}Brien",
        "O\u{2bc}Brien",
        "O\u{b4}Brien",
        "O`Brien",
        "OBrien",
    ] {
        for key in ["O'Brien", "o’brien", "OBrien", "O´Br", "o`brien", "OʼBRIEN"] {
            assert!(finds(key, &set_of(name)), "{name} is not found by {key}");
        }
    }
    let name = set_of("García\u{2011}López");
    assert!(finds("garcia-lopez", &name) && finds("García–López", &name));
}
