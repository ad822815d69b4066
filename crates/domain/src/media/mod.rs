//! Facts of print files, and the check of a file against its print area.
//!
//! [`FileFacts`] are what is true of the bytes of a file. They do not depend on an order, an area
//! or a store: whoever can read the file fills them in once. [`check`] compares them with a print
//! area: a pure function, without I/O and without a clock. So a program that has facts needs
//! nothing else of this crate, and shows a store what is wrong with its artwork.
//!
//! | function | for |
//! |---|---|
//! | [`check`] | a print file |
//! | [`check_label`] | the prepared label of a label order |
//! | [`not_fetched`] | a file that could not be fetched |
//!
//! [`ProblemCode`] lists everything that can be wrong.

mod code;
mod compare;
mod extent;
mod facts;
mod fit;
mod label;
mod problem;
mod unavailable;
mod unusable;

pub use code::{ProblemCode, ProblemSeverity};
pub use compare::check;
pub use facts::{
    Alpha, BoxSize, Depth, FileFacts, PdfFacts, PixelBounds, SvgFacts, UnreadableReason,
};
pub use label::check_label;
pub use problem::{FileCheck, FileProblem, Verdict};
pub use unavailable::{NotFetched, not_fetched};

pub use crate::value::{ColourModel, FileFormat, FileHash};
