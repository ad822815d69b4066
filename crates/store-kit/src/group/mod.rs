//! Writes in groups: the writes that arrive while a transaction runs share the next one.
//!
//! There is a shard for each writer: a bounded queue, and a thread with a connection of its own. The
//! thread takes what waits in its queue, up to a limit and without waiting for more, writes it in
//! one transaction, and sends each caller its result after the commit. So groups form by themselves
//! under load, and a single write is not delayed.
//!
//! The writes of a store always join the same shard. Two groups of one process therefore never wait
//! for each other's rows, such as the counter of a store's order numbers.
//!
//! The stores of a shard take turns, so that a store with many or large orders delays the orders of
//! another store by its turn only. What the service does by itself has small groups now and then, so that
//! it delays requests little, however much of it there is.

mod background;
mod health;
mod job;
mod metrics;
mod queue;
mod shards;
mod writer;

pub use health::{ProbeResult, ProbeSize};
pub use job::{GroupConfig, GroupWriter, Weight};
pub use metrics::{Distribution, WriteQueue};
pub use shards::{WriteShards, shard_of};
