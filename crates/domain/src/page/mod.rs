//! Paging, the same for every list: a page is chosen by number or by cursor.
//!
//! A list needs a `CursorKey`, a `ListId` made of its filters by a `ListDigest`, and a [`PageDraft`] in its request.
//! `PageDraft::check` returns the `Window` to read; `Window::page` makes the [`Page`].

pub(crate) mod cursor;

use crate::field::Field;
use crate::limits;
use crate::report::{IssueCode, Path, Report};
use pressline_kit::text::control_problem;
use pressline_kit::words::{SearchKey, SearchKeyError};

pub use cursor::{CursorKey, ListDigest, ListId};

/// Entries on a page if the request names no size.
const DEFAULT_SIZE: u32 = 20;

/// The fields of a request that choose a page, unchecked.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase"))]
pub struct PageDraft {
    /// Number of the page, from 1 to [`limits::PAGE`].
    pub page: Field<i64>,
    /// Entries on a full page, from 1 to [`limits::PAGE_SIZE`].
    pub size: Field<i64>,
    /// The `nextCursor` of the page before.
    pub cursor: Field<String>,
}

/// Where a page begins. `K` is the key by which the list is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start<K> {
    /// After so many entries.
    Offset(u64),
    /// After the entry with this key.
    After(K),
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The entries, in the order of the list.
    pub entries: Vec<T>,
    /// The page's number; `None` if a cursor was followed.
    pub number: Option<u32>,
    /// Entries on a full page.
    pub size: u32,
    /// True if there is a page before.
    pub has_previous: bool,
    /// Leads to the next page; `None` on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Returns whether there is a next page.
    pub fn has_next(&self) -> bool {
        self.next_cursor.is_some()
    }
}

/// The part of a list that a request asks for.
pub struct Window<K> {
    /// Where it starts.
    pub start: Start<K>,
    /// Most entries.
    pub size: u32,
    number: Option<u32>,
    list: ListId,
}

impl PageDraft {
    /// Checks the fields for this list. The window is only valid if the report has no violation.
    pub fn check<K: CursorKey>(&self, list: ListId, report: &mut Report) -> Window<K> {
        self.check_up_to(limits::PAGE_SIZE, list, report)
    }

    /// Checks the fields for this list, whose pages have at most `limit` entries.
    pub fn check_up_to<K: CursorKey>(
        &self,
        limit: u32,
        list: ListId,
        report: &mut Report,
    ) -> Window<K> {
        let size = number(&self.size, "size", DEFAULT_SIZE, limit, report);
        let page = number(&self.page, "page", 1, limits::PAGE, report);
        let after = self.after(&list, report);
        let (start, number) = match after {
            Some(key) => (Start::After(key), None),
            None => {
                let before = u64::from(page.saturating_sub(1)) * u64::from(size);
                (Start::Offset(before), Some(page))
            }
        };
        Window {
            start,
            size,
            number,
            list,
        }
    }

    /// Reports a page number, for lists that have none.
    pub fn by_cursor_only(&self, report: &mut Report) {
        if !self.page.is_absent() {
            let message = "this list has no page numbers; follow `nextCursor`";
            report.violation(&Path::Root.key("page"), IssueCode::OutOfRange, message);
        }
    }

    fn after<K: CursorKey>(&self, list: &ListId, report: &mut Report) -> Option<K> {
        let path = Path::Root.key("cursor");
        self.cursor.read(&path, report)?;
        let text = self.cursor.text()?;
        if !self.page.is_absent() {
            let message = "send either page or cursor, not both";
            report.violation(&path, IssueCode::Conflict, message);
        }
        match list.read_cursor(text) {
            Ok(key) => Some(key),
            Err(error) => {
                report.violation(&path, IssueCode::InvalidFormat, error.to_string());
                None
            }
        }
    }
}

impl<K: CursorKey + PartialEq> Window<K> {
    /// Makes the page. `last` is the key of its last entry if more entries follow it.
    pub fn page<T>(&self, entries: Vec<T>, last: Option<&K>) -> Page<T> {
        Page {
            entries,
            number: self.number,
            size: self.size,
            has_previous: self.start != Start::Offset(0),
            next_cursor: last.map(|key| self.list.cursor(key)),
        }
    }
}

/// Returns the search key of a request; `None` if it is absent, blank or invalid.
pub fn search_key(field: &Field<String>, report: &mut Report) -> Option<SearchKey> {
    let path = Path::Root.key("searchKey");
    field.read(&path, report)?;
    let text = field.text()?;
    if let Some(problem) = control_problem(text) {
        report.violation(&path, IssueCode::InvalidFormat, problem);
        return None;
    }
    match SearchKey::parse(text) {
        Ok(key) => key,
        Err(error @ (SearchKeyError::TooLong { .. } | SearchKeyError::TooManyWords { .. })) => {
            report.violation(&path, IssueCode::TooLong, error.to_string());
            None
        }
    }
}

/// Returns a number from 1 to `limit`; `default` if it is absent or invalid.
fn number(field: &Field<i64>, key: &str, default: u32, limit: u32, report: &mut Report) -> u32 {
    let path = Path::Root.key(key);
    let Some(value) = field.read(&path, report) else {
        return default;
    };
    let in_range = u32::try_from(*value)
        .ok()
        .filter(|value| (1..=limit).contains(value));
    if in_range.is_none() {
        let message = format!("{value} is not between 1 and {limit}");
        report.violation(&path, IssueCode::OutOfRange, message);
    }
    in_range.unwrap_or(default)
}
