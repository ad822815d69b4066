//! Production: recording what is done about items, and batches of items.

mod batches;
mod figures;
mod floor;
mod late;
mod model;
mod records;
mod scans;
mod today;
mod waiting;
