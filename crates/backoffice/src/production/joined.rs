//! Splitting of a string that contains several scanned codes. Such strings arrive without
//! JavaScript: a page's field still contains the previous code while the next page loads.

use super::code::{ItemCode, ScannedCode};
use super::stop::is_label;
use pressline_domain::value::{Prefix, ServiceOrderId};

/// Splits `text` into codes and labels. A code begins with one of `prefixes` or `BATCH`; a label of
/// letters and digits follows a code. `has_item` tells whether an item exists, and so where its
/// number ends. Returns the pieces of ambiguous text as an error: a piece is neither a code nor a
/// label, or can be divided in two ways.
pub(super) fn split_joined(
    text: &str,
    prefixes: &[Prefix],
    has_item: impl Fn(&ItemCode) -> bool,
) -> Result<Vec<String>, Vec<String>> {
    let text = text.trim();
    let starts = starts(text, prefixes);
    let Some(first) = starts.first().copied() else {
        return Ok(scans(text));
    };
    // Parsed only if it begins with a known prefix: `1Z999SUN-2-1` (label, then code) also parses
    // as a code of another store.
    if first == 0 && text.parse::<ScannedCode>().is_ok() {
        return Ok(vec![text.to_owned()]);
    }
    let head = text.get(..first).unwrap_or_default();
    let mut pieces = if head.is_empty() {
        Vec::new()
    } else {
        scans(head)
    };
    let mut is_clear = head.is_empty() || is_plain_label(head);
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    for (start, end) in starts.iter().zip(ends) {
        let piece = text.get(*start..end).unwrap_or_default();
        let Some((code, label)) = code_and_label(piece, &has_item) else {
            is_clear = false;
            pieces.push(piece.to_owned());
            continue;
        };
        pieces.push(code.to_owned());
        if !label.is_empty() {
            pieces.extend(scans(label));
        }
    }
    if is_clear { Ok(pieces) } else { Err(pieces) }
}

/// Returns the order ids of all possible item codes in `text`. The orders need not exist.
pub(super) fn named_orders(text: &str, prefixes: &[Prefix]) -> Vec<ServiceOrderId> {
    let starts = starts(text, prefixes);
    let orders = starts.into_iter().filter_map(|start| {
        let piece = text.get(start..)?;
        let (end, _) = piece.match_indices(is_separator).nth(1)?;
        match piece.get(..end)?.parse().ok()? {
            ScannedCode::Order(number) => Some(number),
            ScannedCode::Item(_) | ScannedCode::Batch(_) => None,
        }
    });
    orders.collect()
}

/// Returns positions at which a code can begin: one of `prefixes` or `BATCH`, a separator, a digit.
fn starts(text: &str, prefixes: &[Prefix]) -> Vec<usize> {
    // ASCII only, so that positions in `upper` are positions in `text`.
    let upper = text.to_ascii_uppercase();
    let names: Vec<&str> = prefixes
        .iter()
        .map(Prefix::as_str)
        .chain([Prefix::BATCH])
        .collect();
    let positions = upper.char_indices().map(|(position, _)| position);
    let is_start = |position: &usize| {
        let rest = upper.get(*position..).unwrap_or_default();
        let mut after = names
            .iter()
            .filter_map(|name| rest.strip_prefix(name))
            .map(str::chars);
        after.any(|mut after| {
            after.next().is_some_and(is_separator)
                && after.next().is_some_and(|digit| digit.is_ascii_digit())
        })
    };
    positions.filter(is_start).collect()
}

fn is_separator(character: char) -> bool {
    !character.is_ascii_alphanumeric()
}

/// Returns `None` unless there is one way. `piece` must begin with an order prefix or `BATCH`.
fn code_and_label(piece: &str, has_item: impl Fn(&ItemCode) -> bool) -> Option<(&str, &str)> {
    let mut separators = piece.match_indices(is_separator);
    separators.next()?;
    let Some((position, separator)) = separators.next() else {
        // The number of an order or batch cannot be told from a label of digits after it.
        return piece.parse::<ScannedCode>().is_ok().then_some((piece, ""));
    };
    let number = position + separator.len();
    let digits = piece
        .get(number..)?
        .bytes()
        .take_while(u8::is_ascii_digit)
        .count();
    let divided = (1..=digits).filter_map(|digits| piece.split_at_checked(number + digits));
    let mut ways = divided.filter(|(code, label)| {
        let is_item = code.parse().is_ok_and(|code| has_item(&code));
        is_item && (label.is_empty() || is_plain_label(label))
    });
    let first = ways.next()?;
    ways.next().is_none().then_some(first)
}

fn is_plain_label(text: &str) -> bool {
    is_label(text) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns `text`, or the label twice if `text` is the same label twice in a row.
fn scans(text: &str) -> Vec<String> {
    match text.split_at_checked(text.len() / 2) {
        Some((half, other)) if half == other && is_plain_label(half) => {
            vec![half.to_owned(), other.to_owned()]
        }
        _ => vec![text.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the scans joined by commas, with `?` in front if unclear. `SUN-20` has 12 items,
    /// other orders have 2.
    fn split(text: &str) -> String {
        let prefixes = ["SUN", "2ND"].map(|prefix| prefix.parse().unwrap());
        let has_item = |code: &ItemCode| {
            let items = if code.order.number == 20 { 12 } else { 2 };
            code.number <= items
        };
        match split_joined(text, &prefixes, has_item) {
            Ok(parts) => parts.join(","),
            Err(pieces) => format!("?{}", pieces.join(",")),
        }
    }

    #[test]
    fn joined_codes_and_labels_are_taken_apart_if_there_is_one_way() {
        for (text, expected) in [
            ("SUN-1-1", "SUN-1-1"),
            ("1Z999", "1Z999"),
            ("1Z-FIRST", "1Z-FIRST"),
            ("SUN-1-1SUN-2-1", "SUN-1-1,SUN-2-1"),
            ("sunß1ß1sunß2ß1", "sunß1ß1,sunß2ß1"),
            ("SUN-12ND-1-1", "SUN-1,2ND-1-1"),
            ("BATCH-3SUN-1", "BATCH-3,SUN-1"),
            ("SUN-1-11Z999SUN-2-21Z888", "SUN-1-1,1Z999,SUN-2-2,1Z888"),
            (
                "SUN-1-100340434161094042557",
                "SUN-1-1,00340434161094042557",
            ),
            ("1Z999SUN-2-1", "1Z999,SUN-2-1"),
            ("1Z9991Z999", "1Z999,1Z999"),
            ("SUN-1-11Z9991Z999", "SUN-1-1,1Z999,1Z999"),
            ("MOON-1-1", "MOON-1-1"),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
    }

    #[test]
    fn a_joined_text_with_a_piece_that_is_unclear_is_not_taken_apart() {
        for (text, expected) in [
            ("SUN-20-11Z9999", "?SUN-20-11Z9999"),
            ("SUN-1-1abcSUN-2-1", "?SUN-1-1abc,SUN-2-1"),
            ("SUN-11Z999SUN-2-1", "?SUN-11Z999,SUN-2-1"),
            ("SUN-1-3SUN-2-1", "?SUN-1-3,SUN-2-1"),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
    }
}
