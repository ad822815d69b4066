//! Word lists for the older orders of a store: for each word, the orders that have it. ADR 18 has
//! the reasons.
//!
//! The rest of the crate knows three entries. The statement of a search by words returns a
//! [`Continuation`] if the newer orders, which have no lists, do not fill the page. [`candidates`]
//! then finds the other orders of the page. [`ListBuilder`] starts the thread that builds the lists.

mod block;
mod build;
mod builder;
mod candidates;
mod continuation;
mod matches;
mod positions;
mod read;
mod segment;

pub(crate) use builder::{ListBuilder, ListConfig};
pub(crate) use candidates::{Candidates, candidates};
pub(crate) use continuation::{Continuation, ContinuationRow};

/// Statements, and the work of the thread, for tests that run them one by one.
#[cfg(any(test, feature = "test-support"))]
pub(crate) mod internals {
    pub(crate) use super::build::*;
    pub(crate) use super::positions::Positions;
    pub(crate) use super::read::*;
}
