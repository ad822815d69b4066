//! Request bodies of operations on orders.

mod address;
mod command;
mod item;
mod order;

pub(crate) use address::{AddressBody, CustomerBody};
pub(crate) use command::{AnswerBody, CommandBody, HoldBody, ItemNameBody, ItemsCommandBody};
pub(crate) use item::{LineItemBody, LineItemChangeBody};
pub(crate) use order::{CREATE, CREATE_LABEL, ESTIMATE, LABEL, OrderRequest, UpdateOrder};
