//! Escapes text from files and requests for terminals and logs.

use std::borrow::Cow;
use std::fmt::Write;

/// Escapes control characters (C0 with tabs and line breaks, DEL, C1), line and paragraph
/// separators, and invisible characters such as bidi overrides and zero-width spaces. Letters of all
/// scripts, their combining marks and emoji are unchanged. The result is one line; escaping it again
/// changes nothing.
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_where(text, |_| true)
}

/// Escapes `text` as [`escape`] does, but keeps line feeds.
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    escape_where(text, |character| character != '\n')
}

/// Escapes as [`escape_lines`] does, but in the syntax of JSON, so that values do not change.
pub fn escape_json(document: &str) -> Cow<'_, str> {
    // Outside of strings, JSON has no unsafe character but line feeds.
    escape_with(
        document,
        |character| character != '\n',
        |escaped, character| {
            // JSON escapes a character beyond U+FFFF as two surrogates.
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        },
    )
}

/// Returns `line`, with its middle cut out if it has more than 800 characters.
pub fn shorten(line: &str) -> Cow<'_, str> {
    const END_LENGTH: usize = 400;
    let begin_at = line
        .char_indices()
        .nth(END_LENGTH)
        .map_or(line.len(), |(at, _)| at);
    let end_at = line
        .char_indices()
        .rev()
        .nth(END_LENGTH - 1)
        .map_or(0, |(at, _)| at);
    // In a line of up to 800 characters `begin` is not before `end`, so there is no middle.
    let Some(middle) = line
        .get(begin_at..end_at)
        .filter(|middle| !middle.is_empty())
    else {
        return Cow::Borrowed(line);
    };
    let (begin, end) = (
        line.get(..begin_at).unwrap_or_default(),
        line.get(end_at..).unwrap_or_default(),
    );
    Cow::Owned(format!(
        "{begin} … ({} characters) … {end}",
        middle.chars().count()
    ))
}

fn escape_where(text: &str, chosen: impl Fn(char) -> bool) -> Cow<'_, str> {
    escape_with(text, chosen, |escaped, character| {
        escaped.extend(character.escape_unicode())
    })
}

/// Escapes unsafe characters that `chosen` accepts. `write` appends the escape of a character.
fn escape_with(
    text: &str,
    chosen: impl Fn(char) -> bool,
    write: impl Fn(&mut String, char),
) -> Cow<'_, str> {
    let mut escaped = String::new();
    // Start of the part of `text` that is not in `escaped` yet.
    let mut begin = 0;
    let mut before = None;
    for (at, character) in text.char_indices() {
        if is_unsafe(character, before) && chosen(character) {
            escaped.push_str(text.get(begin..at).unwrap_or_default());
            write(&mut escaped, character);
            begin = at + character.len_utf8();
        }
        before = Some(character);
    }
    if begin == 0 {
        return Cow::Borrowed(text);
    }
    escaped.push_str(text.get(begin..).unwrap_or_default());
    Cow::Owned(escaped)
}

fn is_unsafe(character: char, before: Option<char>) -> bool {
    match character {
        ' '..='~' => false,
        // Zero-width (non-)joiners belong to Persian, to Indic scripts and to emoji. After an ASCII
        // character they only hide that two texts differ.
        '\u{200c}' | '\u{200d}' => before.is_none_or(|before| before.is_ascii()),
        _ => character.is_control() || is_invisible(character),
    }
}

