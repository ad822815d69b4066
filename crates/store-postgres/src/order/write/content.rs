//! The content of changed orders, as parameters of the statement that changes orders.

use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Text};
use pressline_store_kit::{ChangeRows, ContentRows, unknown_parameter};

use crate::columns::{ItemColumns, OrderColumns};

pub(super) struct ContentColumns<'a> {
    orders: OrderColumns<'a>,
    words: Vec<&'a str>,
    item_counts: Vec<i64>,
    /// For each order, the position of its change in the statement, from 1.
    places: Vec<i64>,
    items: ItemColumns<'a>,
    /// For each item, the position of its order's change in the statement, from 1.
    item_refs: Vec<i64>,
}

impl<'a> ContentColumns<'a> {
    /// Returns `None` if no change has content. Each change comes with its position, from 1.
    pub(super) fn new(changes: impl Iterator<Item = (i64, &'a ChangeRows)>) -> Option<Self> {
        let content: Vec<(i64, &'a ContentRows)> = changes
            .filter_map(|(place, rows)| Some((place, rows.content.as_deref()?)))
            .collect();
        if content.is_empty() {
            return None;
        }
        let item_count = |rows: &ContentRows| i64::try_from(rows.items.len()).unwrap_or(i64::MAX);
        let rows = || content.iter().map(|(_, rows)| *rows);
        let item_refs = content
            .iter()
            .flat_map(|(place, rows)| rows.items.iter().map(move |_| *place));
        Some(Self {
            orders: OrderColumns::of(rows().map(|rows| &rows.order)),
            words: rows().map(|rows| rows.words.as_str()).collect(),
            item_counts: rows().map(item_count).collect(),
            places: content.iter().map(|(place, _)| *place).collect(),
            items: ItemColumns::of(rows().flat_map(|rows| &rows.items)),
            item_refs: item_refs.collect(),
        })
    }

    pub(super) fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "orders" => self.orders.push(out),
            "words" => out.push_bind_param::<Array<Text>, _>(&self.words),
            "item_counts" => out.push_bind_param::<Array<BigInt>, _>(&self.item_counts),
            "content_places" => out.push_bind_param::<Array<BigInt>, _>(&self.places),
            "items" => self.items.push(out),
            "item_places" => out.push_bind_param::<Array<BigInt>, _>(&self.item_refs),
            _ => Err(unknown_parameter(name)),
        }
    }
}
