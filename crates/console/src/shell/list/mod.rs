//! Lists: pages by cursor, counts and export.

mod csv;
mod paging;

use askama::Template;
use askama::filters::HtmlSafe;
use pressline_domain::value::page::{Page, PageDraft};

use crate::shell::result::Result;

pub(crate) use csv::csv;
pub(crate) use paging::{Listed, Paging, first_of};

/// Largest count that is shown exactly. A larger count is shown as `10,000+`.
pub(crate) const EXACT_TO: u32 = 10_000;

pub(crate) fn count_text(count: u64) -> String {
    if count > u64::from(EXACT_TO) {
        return "10,000+".to_owned();
    }
    match (count / 1000, count % 1000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{thousands},{rest:03}"),
    }
}

/// Formats `count` with the singular `noun`, such as `1 order` or `1,200 orders`.
pub(crate) fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count_text(count))
}

pub(crate) fn size_of(draft: &PageDraft) -> u32 {
    let size = draft.size.value().copied().unwrap_or_default();
    u32::try_from(size).unwrap_or_default()
}

pub(crate) fn page<T>(entries: Vec<T>, next_cursor: Option<String>) -> Page<T> {
    Page {
        size: u32::try_from(entries.len()).unwrap_or(u32::MAX),
        entries,
        number: None,
        has_previous: false,
        next_cursor,
    }
}

/// Returns the page of `entries` that `draft` requests. The cursor in `draft` is the id of the
/// previous page's last entry. If this entry no longer exists, the list starts again.
pub(crate) fn page_of<T: Clone>(
    entries: &[T],
    draft: &PageDraft,
    id: impl Fn(&T) -> String,
) -> Result<Page<T>> {
    let cursor = draft.cursor.text();
    let last = cursor.and_then(|cursor| entries.iter().position(|entry| id(entry) == cursor));
    let rest = entries
        .get(last.map_or(0, |last| last + 1)..)
        .unwrap_or_default();
    let wanted = usize::try_from(size_of(draft)).unwrap_or(usize::MAX);
    let shown = rest.get(..wanted).unwrap_or(rest);
    let has_more = rest.len() > shown.len();
    let next = shown.last().filter(|_| has_more).map(id);
    Ok(page(shown.to_vec(), next))
}

/// Links to the previous and the next page: `{{ links }}`.
#[derive(Debug, Template)]
#[template(path = "part/pages.html")]
pub(crate) struct PageLinks {
    /// URL of the first page. Set instead of `previous` if the cursor of the previous page was
    /// dropped from the query.
    pub(crate) first: Option<String>,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
}

impl HtmlSafe for PageLinks {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_to_ten_thousand() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1042, "1,042"),
            (10_000, "10,000"),
            (10_001, "10,000+"),
        ] {
            assert_eq!(count_text(count), text);
        }
    }
}
