//! Changes that spreadsheets make to the cells of a file, and marks of cells that are text.
//!
//! Excel, LibreOffice Calc, Google Sheets and Numbers convert what looks like a number, a date or a
//! formula as soon as they open a CSV file, and write the converted cells when they save it. The
//! imports refuse such a cell in a column of identifiers ([`damage`]), because it names another
//! thing, or the same as a different cell. A cell that is marked as text ([`unmarked`]) is taken as
//! it is; exports mark cells that a spreadsheet would convert ([`marked`]).

// Modules import only modules of the groups above them.
mod dates;
mod error_values;
mod numbers;

mod damage;

mod marks;

pub use damage::{Damage, damage};
pub use marks::{is_formula, marked, unmarked};
pub(crate) use numbers::{digits_beyond_precision, whole_number};
