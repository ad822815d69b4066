//! Writes of orders, prepared before the single writing thread takes them.

use pressline_domain::error::RepositoryError;
use pressline_domain::order::OrderWrite;
use pressline_domain::value::id::StoreId;
use pressline_store_kit::{ChangeRows, NewRows, Weight};

use crate::words;

/// Rows to write for a caller, as far as they can be prepared.
#[derive(Debug)]
pub(crate) enum Job {
    Create(Box<NewRows>),
    /// A change of an order with an expected version.
    Change(Box<ChangeRows>),
}

impl Job {
    pub(crate) fn new(write: OrderWrite) -> Result<Self, RepositoryError> {
        match write {
            OrderWrite::Create { order, priced_with } => {
                let rows = NewRows::new(*order, priced_with, words::joined)?;
                Ok(Self::Create(Box::new(rows)))
            }
            OrderWrite::Change {
                change,
                priced_with,
            } => {
                let rows = ChangeRows::new(*change, priced_with, words::joined)?;
                Ok(Self::Change(Box::new(rows)))
            }
        }
    }

    pub(crate) fn store(&self) -> StoreId {
        match self {
            Self::Create(rows) => rows.store,
            Self::Change(rows) => rows.order.parts().store_id,
        }
    }

    pub(super) fn store_id(&self) -> &str {
        match self {
            Self::Create(rows) => &rows.order.store_id,
            Self::Change(rows) => &rows.state.store_id,
        }
    }

    pub(crate) fn weight(&self) -> Weight {
        match self {
            Self::Create(rows) => Weight::new(&rows.order, &rows.items),
            Self::Change(rows) => rows.weight(),
        }
    }

    pub(crate) fn is_background(&self) -> bool {
        matches!(self, Self::Change(rows) if rows.is_by_service())
    }

    pub(super) fn priced_with(&self) -> Option<i64> {
        match self {
            Self::Create(rows) => rows.priced_with,
            Self::Change(rows) => rows.priced_with,
        }
    }
}
