//! Search requests.

use crate::check::Field;
use crate::value::page::PageDraft;

/// A search request, as received.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, rename_all = "camelCase"))]
pub struct SearchDraft {
    /// Earliest creation time, in milliseconds since 1970; 0 or absent for no limit.
    pub from_time: Field<i64>,
    /// Latest creation time, in milliseconds since 1970; 0 or absent for no limit.
    pub to_time: Field<i64>,
    /// Beginnings of words that the order must have; absent or blank for any order.
    pub search_key: Field<String>,
    /// Item statuses: an item of the order must have one of them; empty for no restriction.
    pub statuses: Field<Vec<Field<String>>>,
    /// Types of orders, `manual` or `label`; empty for any.
    pub types: Field<Vec<Field<String>>>,
    /// Size of the page, and its number or cursor.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub paging: PageDraft,
}
