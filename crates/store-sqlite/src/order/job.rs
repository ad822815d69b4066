//! What is to be written of an order, made ready before the one thread that writes takes it up.

use pressline_domain::error::RepositoryError;
use pressline_domain::id::ServiceOrderId;
use pressline_domain::order::{Order, OrderChange, OrderWrite};
use pressline_store_kit::{ItemRow, NewRows, OrderRow, Weight, fitting_words};

use crate::words::Words;

/// What is written for one caller, as rows where they can be made before.
#[derive(Debug)]
pub(crate) enum Job {
    /// An order that must not exist yet.
    Create(Box<New>),
    /// An order that must exist with the expected version.
    Update(Box<Change>),
}

/// A new order.
#[derive(Debug)]
pub(crate) struct New {
    pub(super) rows: NewRows,
    pub(super) words: Words,
}

/// An order as it shall be.
#[derive(Debug)]
pub(crate) struct Change {
    pub(super) order: Order,
    pub(super) expected: u32,
    pub(super) row: OrderRow,
    pub(super) items: Vec<ItemRow>,
    pub(super) words: Words,
    pub(super) priced_with: Option<i64>,
}

impl Job {
    pub(crate) fn of(write: OrderWrite) -> Result<Self, RepositoryError> {
        Ok(match write.change {
            OrderChange::Create(new) => {
                let rows = NewRows::of(*new, write.priced_with)?;
                let words = Words::of(&rows.words);
                Self::Create(Box::new(New { rows, words }))
            }
            OrderChange::Update { order, expected } => {
                let (row, items) = (OrderRow::of(&order)?, ItemRow::of(&order)?);
                let words = Words::of(&fitting_words(order.parts())?);
                let priced_with = write.priced_with.map(|version| version.0);
                Self::Update(Box::new(Change {
                    order: *order,
                    expected,
                    row,
                    items,
                    words,
                    priced_with,
                }))
            }
        })
    }

    pub(crate) fn store_id(&self) -> &str {
        match self {
            Self::Create(new) => &new.rows.order.store_id,
            Self::Update(change) => &change.row.store_id,
        }
    }

    /// How much there is to write.
    pub(crate) fn weight(&self) -> Weight {
        match self {
            Self::Create(new) => Weight::of(&new.rows.order, &new.rows.items),
            Self::Update(change) => Weight::of(&change.row, &change.items),
        }
    }

    pub(super) fn priced_with(&self) -> Option<i64> {
        match self {
            Self::Create(new) => new.rows.priced_with,
            Self::Update(change) => change.priced_with,
        }
    }

    /// The order as it is stored, with its number, once it is.
    pub(super) fn stored(&mut self, number: ServiceOrderId) -> Result<Order, RepositoryError> {
        match self {
            Self::Create(new) => new.rows.numbered(number),
            Self::Update(change) => Ok(change.order.clone()),
        }
    }
}
