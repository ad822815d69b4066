//! The port that reads what the overview shows.

use async_trait::async_trait;

use super::open::OpenOrder;
use crate::queue::{OrderRef, StoreFilter};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::OrderId;
use pressline_domain::time::Timestamp;

/// Length of an hour in milliseconds.
const HOUR: i64 = 3_600_000;

/// Consecutive hours, the last of which ends now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    end: Timestamp,
}

/// What happened in an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HourCounts {
    /// When the hour began.
    pub from: Timestamp,
    /// Orders that were created.
    pub orders: u64,
    /// Units of shipments that were recorded and are not void.
    pub units: u64,
}

impl Hours {
    /// How many hours there are.
    pub const COUNT: usize = 24;

    /// Returns the hours until this moment, which they do not include.
    pub fn until(end: Timestamp) -> Self {
        Self { end }
    }

    /// Returns when each of the hours begins, the first one first, and when the last one ends.
    pub fn bounds(self) -> [Timestamp; Self::COUNT + 1] {
        let mut bounds = [self.end; Self::COUNT + 1];
        for (bound, hours) in bounds.iter_mut().rev().zip(0i64..) {
            *bound = self.end.plus_millis(-hours * HOUR);
        }
        bounds
    }

    /// Returns the bounds as ids: those of orders that were created in an hour are at least the id where it begins, and
    /// below the id where it ends. It is the same with all ids that contain their moment.
    pub fn id_bounds(self) -> [OrderId; Self::COUNT + 1] {
        self.bounds().map(OrderId::first_of)
    }

    /// Returns the hours without anything in them.
    pub fn empty(self) -> Vec<HourCounts> {
        let begins = self.bounds().into_iter().take(Self::COUNT);
        let counts = begins.map(|from| HourCounts {
            from,
            orders: 0,
            units: 0,
        });
        counts.collect()
    }

    /// Returns the position of the hour with an id that contains its moment; `None` for an id of another time.
    pub fn position(self, id: OrderId) -> Option<usize> {
        let bounds = self.id_bounds();
        let begun = bounds.iter().filter(|bound| **bound <= id).count();
        begun.checked_sub(1).filter(|hour| *hour < Self::COUNT)
    }
}

/// Reads what the overview of several stores shows. No request of a store calls it.
#[async_trait]
pub trait Overview: Send + Sync {
    /// Returns what the overview reads of these orders, in ascending order of their ids.
    ///
    /// They MUST be as they are stored, with the progress of their items and the open batches that these are in
    /// (`open_orders_are_read_as_they_are_stored`); orders that their stores do not have MUST be passed over
    /// (`open_orders_are_read_of_their_stores_only`).
    async fn orders(&self, places: &[OrderRef]) -> Result<Vec<OpenOrder>, RepositoryError>;

    /// Counts what happened in each hour, by the moments that ids contain.
    ///
    /// All orders of the stores and all units of shipments that are not void MUST be counted in their hours, and no others
    /// (`what_happened_is_counted_by_hour`).
    async fn hours(
        &self,
        stores: &StoreFilter,
        hours: Hours,
    ) -> Result<Vec<HourCounts>, RepositoryError>;
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