/// Returns whether `character` is invisible: in Unicode 17, it has the property
/// Default_Ignorable_Code_Point or one of the categories Cf, Zl and Zp. Visible Arabic signs and
/// variation selectors, which are combining marks, do not count as invisible.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'                        // soft hyphen
        | '\u{61c}'                     // Arabic letter mark (bidi)
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' // Hangul fillers
        | '\u{180e}'                    // Mongolian vowel separator
        | '\u{200b}' | '\u{200e}' | '\u{200f}' // zero-width space; left-to-right and right-to-left marks
        | '\u{2028}'..='\u{202e}'       // line and paragraph separators; bidi embeddings and overrides
        | '\u{2060}'..='\u{206f}'       // word joiner, invisible operators, bidi isolates, deprecated format characters
        | '\u{feff}'                    // byte order mark
        | '\u{fff0}'..='\u{fffb}'       // unassigned ignorables, interlinear annotations
        | '\u{1bca0}'..='\u{1bca3}'     // shorthand format controls
        | '\u{1d173}'..='\u{1d17a}'     // musical format controls
        | '\u{e0000}'..='\u{e00ff}'     // tags
        | '\u{e01f0}'..='\u{e0fff}'     // unassigned ignorables
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_or_hides_becomes_visible() {
        for (text, escaped) in [
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("a\0b\u{7}\u{8}", "a\\u{0}b\\u{7}\\u{8}"),
            ("\u{7f}", "\\u{7f}"),
            ("\u{85}\u{9b}31m", "\\u{85}\\u{9b}31m"),
            ("one\ntwo\r\tthree", "one\\u{a}two\\u{d}\\u{9}three"),
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
            ("\u{202e}live\u{202c}", "\\u{202e}live\\u{202c}"),
            (
                "\u{2066}x\u{2069}\u{200e}\u{200f}\u{61c}",
                "\\u{2066}x\\u{2069}\\u{200e}\\u{200f}\\u{61c}",
            ),
            (
                "\u{feff}sku\u{ad}\u{200b}\u{2060}",
                "\\u{feff}sku\\u{ad}\\u{200b}\\u{2060}",
            ),
            ("\u{e0041}\u{3164}", "\\u{e0041}\\u{3164}"),
            ("TEE\u{200d}-M \u{200c}", "TEE\\u{200d}-M \\u{200c}"),
        ] {
            assert_eq!(escape(text), escaped);
            assert_eq!(escape(escaped), escaped);
        }
    }

    #[test]
    fn all_control_characters_are_escaped() {
        let controls = (0..=0xa0)
            .filter_map(char::from_u32)
            .filter(|found| found.is_control());
        assert_eq!(controls.clone().count(), 65);
        for control in controls {
            assert_eq!(
                escape(&control.to_string()),
                format!("\\u{{{:x}}}", u32::from(control))
            );
        }
    }

    #[test]
    fn ordinary_text_of_all_scripts_is_borrowed() {
        for text in [
            "",
            "TEE-M, \"4500 x 5400\" \\u{1b} ~",
            "Đỗ Thị Hồng — café, e\u{301}",
            "注文 ありがとう 한국어",
            "می\u{200c}خواهم", // Persian, with a zero-width non-joiner
            "क्\u{200d}ष",      // Devanagari, with a zero-width joiner
            "👩\u{200d}💻 ❤\u{fe0f}",
            "\u{600}١٢",
        ] {
            assert!(
                matches!(escape(text), Cow::Borrowed(same) if same == text),
                "{text}"
            );
        }
    }

    #[test]
    fn json_is_escaped_as_json() {
        let document = "{\n  \"name\": \"a\u{9b}b\u{e0041}\"\n}";
        let escaped = escape_json(document);
        assert_eq!(escaped, "{\n  \"name\": \"a\\u009bb\\udb40\\udc41\"\n}");
        let parse = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(parse(&escaped), parse(document));
    }

    #[test]
    fn long_lines_lose_their_middle() {
        let line = format!("{}é{}", "a".repeat(400), "b".repeat(400));
        assert_eq!(
            shorten(&line),
            format!("{} … (1 characters) … {}", "a".repeat(400), "b".repeat(400))
        );
        let line = format!("{}{}", "é".repeat(400), "b".repeat(400));
        assert!(matches!(shorten(&line), Cow::Borrowed(_)));
        assert!(matches!(shorten(""), Cow::Borrowed("")));
    }

    #[test]
    fn line_feeds_alone_are_kept_between_lines() {
        assert_eq!(escape_lines("a\n  b\r\n\u{1b}"), "a\n  b\\u{d}\n\\u{1b}");
        assert!(matches!(escape_lines("a\nb"), Cow::Borrowed(_)));
    }
}
