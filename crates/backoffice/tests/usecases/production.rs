//! Production: recording work on items, and batches of items.

mod batches;
mod floor;
mod late;
mod model;
mod records;
mod scans;
mod statistics;
mod today;
mod waiting;
