//! Port that reads the data of the overview.

use async_trait::async_trait;

use super::open::OpenOrder;
use crate::queue::{OrderRef, StoreFilter};
use pressline_domain::error::Result;
use pressline_domain::value::{OrderId, Timestamp};

const HOUR: i64 = 3_600_000;

/// Last [`Hours::COUNT`] hours before a time, without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    end: Timestamp,
}

/// Number of created orders and of shipped units in an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HourCounts {
    /// Start of the hour.
    pub from: Timestamp,
    /// Number of orders created in the hour.
    pub orders: u64,
    /// Number of units in shipments created in the hour. Void shipments do not count.
    pub units: u64,
}

impl Hours {
    /// Number of hours in the overview.
    pub const COUNT: usize = 24;

    /// Returns the [`Hours::COUNT`] hours before the time `end`, which is exclusive.
    pub fn until(end: Timestamp) -> Self {
        Self { end }
    }

    /// Returns the start of each hour in ascending order, followed by the `end` of the last hour.
    pub fn bounds(self) -> [Timestamp; Self::COUNT + 1] {
        let mut bounds = [self.end; Self::COUNT + 1];
        for (bound, hours) in bounds.iter_mut().rev().zip(0i64..) {
            *bound = self.end.plus_millis(-hours * HOUR);
        }
        bounds
    }

    /// Returns [`bounds`](Self::bounds) as order ids: an order created in an hour has an id from
    /// its bound, inclusive, to the next bound, exclusive. True for all ids with a creation time.
    pub fn id_bounds(self) -> [OrderId; Self::COUNT + 1] {
        self.bounds().map(OrderId::first_of)
    }

    /// Returns the counts of all hours, with `orders` and `units` set to 0.
    pub fn empty(self) -> Vec<HourCounts> {
        let begins = self.bounds().into_iter().take(Self::COUNT);
        let counts = begins.map(|from| HourCounts {
            from,
            orders: 0,
            units: 0,
        });
        counts.collect()
    }

    /// Returns the index of the hour in which the order `id` was created; `None` outside the hours.
    pub fn position(self, id: OrderId) -> Option<usize> {
        let bounds = self.id_bounds();
        let begun = bounds.iter().filter(|bound| **bound <= id).count();
        begun.checked_sub(1).filter(|hour| *hour < Self::COUNT)
    }
}

/// Reads the data of the overview across stores. Requests of stores never call it.
#[async_trait]
pub trait Overview: Send + Sync {
    /// Returns the orders that `places` refers to, in ascending order of their ids.
    ///
    /// They MUST be as they are stored, with the progress and the open batches of their items
    /// (`open_orders_are_read_as_they_are_stored`). An order that does not exist in its store MUST
    /// be skipped (`open_orders_are_read_of_their_stores_only`).
    async fn orders(&self, places: &[OrderRef]) -> Result<Vec<OpenOrder>>;

    /// Returns the number of created orders and of shipped units in each of `hours`. The creation
    /// times in the ids of orders and shipments decide the hour.
    ///
    /// The counts MUST include all orders of `stores`, and all units of their shipments that are
    /// not void, and nothing else (`what_happened_is_counted_by_hour`).
    async fn hours(&self, stores: &StoreFilter, hours: Hours) -> Result<Vec<HourCounts>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_begins_where_the_one_before_ends() {
        let end = Timestamp::from_millis(1_717_818_552_905);
        let hours = Hours::until(end);
        let bounds = hours.bounds();
        assert_eq!(bounds.last(), Some(&end));
        assert_eq!(bounds[0], end.plus_millis(-24 * HOUR));
        assert!(
            bounds
                .windows(2)
                .all(|pair| pair[1] == pair[0].plus_millis(HOUR))
        );
        assert_eq!(hours.empty().len(), 24);
        let position = |millis: i64| hours.position(OrderId::first_of(end.plus_millis(millis)));
        assert_eq!(position(0), None);
        assert_eq!(position(-1), Some(23));
        assert_eq!(position(-HOUR), Some(23));
        assert_eq!(position(-HOUR - 1), Some(22));
        assert_eq!(position(-24 * HOUR), Some(0));
        assert_eq!(position(-24 * HOUR - 1), None);
    }
}
