//! The one statement that reads a page of products, and counts all that match.

use std::sync::LazyLock;

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use pressline_domain::catalog::{FoundProducts, ProductQuery, ProductStart};
use pressline_domain::id::StoreId;
use pressline_store_kit::schema::products;
use pressline_store_kit::{Parameters, SqlText, VariantRow, found_products, unknown_parameter};

use super::priced;
use crate::columns::{Price, PriceSql};
use crate::error::Failure;
use crate::words;

/// Reads the variants of a page of products, and of one more, in their order.
pub(crate) struct SelectProducts {
    store_id: String,
    /// The key as a tsquery.
    tsquery: Option<String>,
    /// The id of the product before the page.
    after: Option<String>,
    offset: i64,
    /// One more than the page holds. If so many are found, there is a next page.
    limit: i64,
}

/// The number of matches, a variant, where the page has any, and its prices.
type Row = (i64, Option<VariantRow>, Vec<Price>);

impl SelectProducts {
    pub(crate) fn of(store: StoreId, query: &ProductQuery) -> Self {
        let (after, offset) = match &query.start {
            ProductStart::Offset(offset) => (None, i64::try_from(*offset).unwrap_or(i64::MAX)),
            ProductStart::After(id) => (Some(id.clone()), 0),
        };
        // The words of products are every store's, and have no prefix.
        let without_store = |tsquery: String| tsquery.replace(&format!("{}:", words::MARK), "");
        Self {
            store_id: store.to_string(),
            tsquery: query.key.as_ref().map(words::tsquery).map(without_store),
            after,
            offset,
            limit: i64::from(query.size) + 1,
        }
    }

    /// Runs the statement for a page of this size.
    pub(crate) fn found(
        &self,
        connection: &mut PgConnection,
        size: u32,
    ) -> Result<FoundProducts, Failure> {
        let rows: Vec<Row> = self.load(connection)?;
        let count = rows.first().map_or(0, |(count, ..)| *count);
        let variants = rows
            .into_iter()
            .filter_map(|(_, variant, prices)| Some(priced(variant?, prices)))
            .collect();
        Ok(found_products(variants, size, count)?)
    }
}

impl Parameters<Pg> for SelectProducts {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "store_id" => out.push_bind_param::<Text, _>(&self.store_id),
            "tsquery" => out.push_bind_param::<Nullable<Text>, _>(&self.tsquery),
            "after" => out.push_bind_param::<Nullable<Text>, _>(&self.after),
            "offset" => out.push_bind_param::<BigInt, _>(&self.offset),
            "limit" => out.push_bind_param::<BigInt, _>(&self.limit),
            _ => Err(unknown_parameter(name)),
        }
    }
}

/// The text, with this condition on the words of products.
fn text(having_words: &str) -> SqlText {
    let parts = [("having_words", having_words)];
    SqlText::new(include_str!("sql/products.sql"), &parts)
}

static ALL: LazyLock<SqlText> = LazyLock::new(|| text(""));
static MATCHING: LazyLock<SqlText> = LazyLock::new(|| text("AND words @@ :tsquery::tsquery"));

impl QueryFragment<Pg> for SelectProducts {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let text = if self.tsquery.is_some() {
            &MATCHING
        } else {
            &ALL
        };
        text.write(self, &mut out)
    }
}

/// There are two texts in all, so that each connection prepares each of them once.
impl QueryId for SelectProducts {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for SelectProducts {
    type SqlType = (BigInt, Nullable<products::SqlType>, Array<PriceSql>);
}

impl RunQueryDsl<PgConnection> for &SelectProducts {}
