//! Paging, the same for every list: a request selects a page by number or by cursor.
//!
//! A list needs a [`CursorKey`], a [`ListId`] made of its filters by a [`ListDigest`], and a
//! [`PageDraft`] in its request. [`PageDraft::check`] returns the [`Window`] to read;
//! [`Window::page`] makes the [`Page`].
//!
//! A caller reads a list page by page, each page with the cursor of the previous page:
//!
//! ```
//! use pressline_domain::check::Report;
//! use pressline_domain::value::page::{ListDigest, Page, PageDraft, Start, Window};
//!
//! const NAMES: [&str; 5] = ["Ana", "Bo", "Cy", "Dee", "Eve"];
//!
//! // A list of names, sorted. The name itself is the key of an entry.
//! fn list(request: &PageDraft) -> Result<Page<&'static str>, Report> {
//!     let mut report = Report::default();
//!     // Without filters, so that a cursor continues every request for names.
//!     let names = ListDigest::new("names").list("");
//!     let window: Window<String> = request.check(names, &mut report);
//!     report.check()?;
//!     let size = window.size as usize;
//!     let start = match &window.start {
//!         Start::Offset(skipped) => *skipped as usize,
//!         Start::After(last) => NAMES.partition_point(|name| *name <= last.as_str()),
//!     };
//!     let rest = NAMES.get(start..).unwrap_or_default();
//!     let entries: Vec<&str> = rest.iter().copied().take(size).collect();
//!     let is_last = rest.len() <= size;
//!     let last = entries.last().filter(|_| !is_last).map(|name| name.to_string());
//!     Ok(window.page(entries, last.as_ref()))
//! }
//!
//! let mut request = PageDraft {
//!     size: 2.into(),
//!     ..PageDraft::default()
//! };
//! let mut read = Vec::new();
//! loop {
//!     let page = list(&request).unwrap();
//!     read.extend(page.entries);
//!     // Only the last page has no cursor.
//!     let Some(cursor) = page.next_cursor else { break };
//!     request.cursor = cursor.into();
//! }
//! assert_eq!(read, NAMES);
//! ```

pub(crate) mod cursor;

use crate::check::{Field, IssueCode, Path, Report, limits};
use pressline_kit::text::control_problem;
use pressline_kit::words::{SearchKey, SearchKeyError};

pub use cursor::{CursorKey, ListDigest, ListId};

const DEFAULT_SIZE: u32 = 20;

/// Paging parameters of a request, not yet checked.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase"))]
pub struct PageDraft {
    /// Number of the page, 1 to [`limits::PAGE`]; absent for 1.
    pub page: Field<i64>,
    /// Maximum number of entries on the page, 1 to [`limits::PAGE_SIZE`]; absent for 20.
    pub size: Field<i64>,
    /// [`Page::next_cursor`] of the previous page; absent for the first page or with `page`.
    pub cursor: Field<String>,
}

/// Start of a page. `K` is the sort key of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start<K> {
    /// The page begins after this number of entries of the list.
    Offset(u64),
    /// The page begins after the entry with this key.
    After(K),
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// Entries in the order of the list.
    pub entries: Vec<T>,
    /// Number of the page; `None` if the request had a cursor.
    pub number: Option<u32>,
    /// Maximum number of entries on the page.
    pub size: u32,
    /// `true` if a previous page exists.
    pub has_previous: bool,
    /// Cursor of the next page; `None` on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Returns whether a next page exists.
    pub fn has_next(&self) -> bool {
        self.next_cursor.is_some()
    }
}

/// The part of a list to read for a request.
pub struct Window<K> {
    /// Start of the page, by offset or by the key of the previous entry.
    pub start: Start<K>,
    /// Maximum number of entries to read.
    pub size: u32,
    number: Option<u32>,
    list: ListId,
}

impl PageDraft {
    /// Returns the part of `list` that the paging parameters in `self` select. Adds a violation to
    /// `report` for each invalid parameter; the returned window is valid only if none was added.
    pub fn check<K: CursorKey>(&self, list: ListId, report: &mut Report) -> Window<K> {
        self.check_up_to(limits::PAGE_SIZE, list, report)
    }

    /// Like [`PageDraft::check`], but for a list without page numbers: `page` is a violation.
    pub fn check_by_cursor<K: CursorKey>(&self, list: ListId, report: &mut Report) -> Window<K> {
        self.check_by_cursor_up_to(limits::PAGE_SIZE, list, report)
    }

    /// Like [`PageDraft::check_by_cursor`], but for at most `limit` entries on a page.
    pub fn check_by_cursor_up_to<K: CursorKey>(
        &self,
        limit: u32,
        list: ListId,
        report: &mut Report,
    ) -> Window<K> {
        let window = self.check_up_to(limit, list, report);
        if !self.page.is_absent() {
            let message = "this list has no page numbers; follow `nextCursor`";
            report.violation(&Path::Root.key("page"), IssueCode::OutOfRange, message);
        }
        Window {
            number: None,
            ..window
        }
    }

    fn check_up_to<K: CursorKey>(
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

    fn after<K: CursorKey>(&self, list: &ListId, report: &mut Report) -> Option<K> {
        let path = Path::Root.key("cursor");
        self.cursor.read(&path, report)?;
        let text = self.cursor.text()?;
        if !self.page.is_absent() {
            let message = "send either `page` or `cursor`, not both";
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
    /// Returns the page with `entries`. `last` is the key of the last entry if a page follows.
    pub fn page<T>(&self, entries: Vec<T>, last: Option<&K>) -> Page<T> {
        Page {
            entries,
            number: self.number,
            size: self.size,
            // A cursor comes from a previous page.
            has_previous: self.start != Start::Offset(0),
            next_cursor: last.map(|key| self.list.cursor(key)),
        }
    }
}

impl<K: CursorKey + Copy> Window<K> {
    /// Returns the key after which the page begins; `None` if no key was given.
    pub fn after(&self) -> Option<K> {
        match self.start {
            Start::Offset(_) => None,
            Start::After(key) => Some(key),
        }
    }

    /// Returns `size`, to compare with the length of a list.
    pub fn limit(&self) -> usize {
        usize::try_from(self.size).unwrap_or(usize::MAX)
    }

    /// Returns `size` plus 1: the additional entry shows whether a next page exists.
    pub fn count(&self) -> u32 {
        self.size.saturating_add(1)
    }

    /// Shortens `rows` to `size`. Returns the `key` of the last entry if a next page exists.
    pub fn cut<T>(&self, rows: &mut Vec<T>, key: impl Fn(&T) -> K) -> Option<K> {
        let has_more = rows.len() > self.limit();
        rows.truncate(self.limit());
        rows.last().filter(|_| has_more).map(key)
    }
}

/// Returns the search key of a request; `None` if it is blank. Adds a violation if it is invalid.
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

/// Adds a violation and returns `default` if the number is not 1 to `limit`.
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
