//! Values that responses show as strings, serialized without an intermediate string.

use std::fmt::{self, Display};

use serde::{Serialize, Serializer};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<T>(pub(crate) T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A width or height in pixels, as digits; `None` is shown as an empty string.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pixels(pub(crate) Option<u32>);

impl Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |pixels| pixels.fmt(f))
    }
}
