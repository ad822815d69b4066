//! Adds a column to the statements of the stores, in each place that lists a column of its type.
//!
//! Statements name their columns one by one, so that each text runs as it is written. A new column
//! is therefore in many files, although it is added to all of them in the same way:
//!
//! ```text
//! orders.note, orders.size                     orders.note, orders.gift, orders.size
//! :orders_note::TEXT[], :orders_size::INT[]    :orders_note::TEXT[], :orders_gift::TEXT[], …
//! note = given.note,                           note = given.note,
//!                                              gift = given.gift,
//! ```

use std::fs;
use std::path::Path;

use crate::error::TaskError;

/// Maximum length of a line.
const WIDTH: usize = 100;

/// Adds the column `new` after the column `old`, which must have the same type, in all `.sql` files
/// below `folder`. Returns the number of changed files.
pub(super) fn copy(folder: &Path, old: &str, new: &str) -> Result<usize, TaskError> {
    let mut changed = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            changed += copy(&path, old, new)?;
        } else if path.extension().is_some_and(|kind| kind == "sql") {
            let text = fs::read_to_string(&path)?;
            let with_column = with_column(&text, old, new);
            if with_column != text {
                fs::write(&path, with_column)?;
                changed += 1;
            }
        }
    }
    Ok(changed)
}

fn with_column(text: &str, old: &str, new: &str) -> String {
    // Lines, and whether the column was added to them.
    let mut lines: Vec<(String, bool)> = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("--") {
            lines.push((line.to_owned(), false));
        } else if is_assignment(line, old) {
            let line = line.trim_end_matches(',');
            lines.push((format!("{line},"), false));
            lines.push((line.replace(old, new) + ",", false));
        } else {
            let with_element = with_element(line, old, new);
            let is_longer = with_element.len() > line.len();
            lines.push((with_element, is_longer));
        }
    }
    let mut text = wrapped(lines).join("\n");
    text.push('\n');
    text
}

/// Whether the line sets the column, as `note = given.note,` does.
fn is_assignment(line: &str, column: &str) -> bool {
    let rest = line.trim_start().strip_prefix(column);
    rest.is_some_and(|rest| rest.starts_with(" = "))
}

/// Adds the new column after each element of a list that is the old column, whatever its prefix,
/// type or alias.
fn with_element(line: &str, old: &str, new: &str) -> String {
    let elements = line.split(", ").map(|element| {
        let (whole, comma) = match element.strip_suffix(',') {
            Some(whole) => (whole, ","),
            None => (element, ""),
        };
        let (inner, closing) = whole.split_at(whole.find(')').unwrap_or(whole.len()));
        // What comes before the column is `SELECT `, `UNNEST(` or an indentation.
        let starts = inner.match_indices([' ', '(']).map(|(at, _)| at + 1);
        let mut columns = std::iter::once(0)
            .chain(starts)
            .filter_map(|at| inner.get(at..));
        match columns.find(|column| names(column, old)) {
            Some(column) => {
                let copy = column.replace(old, new);
                format!("{inner}, {copy}{closing}{comma}")
            }
            None => element.to_owned(),
        }
    });
    elements.collect::<Vec<_>>().join(", ")
}

/// Whether `column` is the name of `old`, possibly with a prefix and a type, such as
/// `:orders_note::TEXT[]`.
fn names(column: &str, old: &str) -> bool {
    let name = column.trim_start_matches(':').split([':', ' ']).next();
    let prefix = name.and_then(|name| name.strip_suffix(old));
    prefix.is_some_and(|prefix| prefix.is_empty() || prefix.ends_with(['.', '_']))
}

/// Moves the last elements of lists that have become too long to the next lines.
fn wrapped(lines: Vec<(String, bool)>) -> Vec<String> {
    let mut wrapped: Vec<String> = Vec::new();
    let mut rest = String::new();
    for (mut line, mut is_list) in lines {
        let indent = line.len() - line.trim_start().len();
        if !rest.is_empty() {
            // A list goes on in lines of the same indentation, which begin with an element.
            let before = wrapped
                .last()
                .map_or(0, |last| last.len() - last.trim_start().len());
            let goes_on = indent == before && !line.trim_start().starts_with(char::is_uppercase);
            let moved = std::mem::take(&mut rest);
            if goes_on && moved.ends_with(',') {
                line.insert_str(indent, &format!("{moved} "));
                is_list = true;
            } else {
                wrapped.push(format!("{}{moved}", " ".repeat(before)));
            }
        }
        if is_list {
            while line.len() > WIDTH {
                let Some(at) = line.get(..WIDTH).and_then(|start| start.rfind(", ")) else {
                    break;
                };
                rest = line.split_off(at + 2) + if rest.is_empty() { "" } else { " " } + &rest;
                line.truncate(at + 1);
            }
        }
        wrapped.push(line);
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_added_to_lists_parameters_and_assignments() {
        let text = "-- note\nSELECT orders.note, orders.size\nFROM UNNEST(:orders_note::TEXT[], :size)\n\
                    AS given(id, note)\nSET\n    note = given.note,\nWHERE denote = 1\n";
        assert_eq!(
            with_column(text, "note", "gift"),
            "-- note\nSELECT orders.note, orders.gift, orders.size\nFROM \
             UNNEST(:orders_note::TEXT[], :orders_gift::TEXT[], :size)\nAS given(id, note, gift)\n\
             SET\n    note = given.note,\n    gift = given.gift,\nWHERE denote = 1\n"
        );
    }

    #[test]
    fn a_long_line_of_a_list_is_wrapped() {
        let column = "c".repeat(30);
        let text = format!("    {column}, {column}, note,\n    last\nFROM t\n");
        let wide = with_column(&text, "note", &"n".repeat(40));
        let expected = format!(
            "    {column}, {column}, note,\n    {}, last\nFROM t\n",
            "n".repeat(40)
        );
        assert_eq!(wide, expected);
    }
}
