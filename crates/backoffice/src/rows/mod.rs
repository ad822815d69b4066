//! Rows of imports and exports, independent of their content: cells, columns, findings and
//! references.

mod cell;
mod column;
mod finding;
mod layout;
mod precision;
mod record;
mod references;
mod row;
mod spreadsheet;
mod values;

pub use cell::Cell;
pub use column::{CellContent, Column};
pub use finding::{Finding, Findings, MAX_FINDINGS};
pub use layout::{Content, LIST_SEPARATOR, Layout, Nested, Value};
pub use precision::doubt_cut_numbers;
pub use record::{FileRows, Record, Rows, Sheet, SheetRow};
pub(crate) use references::store_name;
pub use references::{FormerReferences, References, find_store, unknown_store};
pub use row::{ColumnName, Row};
pub(crate) use spreadsheet::whole_number;
pub use spreadsheet::{Damage, damage, is_formula, marked, unmarked};
