//! Rows of pages of orders, and the searches that read them.

use pressline_store_kit::{OrderRow, Row, StateRow, Window};

use super::find::Documents;
use crate::arrays::Values;
use crate::citus::Nodes;

/// Order of a page. The only row of an empty page of matches has no order.
#[derive(Row)]
#[row(read)]
pub(crate) struct PageRow {
    pub(crate) id: Option<String>,
    pub(super) size: Option<i32>,
    /// The order; `None` if the page has only a reference to it. `state` is the order's state.
    pub(super) order: Option<OrderRow>,
    pub(super) state: Option<StateRow>,
    pub(super) documents: Documents,
}

pub(crate) struct Search<'a> {
    pub(crate) store_id: &'a str,
    pub(crate) window: &'a Window,
    /// Number of orders that a search by status and words reads first.
    pub(crate) portion: i64,
    pub(crate) nodes: Nodes,
}

/// Returns the parameters that all pages have.
pub(super) fn page_values<'a>(store_id: &'a str, window: &'a Window) -> Values<'a> {
    vec![
        ("store_id", store_id.into()),
        ("from_id", (&window.from).into()),
        ("before_id", (&window.before).into()),
        ("offset", window.offset.into()),
        ("limit", window.limit.into()),
        ("bytes", window.bytes.into()),
    ]
}
