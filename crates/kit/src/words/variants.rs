//! Characters that people and programs write for the apostrophe, the quotation mark and the hyphen.
//!
//! Taken from Unicode 16.0: the properties `Dash`, `Quotation_Mark`, `White_Space` and
//! `Default_Ignorable_Code_Point`, and the confusables of UTS #39 for `'`, `"` and `-`. The
//! confusables exclude letters and punctuation of other scripts, for example
//! the Hebrew yod and the Arabic full stop. Angle and corner brackets that are quotation marks of
//! other languages keep their form: nobody types `'` for them.

/// Characters read as an apostrophe: quotation marks, primes, accents that stand alone, modifier
/// letters, and the apostrophes of other scripts.
const APOSTROPHES: &[char] = &[
    '`', '\u{b4}', '\u{2b9}', '\u{2bb}', '\u{2bc}', '\u{2bd}', '\u{2be}', '\u{2bf}', '\u{2c8}',
    '\u{2ca}', '\u{2cb}', '\u{2f4}', '\u{374}', '\u{384}', '\u{55a}', '\u{5f3}', '\u{7f4}',
    '\u{7f5}', '\u{1fbd}', '\u{1fbf}', '\u{1fef}', '\u{1ffd}', '\u{1ffe}', '\u{2018}', '\u{2019}',
    '\u{201a}', '\u{201b}', '\u{2032}', '\u{2035}', '\u{275b}', '\u{275c}', '\u{a78b}', '\u{a78c}',
    '\u{ff07}', '\u{ff40}',
];

/// Characters read as `"`.
const QUOTES: &[char] = &[
    '\u{2ba}', '\u{2ee}', '\u{5f4}', '\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}', '\u{2033}',
    '\u{2036}', '\u{275d}', '\u{275e}', '\u{2e42}', '\u{301d}', '\u{301e}', '\u{301f}', '\u{ff02}',
];

/// Characters read as a hyphen: all of the property `Dash`, and signs that look like one.
const HYPHENS: &[char] = &[
    '\u{2d7}',
    '\u{58a}',
    '\u{5be}',
    '\u{1400}',
    '\u{1806}',
    '\u{2010}',
    '\u{2011}',
    '\u{2012}',
    '\u{2013}',
    '\u{2014}',
    '\u{2015}',
    '\u{2043}',
    '\u{2053}',
    '\u{207b}',
    '\u{208b}',
    '\u{2212}',
    '\u{2796}',
    '\u{2e17}',
    '\u{2e1a}',
    '\u{2e3a}',
    '\u{2e3b}',
    '\u{2e40}',
    '\u{2e5d}',
    '\u{301c}',
    '\u{3030}',
    '\u{30a0}',
    '\u{fe31}',
    '\u{fe32}',
    '\u{fe58}',
    '\u{fe63}',
    '\u{ff0d}',
    '\u{10d6e}',
    '\u{10ead}',
];

/// Returns `'`, `"`, `-` or a space for their variants; any other character unchanged.
pub(super) fn typed(c: char) -> char {
    let is_in = |sorted: &[char]| sorted.binary_search(&c).is_ok();
    match c {
        '`' => '\'',
        _ if c.is_ascii() => c,
        _ if is_in(APOSTROPHES) => '\'',
        _ if is_in(QUOTES) => '"',
        _ if is_in(HYPHENS) => '-',
        // An empty Braille cell is not white space by its property, but it looks like a space.
        _ if c.is_whitespace() || c == '\u{2800}' => ' ',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::super::{SearchKey, WordSet, fold};
    use super::*;
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

    fn set_of(text: &str) -> WordSet {
        let mut set = WordSet::default();
        set.text(text);
        set
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
}
