//! A search's time range and start, as bounds on the index of a store's newest orders.

use pressline_domain::order::search::{SearchQuery, Start};
use pressline_domain::time::Timestamp;

/// Stands behind every id, in the order of bytes.
const BEHIND_EVERY_ID: &str = "~";

/// The orders from `from` up to, and without, the position `before`; of these, newest first,
/// `limit` after `offset`.
///
/// Every search is put this way, so that one statement with four fixed bounds serves all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Created at or after, in milliseconds.
    pub from: i64,
    /// The position, as time and id, before which an order must be.
    pub before: (i64, String),
    /// How many of the newest to pass over.
    pub offset: i64,
    /// One more than the page holds. If so many are found, there is a next page.
    pub limit: i64,
    /// Up to how many bytes of orders are read whole.
    pub bytes: u64,
}

impl Window {
    /// The bounds of a search.
    #[must_use]
    pub fn of(query: &SearchQuery) -> Self {
        let latest = query.filter.to.map_or(i64::MAX, Timestamp::as_millis);
        let end = (latest, BEHIND_EVERY_ID.to_owned());
        let (before, offset) = match query.start {
            Start::Offset(offset) => (end, i64::try_from(offset).unwrap_or(i64::MAX)),
            Start::After(position) => (
                end.min((position.created_at.as_millis(), position.id.to_string())),
                0,
            ),
        };
        let from = query.filter.from.map_or(i64::MIN, Timestamp::as_millis);
        Self {
            from,
            before,
            offset,
            limit: i64::from(query.size) + 1,
            bytes: query.bytes,
        }
    }

    /// Orders on a full page.
    #[must_use]
    pub fn page_size(&self) -> usize {
        usize::try_from(self.limit.saturating_sub(1)).unwrap_or(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use pressline_domain::id::OrderId;
    use pressline_domain::order::search::{Position, SearchFilter};

    use super::*;

    fn window(to: Option<i64>, start: Start) -> Window {
        let filter = SearchFilter {
            to: to.map(Timestamp::from_millis),
            ..SearchFilter::default()
        };
        Window::of(&SearchQuery {
            filter,
            start,
            size: 20,
            bytes: 5,
        })
    }

    fn after(millis: i64) -> Start {
        let id: OrderId = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e".parse().unwrap();
        Start::After(Position {
            created_at: Timestamp::from_millis(millis),
            id,
        })
    }

    #[test]
    fn the_nearer_of_both_ends_counts() {
        let id = "0197f3c2-5b0e-7c3a-9d52-0f6f3b1c2d4e".to_owned();
        assert_eq!(
            window(Some(5), Start::Offset(7)).before,
            (5, "~".to_owned())
        );
        assert_eq!(window(Some(5), after(9)).before, (5, "~".to_owned()));
        assert_eq!(window(Some(5), after(5)).before, (5, id.clone()));
        assert_eq!(window(None, after(3)).before, (3, id));
        assert_eq!(window(None, after(3)).from, i64::MIN);
        assert_eq!(
            (
                window(None, Start::Offset(7)).offset,
                window(None, Start::Offset(7)).limit
            ),
            (7, 21)
        );
    }
}
