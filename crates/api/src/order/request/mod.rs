//! What the bodies of requests about orders are made of.

mod address;
mod item;

pub(crate) use address::{AddressBody, CustomerBody};
pub(crate) use item::{LineItemBody, LineItemChangeBody};
