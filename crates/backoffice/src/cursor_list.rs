//! Pages of lists that have cursors, but no page numbers.

use pressline_domain::check::limits;
use pressline_domain::check::report::Report;
use pressline_domain::value::page::{CursorKey, ListId, Page, PageDraft, Start, Window};

/// Part of a list that a request asks for. `K` is the sort key of the list.
pub(crate) struct CursorWindow<K>(Window<K>);

impl<K: CursorKey + Copy + PartialEq> CursorWindow<K> {
    /// Checks `paging` for `list`. The window is valid only if no violation was added to `report`.
    pub(crate) fn new(paging: &PageDraft, list: ListId, report: &mut Report) -> Self {
        Self::up_to(limits::PAGE_SIZE, paging, list, report)
    }

    /// Same as [`new`](Self::new), for pages of up to `limit` entries.
    pub(crate) fn up_to(limit: u32, paging: &PageDraft, list: ListId, report: &mut Report) -> Self {
        let window = paging.check_up_to(limit, list, report);
        paging.by_cursor_only(report);
        Self(window)
    }

    /// Returns the key of the entry before the page; `None` for the first page.
    pub(crate) fn after(&self) -> Option<K> {
        match self.0.start {
            Start::Offset(_) => None,
            Start::After(key) => Some(key),
        }
    }

    /// Returns the maximum number of entries on the page.
    pub(crate) fn size(&self) -> usize {
        usize::try_from(self.0.size).unwrap_or(usize::MAX)
    }

    /// Returns the number of entries to read: an entry more than the page size shows whether a next
    /// page exists.
    pub(crate) fn count(&self) -> u32 {
        self.0.size.saturating_add(1)
    }

    /// Removes entries beyond the page from `found`, which has up to [`count`](Self::count) entries.
    /// Returns the key of the last entry if a next page exists.
    pub(crate) fn cut<T>(&self, found: &mut Vec<T>, key: impl Fn(&T) -> K) -> Option<K> {
        let has_more = found.len() > self.size();
        found.truncate(self.size());
        found.last().filter(|_| has_more).map(key)
    }

    /// Makes a page of `entries`. The next page begins after `last`; `None` on the last page.
    pub(crate) fn page<T>(&self, entries: Vec<T>, last: Option<K>) -> Page<T> {
        Page {
            number: None,
            ..self.0.page(entries, last.as_ref())
        }
    }
}
