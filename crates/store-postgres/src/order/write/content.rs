//! The content of changed orders, as values of the statement that changes orders.

use pressline_store_kit::{ChangeRows, ContentRows};

use crate::arrays::{Kind, Values, array, rows};

/// Each change comes with its position, from 1. Leaves out changes without content.
pub(super) fn content<'a>(changes: impl Iterator<Item = (i64, &'a ChangeRows)>) -> Values<'a> {
    let content: Vec<(i64, &'a ContentRows)> = changes
        .filter_map(|(place, rows)| Some((place, rows.content.as_deref()?)))
        .collect();
    let item_count = |rows: &ContentRows| i64::try_from(rows.items.len()).unwrap_or(i64::MAX);
    let contents = || content.iter().map(|(_, rows)| *rows);
    let item_places = content
        .iter()
        .flat_map(|(place, rows)| rows.items.iter().map(move |_| *place));
    vec![
        ("orders", rows(contents().map(|rows| &rows.order))),
        (
            "words",
            array(Kind::Text, contents().map(|rows| &rows.words)),
        ),
        (
            "item_counts",
            array(Kind::BigInt, contents().map(item_count)),
        ),
        (
            "content_places",
            array(Kind::BigInt, content.iter().map(|(place, _)| *place)),
        ),
        ("items", rows(contents().flat_map(|rows| &rows.items))),
        ("item_places", array(Kind::BigInt, item_places)),
    ]
}
