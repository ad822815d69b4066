//! Jobs that write orders, prepared before the thread of a write shard takes them.

use pressline_domain::error::RepositoryError;
use pressline_domain::order::OrderWrite;
use pressline_domain::value::StoreId;
use pressline_kit::words::WordSet;

use super::change::ChangeRows;
use super::new::NewRows;
use crate::{GroupJob, Weight};

/// Rows to write for one request, or for an action of the service itself.
#[derive(Debug)]
pub enum OrderJob {
    /// Rows of a new order.
    Create(Box<NewRows>),
    /// Rows of a change of an order.
    Change(Box<ChangeRows>),
}

impl OrderJob {
    /// Creates the rows of `write`. `join` converts search words for the database's word index.
    pub fn new(write: OrderWrite, join: fn(&WordSet) -> String) -> Result<Self, RepositoryError> {
        Ok(match write {
            OrderWrite::Create { order, priced_with } => {
                Self::Create(Box::new(NewRows::new(*order, priced_with, join)?))
            }
            OrderWrite::Change {
                change,
                priced_with,
            } => Self::Change(Box::new(ChangeRows::new(*change, priced_with, join)?)),
        })
    }

    /// Returns the id of the order's store, as text.
    pub fn store_id(&self) -> &str {
        match self {
            Self::Create(rows) => &rows.order.store_id,
            Self::Change(rows) => rows.store_id(),
        }
    }

    /// Returns the catalog version used for pricing; `None` if the write does not depend on it.
    pub fn priced_with(&self) -> Option<i64> {
        match self {
            Self::Create(rows) => rows.priced_with,
            Self::Change(rows) => rows.priced_with,
        }
    }

    /// Records that an earlier attempt may have been committed. Has no effect on a new order.
    pub fn doubt(&mut self) {
        match self {
            // The use case compares a duplicate with the stored order.
            Self::Create(_) => {}
            Self::Change(rows) => rows.in_doubt = true,
        }
    }
}

impl GroupJob for OrderJob {
    type Store = StoreId;

    fn store(&self) -> StoreId {
        match self {
            Self::Create(rows) => rows.store,
            Self::Change(rows) => rows.order.parts().store_id,
        }
    }

    fn weight(&self) -> Weight {
        match self {
            Self::Create(rows) => Weight::new(&rows.order, &rows.items),
            Self::Change(rows) => rows.weight(),
        }
    }

    fn is_background(&self) -> bool {
        matches!(self, Self::Change(rows) if rows.is_by_service())
    }
}
