//! Reads request bodies so that all problems can be reported at once.
//!
//! The value of each known key is a [`Lenient`], which accepts any type. Values are first read as
//! raw text, because a number that is too large for any type (`1e400`) would otherwise stop the
//! reader.

mod lenient;
mod number;
mod object;

pub(crate) use lenient::{Decimal, Lenient};
pub(crate) use object::{Body, Object, Unknown, list, object};
