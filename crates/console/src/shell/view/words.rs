//! Messages of the service in words for people, without backticks and without field names of the
//! API.

use std::borrow::Cow;

/// Returns `message` without backticks. Field names between backticks become words, such as `file
/// urls` for `fileUrls`; other texts between backticks are put in quotation marks.
pub(crate) fn plain(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    for (position, part) in message.split('`').enumerate() {
        // Every second part was between backticks.
        match position % 2 {
            0 => text.push_str(part),
            _ if is_name(part) => text.push_str(&words(part)),
            _ => text.extend(["“", part, "”"]),
        }
    }
    text
}

/// Returns whether `text` is a field's name or path, such as `line_items[0].sku`, and not a value.
fn is_name(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.[]".contains(c);
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    // A single word such as `ready` is rather a value, and keeps its quotation marks.
    begins && text.chars().all(is_part) && *words(text) != *text
}

/// Returns the field `path` in words: `line items 1 sku` for `line_items[0].sku`.
pub(crate) fn words(path: &str) -> String {
    let mut words: Vec<Cow<'_, str>> = Vec::new();
    for part in path
        .split(['.', '_', '[', ']'])
        .filter(|part| !part.is_empty())
    {
        match part.parse::<usize>() {
            Ok(position) => words.push(position.saturating_add(1).to_string().into()),
            Err(_) => words.push(separated(part).into()),
        }
    }
    words.join(" ")
}

fn separated(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut was_lower = false;
    for c in name.chars() {
        if was_lower && c.is_ascii_uppercase() {
            words.push(' ');
            words.push(c.to_ascii_lowercase());
        } else {
            words.push(c);
        }
        was_lower = c.is_ascii_lowercase();
    }
    words
}

/// Replaces control characters of `text` by visible symbols, such as `␛` for escape. Line feeds and
/// tabs are kept.
pub(crate) fn visible(text: &str) -> String {
    let picture = |c: char| match c {
        '\n' | '\t' => c,
        '\u{7f}' => '\u{2421}',
        // Unicode has a picture of each ASCII control character, in the same order from U+2400.
        c if c.is_ascii_control() => char::from_u32(0x2400 + u32::from(c)).unwrap_or(' '),
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.replace("\r\n", "\n").chars().map(picture).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_backticks_and_no_paths() {
        for (message, shown) in [
            ("no mark", "no mark"),
            (
                "`until` must be in the future",
                "“until” must be in the future",
            ),
            (
                "`line_items[0].fileUrls` is needed; did you mean `MUG-11`?",
                "line items 1 file urls is needed; did you mean “MUG-11”?",
            ),
            ("the role `admin`", "the role “admin”"),
        ] {
            assert_eq!(plain(message), shown);
        }
        assert_eq!(
            words("shipping_address.province_code"),
            "shipping address province code"
        );
    }

    #[test]
    fn control_characters_are_seen() {
        assert_eq!(
            visible("a\r\nb\tc\u{0}\u{1b}[1m\u{7f}\u{9b}"),
            "a\nb\tc␀␛[1m␡\u{fffd}"
        );
    }
}
