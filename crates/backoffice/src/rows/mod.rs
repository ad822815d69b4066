//! Rows of imports and exports, independent of their content: cells, columns, findings and
//! references.

mod finding;
mod layout;
mod record;
mod references;
mod row;

pub use finding::{Finding, Findings, SHOWN};
pub use layout::{Content, LIST_SEPARATOR, Layout, Nested, Value};
pub use record::{FileRows, Record, Rows, Sheet, SheetRow};
pub(crate) use references::store_name;
pub use references::{FormerReferences, References, find_store, unknown_store};
pub use row::{Cell, ColumnName, Row};
