//! Text layout of the OpenAPI documents.

/// Maximum length, in bytes, of a line that contains all entries of a list.
const WIDTH: usize = 100;

/// Puts short lists on one line; they would take a third of the document's lines otherwise.
pub(super) fn with_short_lists(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        written.push_str(line);
        if line.ends_with('[') {
            // A copy, because the lines of a long list must be read again, one by one.
            let mut rest = lines.clone();
            if let Some(list) = short_list(line, &mut rest) {
                written.push_str(&list);
                lines = rest;
            }
        }
        written.push('\n');
    }
    written
}

/// Returns the rest of a list that begins in the line `first`. Returns `None` if the list contains
/// lists or objects, or if the line would be longer than [`WIDTH`].
fn short_list<'t>(first: &str, lines: &mut impl Iterator<Item = &'t str>) -> Option<String> {
    let mut list = String::new();
    for line in lines {
        let value = line.trim_start();
        if value.ends_with(['[', '{', '}']) || first.len() + list.len() + value.len() > WIDTH {
            return None;
        }
        if value.starts_with(']') {
            return Some(list.trim_end().to_owned() + value);
        }
        list.push_str(value);
        list.push(' ');
    }
    None
}

/// Puts `else` after `if` in each rule: utoipa keeps both keys in a hash map, in random order.
pub(super) fn with_ordered_rules(text: &str) -> String {
    let mut ordered: Vec<String> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let indent = line.len() - line.trim_start().len();
        // Only the rules for request fields have `else`, always with `false`.
        if line.trim_start() != "\"else\": false," {
            ordered.push(line.to_owned());
            continue;
        }
        let (inner, end) = (" ".repeat(indent), format!("{}}}", " ".repeat(indent)));
        // `take_while` also consumes the closing line, which is written below with a comma.
        ordered.extend(
            lines
                .by_ref()
                .take_while(|line| **line != end)
                .map(str::to_owned),
        );
        ordered.extend([format!("{end},"), format!("{inner}\"else\": false")]);
    }
    ordered.join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn only_short_lists_of_plain_values_are_joined() {
        let long = vec!["a value of some length"; 10];
        let value = json!({ "a": ["x", null, 1], "b": [{ "c": [] }, [2]], "d": long, "e": ["["] });
        let text = with_short_lists(&serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(text.contains("\"a\": [\"x\", null, 1],\n"), "{text}");
        assert!(text.contains("    [2]\n"), "{text}");
        assert!(text.contains("\"d\": [\n"), "{text}");
        assert!(text.contains("\"e\": [\"[\"]\n"), "{text}");
    }
}
