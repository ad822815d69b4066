//! Postal codes without the differences in writing that carriers ignore.

use deunicode::deunicode_char;

/// Returns `code` in upper case and without separators. Digits and letters of other widths and
/// scripts become ASCII: `１２３-４５６７` is `1234567`.
pub(super) fn compact(code: &str) -> String {
    let mut compact = String::with_capacity(code.len());
    for character in code.chars().filter(|c| !is_separator(*c)) {
        match character {
            'A'..='Z' | '0'..='9' => compact.push(character),
            _ if character.is_ascii() => compact.push(character.to_ascii_uppercase()),
            // Only if it stands for exactly one ASCII character, as full-width letters do.
            _ => compact.push(as_ascii(character).unwrap_or(character)),
        }
    }
    compact
}

fn as_ascii(character: char) -> Option<char> {
    let mut same = deunicode_char(character)?.chars();
    let first = same.next()?;
    (same.next().is_none() && first.is_ascii_alphanumeric()).then(|| first.to_ascii_uppercase())
}

/// White space, hyphens and dashes, points, brackets, the postal mark of Japan, and characters that
/// cannot be seen.
fn is_separator(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '-' | '.' | '(' | ')' | '〒'
                | '\u{ad}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2010}'..='\u{2015}'
                | '\u{2060}'
                | '\u{2212}'
                | '\u{30fc}'
                | '\u{fe58}'
                | '\u{fe63}'
                | '\u{feff}'
                | '\u{ff0d}'
        )
}
