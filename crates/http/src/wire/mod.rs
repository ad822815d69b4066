//! The wire: request bodies as the interface spells them, read so that every problem can be
//! reported at once.
//!
//! Each known key holds a [`Slot`], which takes in whatever stands there. Values are first taken as
//! the text they are written in, because a number that is too large for any type (`1e400`) would
//! otherwise end the reading.

mod address;
mod item;
mod number;
mod object;
mod slot;

pub(crate) use address::{AddressBody, CustomerBody};
pub(crate) use item::{LineItemBody, LineItemChangeBody};
pub(crate) use object::{Body, Object, Unknown, list, object};
pub(crate) use slot::Slot;
