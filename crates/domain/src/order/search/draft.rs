//! Search requests.

use crate::field::Field;
use crate::page::PageDraft;

/// A search request as it came in.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase"))]
pub struct SearchDraft {
    /// Earliest creation, milliseconds; 0 is open.
    pub from_time: Field<i64>,
    /// Latest creation, milliseconds; 0 is open.
    pub to_time: Field<i64>,
    /// Beginnings of words.
    pub search_key: Field<String>,
    /// Statuses, of which an item has one; empty for any.
    pub statuses: Field<Vec<Field<String>>>,
    /// Types of orders; empty for any.
    pub types: Field<Vec<Field<String>>>,
    /// Which page.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub paging: PageDraft,
}
