//! Facts of print files, and the check of a file against its print area.
//!
//! [`FileFacts`] describe a file. They do not depend on an order, an area or a store: who can read
//! the file fills them in once.

mod facts;

pub use facts::{
    Alpha, BoxSize, Depth, FileFacts, PdfFacts, PixelBounds, SvgFacts, UnreadableReason,
};

pub use crate::value::{ColourModel, FileFormat, FileHash};
