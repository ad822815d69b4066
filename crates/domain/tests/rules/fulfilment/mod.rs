//! The life of an order on plain values: every row of the command table, and cases with more than
//! one item. Random lives are in the contract suite.

mod barcodes;
mod changes;
mod events;
mod fees;
mod fixture;
mod holds;
mod needs;
mod placing;
mod shipments;
mod table;
mod updates;
