//! Writes in groups: the writes that arrive while a transaction runs share the next one.
//!
//! There is a lane for each writer: a bounded queue, and a thread with a connection of its own. The
//! thread takes what waits in its queue, up to a limit and without waiting for more, writes it in
//! one transaction, and sends each caller its result after the commit. So groups form by themselves
//! under load, and a single write is not delayed.
//!
//! The writes of a store always join the same lane. Two groups of one process therefore never wait
//! for each other's rows, such as the counter of a store's order numbers.
//!
//! The stores of a lane take turns, so that a store with many or large orders delays the orders of
//! another store by its turn only. What the service does by itself has small groups now and then, so that
//! it delays requests little, however much of it there is.

mod background;
mod health;
mod job;
mod lanes;
mod metrics;
mod queue;
mod writer;

pub use health::{ProbeSize, Probed};
pub use job::{GroupConfig, GroupWriter, Weight};
pub use lanes::{Lanes, lane_of};
pub use metrics::{Distribution, WriteQueue};
