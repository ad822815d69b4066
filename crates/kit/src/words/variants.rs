//! Characters that people and programs write for the apostrophe, the quotation mark and the hyphen.
//!
//! Taken from Unicode 16.0: the properties `Dash`, `Quotation_Mark`, `White_Space` and
//! `Default_Ignorable_Code_Point`, and the confusables of UTS #39 for `'`, `"` and `-`. The
//! confusables exclude letters and punctuation of other scripts, for example
//! the Hebrew yod and the Arabic full stop. Angle and corner brackets that are quotation marks of
//! other languages keep their form: nobody types `'` for them.

/// Characters read as an apostrophe: quotation marks, primes, accents that stand alone, modifier
/// letters, and the apostrophes of other scripts.
pub(super) const APOSTROPHES: &[char] = &[
    '`', '\u{b4}', '\u{2b9}', '\u{2bb}', '\u{2bc}', '\u{2bd}', '\u{2be}', '\u{2bf}', '\u{2c8}',
    '\u{2ca}', '\u{2cb}', '\u{2f4}', '\u{374}', '\u{384}', '\u{55a}', '\u{5f3}', '\u{7f4}',
    '\u{7f5}', '\u{1fbd}', '\u{1fbf}', '\u{1fef}', '\u{1ffd}', '\u{1ffe}', '\u{2018}', '\u{2019}',
    '\u{201a}', '\u{201b}', '\u{2032}', '\u{2035}', '\u{275b}', '\u{275c}', '\u{a78b}', '\u{a78c}',
    '\u{ff07}', '\u{ff40}',
];

/// Characters read as `"`.
pub(super) const QUOTES: &[char] = &[
    '\u{2ba}', '\u{2ee}', '\u{5f4}', '\u{201c}', '\u{201d}', '\u{201e}', '\u{201f}', '\u{2033}',
    '\u{2036}', '\u{275d}', '\u{275e}', '\u{2e42}', '\u{301d}', '\u{301e}', '\u{301f}', '\u{ff02}',
];

/// Characters read as a hyphen: all of the property `Dash`, and signs that look like one.
pub(super) const HYPHENS: &[char] = &[
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
