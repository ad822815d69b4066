//! Time range and start of a search for orders, as bounds on order ids.

use pressline_domain::order::search::{SearchQuery, Start};
use pressline_domain::value::OrderId;

/// Orders to read for a page, newest first. Ids sort by creation time. Every search becomes a
/// window, so that one statement with fixed bounds serves all searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Lowest order id, inclusive.
    pub from: String,
    /// Upper bound of the order ids, exclusive.
    pub before: String,
    /// Number of newest orders to skip.
    pub offset: i64,
    /// Page size plus one. If `limit` orders are found, there is a next page.
    pub limit: i64,
    /// Maximum total bytes of the orders read completely; further orders become references.
    pub bytes: u64,
}

impl Window {
    /// Converts time range, start and size of `query` to bounds and limits.
    pub fn new(query: &SearchQuery) -> Self {
        let from = query.filter.from.map_or(OrderId::LOWEST, OrderId::first_of);
        let end = query
            .filter
            .to
            .map_or(OrderId::HIGHEST, OrderId::first_after);
        let (before, offset) = match query.start {
            Start::Offset(offset) => (end, i64::try_from(offset).unwrap_or(i64::MAX)),
            // Newest first: the next page ends just before the last order of this page.
            Start::After(id) => (end.min(id), 0),
        };
        Self {
            from: from.to_string(),
            before: before.to_string(),
            offset,
            limit: i64::from(query.size) + 1,
            bytes: query.bytes,
        }
    }

    /// Returns the number of orders on a full page: one less than `limit`.
    pub fn page_size(&self) -> usize {
        usize::try_from(self.limit.saturating_sub(1)).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use pressline_domain::order::search::SearchFilter;

    use pressline_domain::value::Timestamp;

    use super::*;

    const MOMENT: i64 = 1_717_818_552_905;

    fn window(from: Option<i64>, to: Option<i64>, start: Start) -> Window {
        let filter = SearchFilter {
            from: from.map(Timestamp::from_millis),
            to: to.map(Timestamp::from_millis),
            ..SearchFilter::default()
        };
        Window::new(&SearchQuery {
            filter,
            start,
            size: 20,
            bytes: 5,
        })
    }

    #[test]
    fn the_nearer_of_both_ends_counts() {
        let id = "018ff5f6-f249-7c3a-9d52-0f6f3b1c2d4e";
        let after = || Start::After(id.parse().unwrap());
        let before = |to, start| window(None, to, start).before;
        let end = "018ff5f6-f24a-0000-0000-000000000000";
        assert_eq!(before(Some(MOMENT), Start::Offset(7)), end);
        assert_eq!(before(Some(MOMENT), after()), id);
        assert_eq!(
            before(Some(MOMENT - 1), after()),
            "018ff5f6-f249-0000-0000-000000000000"
        );
        assert_eq!(before(None, after()), id);
    }

    #[test]
    fn an_open_range_has_all_orders() {
        let open = window(None, None, Start::Offset(7));
        assert_eq!(open.from, "00000000-0000-0000-0000-000000000000");
        assert_eq!(open.before, "ffffffff-ffff-ffff-ffff-ffffffffffff");
        assert_eq!((open.offset, open.limit), (7, 21));
        assert_eq!(
            window(Some(MOMENT), None, Start::Offset(0)).from,
            "018ff5f6-f249-0000-0000-000000000000"
        );
    }
}
