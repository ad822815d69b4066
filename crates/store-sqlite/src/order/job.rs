//! What is to be written of an order, made ready before the one thread that writes takes it up.

use pressline_domain::error::RepositoryError;
use pressline_domain::id::{ServiceOrderId, StoreId};
use pressline_domain::order::{Order, OrderWrite};
use pressline_store_kit::{ItemRow, NewRows, OrderRow, Weight, fitting_words};

use crate::words;

/// What is written for one caller, as rows where they can be made before.
#[derive(Debug)]
pub(crate) enum Job {
    /// An order that must not exist yet.
    Create(Box<NewRows>),
    /// An order that must exist with the expected version.
    Update(Box<Change>),
}

/// An order as it shall be.
#[derive(Debug)]
pub(crate) struct Change {
    pub(super) order: Order,
    pub(super) expected: u32,
    pub(super) row: OrderRow,
    pub(super) items: Vec<ItemRow>,
    /// The search words, but for those of the number.
    pub(super) words: String,
    pub(super) priced_with: Option<i64>,
}

impl Job {
    pub(crate) fn of(write: OrderWrite) -> Result<Self, RepositoryError> {
        match write {
            OrderWrite::Create { order, priced_with } => {
                let rows = NewRows::of(order, priced_with, words::joined)?;
                Ok(Self::Create(Box::new(rows)))
            }
            OrderWrite::Update {
                order,
                expected,
                priced_with,
            } => Ok(Self::Update(Box::new(Change {
                row: OrderRow::of(&order)?,
                items: ItemRow::of(&order)?,
                words: words::joined(&fitting_words(order.parts())?),
                priced_with: priced_with.map(|version| version.0),
                order,
                expected,
            }))),
        }
    }

    pub(crate) fn store(&self) -> StoreId {
        match self {
            Self::Create(rows) => rows.store,
            Self::Update(change) => change.order.parts().store_id,
        }
    }

    /// How much there is to write.
    pub(crate) fn weight(&self) -> Weight {
        match self {
            Self::Create(rows) => Weight::of(&rows.order, &rows.items),
            Self::Update(change) => Weight::of(&change.row, &change.items),
        }
    }

    pub(super) fn priced_with(&self) -> Option<i64> {
        match self {
            Self::Create(rows) => rows.priced_with,
            Self::Update(change) => change.priced_with,
        }
    }

    /// The order as it is stored, with its number, once it is.
    pub(super) fn stored(&mut self, number: ServiceOrderId) -> Result<Order, RepositoryError> {
        match self {
            Self::Create(rows) => rows.numbered(number),
            Self::Update(change) => Ok(change.order.clone()),
        }
    }
}
