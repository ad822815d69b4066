//! Group commit: writes that arrive during a transaction share the next transaction.
//!
//! Each writer has a write shard: a bounded queue, and a thread with its own connection. The thread
//! takes the waiting writes up to a limit, without waiting for more, writes them in one
//! transaction, and sends each caller its result after the commit. Groups thus form by themselves
//! under load, and a single write is not delayed.
//!
//! All writes of a store join the same shard. Two groups of one process therefore never wait for
//! each other's rows, for example for the row of a store's order number counter.
//!
//! The stores of a shard are served round-robin, so that a store with many or large orders delays
//! other stores only by its slot. Background writes of the service get small groups now and then,
//! so that they delay requests little, however many they are.

mod background;
mod health;
mod job;
mod metrics;
mod queue;
mod shards;
mod writer;

pub use health::{ProbeResult, ProbeSize};
pub use job::{GroupConfig, GroupJob, GroupWriter, Weight, WriteLimits};
pub use metrics::WriteQueue;
pub use shards::{WriteShards, shard_of};
