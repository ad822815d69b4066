//! Pages of lists that have cursors, but no page numbers.

use pressline_domain::check::limits;
use pressline_domain::check::report::Report;
use pressline_domain::value::page::{CursorKey, ListId, Page, PageDraft, Start, Window};

/// Requested page size, and the key of the last entry before the page.
pub(crate) struct CursorWindow<K>(Window<K>);

impl<K: CursorKey + Copy + PartialEq> CursorWindow<K> {
    /// Reports a page number in `paging` as a violation. With any violation, the window is not
    /// valid.
    pub(crate) fn new(paging: &PageDraft, list: ListId, report: &mut Report) -> Self {
        Self::up_to(limits::PAGE_SIZE, paging, list, report)
    }

    pub(crate) fn up_to(limit: u32, paging: &PageDraft, list: ListId, report: &mut Report) -> Self {
        let window = paging.check_up_to(limit, list, report);
        paging.by_cursor_only(report);
        Self(window)
    }

    pub(crate) fn after(&self) -> Option<K> {
        match self.0.start {
            Start::Offset(_) => None,
            Start::After(key) => Some(key),
        }
    }

    pub(crate) fn size(&self) -> usize {
        usize::try_from(self.0.size).unwrap_or(usize::MAX)
    }

    /// Returns the number of entries to read: the page size plus 1. The additional entry shows
    /// whether a next page exists.
    pub(crate) fn count(&self) -> u32 {
        self.0.size.saturating_add(1)
    }

    /// Shortens `found`, the entries read by [`count`](Self::count), to the page size. Returns the
    /// `key` of the last remaining entry if a next page exists, else `None`.
    pub(crate) fn cut<T>(&self, found: &mut Vec<T>, key: impl Fn(&T) -> K) -> Option<K> {
        let has_more = found.len() > self.size();
        found.truncate(self.size());
        found.last().filter(|_| has_more).map(key)
    }

    /// Returns `entries` as a page. `last` is the key of the last entry, or `None` if no page
    /// follows.
    pub(crate) fn page<T>(&self, entries: Vec<T>, last: Option<K>) -> Page<T> {
        Page {
            number: None,
            ..self.0.page(entries, last.as_ref())
        }
    }
}
