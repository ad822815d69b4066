//! Checks the characters of texts from requests and files.

use std::borrow::Cow;

/// Returns the first control character of `text` (U+0000 to U+001F, U+007F to U+009F) other than a
/// tab, line feed or carriage return. Printers and terminals interpret them as commands.
pub fn control_character(text: &str) -> Option<char> {
    text.chars()
        .find(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r'))
}

/// Returns a message to the sender of `text` if it has a [control character](control_character).
pub fn control_problem(text: &str) -> Option<String> {
    let control = control_character(text)?;
    Some(format!(
        "contains the control character U+{:04X}; remove it",
        u32::from(control)
    ))
}

/// Returns whether `text` has several lines.
pub fn has_line_break(text: &str) -> bool {
    text.contains(['\n', '\r'])
}

/// Returns `text` with a space for each tab and each line break; CR LF is a single line break.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(['\t', '\n', '\r']) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", " ").replace(['\t', '\n', '\r'], " "))
}

/// Returns whether `c` is not shown: a soft hyphen, joiner, direction mark, variation selector,
/// filler or byte order mark. These are the characters of the Unicode property
/// `Default_Ignorable_Code_Point` (Unicode 16.0).
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}'
        | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

const EXCERPT: usize = 40;

/// Returns the first 40 characters of `name` and `…`; the whole name if it is not longer.
pub fn excerpt(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(EXCERPT) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use crate::text::*;

    #[test]
    fn control_characters_are_found_except_tabs_and_line_breaks() {
        assert_eq!(control_problem("a\tb\r\nc d\u{2028}\u{a0}ü"), None);
        for control in (0..0x20).chain(0x7f..0xa0).filter_map(char::from_u32) {
            let allowed = matches!(control, '\t' | '\n' | '\r');
            let problem = control_problem(&format!("a{control}b"));
            assert_eq!(problem.is_none(), allowed, "{control:?}");
        }
        let problem = control_problem("a\u{85}");
        assert_eq!(
            problem.as_deref(),
            Some("contains the control character U+0085; remove it")
        );
    }

    #[test]
    fn an_excerpt_has_at_most_40_characters_of_a_name() {
        let name = "é".repeat(40);
        assert_eq!(excerpt(&name), name);
        assert_eq!(excerpt(&format!("{name}é")), format!("{name}…"));
    }

    #[test]
    fn one_line_has_a_space_for_each_tab_and_line_break() {
        assert_eq!(one_line("a\tb\nc\r\nd\re"), "a b c d e");
        assert_eq!(one_line("a\n\nb"), "a  b");
        assert!(matches!(one_line("a b"), Cow::Borrowed("a b")));
        assert!(has_line_break("a\rb") && has_line_break("a\nb") && !has_line_break("a\tb"));
    }
}
