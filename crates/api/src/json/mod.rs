//! Request bodies as the interface spells them, read so that every problem can be reported at once.
//!
//! Each known key holds a [`Lenient`], which accepts a value of any type. Values are first taken as
//! the text they are written in, because a number that is too large for any type (`1e400`) would
//! otherwise end the reading.

mod lenient;
mod number;
mod object;

pub(crate) use lenient::Lenient;
pub(crate) use object::{Body, Object, Unknown, list, object};
