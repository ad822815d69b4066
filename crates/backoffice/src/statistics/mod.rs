//! Statistics of the orders placed within a range of days: number of orders and units, and fees,
//! grouped by store, SKU or day, or for each order of one store, as an invoice needs them.

mod count;
mod days;
mod draft;
mod port;
mod service;
mod tally;

pub use count::{Statistics, Sum};
pub use days::{Day, Days, InvalidDays};
pub use draft::StatisticsDraft;
pub use port::{PlacedItem, PlacedOrder, PlacedOrders, PlacedRange};
pub use service::{OrderStatistics, Permits, StatisticsService};
pub use tally::{Group, GroupBy, StatisticsRow};
