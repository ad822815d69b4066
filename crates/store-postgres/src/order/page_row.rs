//! Rows of pages of orders, and the searches that read them.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, Text};
use pressline_store_kit::schema::{order_states, orders};
use pressline_store_kit::{OrderRow, StateRow, Window};

use super::find::{Documents, DocumentsSql};
use super::segment::{Newer, Segment, SegmentSql};

/// Row of a page: an order, or a segment in which the search continues. The only row of an empty
/// page has neither.
#[derive(Queryable)]
pub(crate) struct PageRow {
    /// Result of the search among orders without word lists; `None` if the search ends there.
    pub(super) newer: Option<Newer>,
    pub(super) segment: Option<Segment>,
    pub(crate) id: Option<String>,
    pub(super) size: Option<i32>,
    /// The order; `None` if the page has only a reference to it. `state` is the order's state.
    pub(super) order: Option<OrderRow>,
    pub(super) state: Option<StateRow>,
    pub(super) documents: Documents,
}

pub(super) type PageSql = (
    Nullable<NewerSql>,
    Nullable<SegmentSql>,
    Nullable<Text>,
    Nullable<Integer>,
    Nullable<orders::SqlType>,
    Nullable<order_states::SqlType>,
    DocumentsSql,
);

type NewerSql = (Array<Text>, BigInt, Text, Array<Integer>);

pub(super) const PAGE: &str = include_str!("sql/page.sql");

/// SQL part `continued` for searches that do not continue in word lists.
pub(super) const NOT_CONTINUED: (&str, &str) = ("continued", include_str!("sql/not_continued.sql"));

pub(crate) struct Search<'a> {
    pub(crate) store_id: &'a str,
    pub(crate) window: &'a Window,
    /// Number of orders that a search by status and words reads first.
    pub(crate) portion: i64,
    pub(crate) distributed: bool,
}

/// Returns `rows` without the row that stands for an empty page.
pub(super) fn page(mut rows: Vec<PageRow>) -> Vec<PageRow> {
    rows.retain(|row| row.id.is_some());
    rows
}

impl Search<'_> {
    pub(super) fn bytes(&self) -> i64 {
        bytes(self.window)
    }
}

pub(super) fn bytes(window: &Window) -> i64 {
    i64::try_from(window.bytes).unwrap_or(i64::MAX)
}
