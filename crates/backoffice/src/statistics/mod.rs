//! Figures of the orders that were placed on some days: their numbers and fees, by store, SKU or day, or of each order of a
//! store, as its invoice needs them.

mod count;
mod days;
mod draft;
mod group;
mod placed;
mod port;
mod service;
mod sum;
mod tally;

pub use count::Statistics;
pub use days::{Day, Days, InvalidDays};
pub use draft::StatisticsDraft;
pub use group::{Group, GroupBy};
pub use placed::{PlacedItem, PlacedOrder};
pub use port::{PlacedOrders, PlacedRange};
pub use service::{OrderStatistics, StatisticsPorts, StatisticsService};
pub use sum::Sum;
pub use tally::StatisticsRow;
