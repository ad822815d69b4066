//! The one statement that reads a page of products, and counts all that match.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Nullable, Text};
use pressline_domain::catalog::{FoundProducts, ProductQuery, ProductStart};
use pressline_domain::id::StoreId;
use pressline_store_kit::schema::products;
use pressline_store_kit::{VariantRow, found_products};

use super::{Price, PriceSql, priced, push_prices};
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
    /// One more than the page holds, which tells whether there is a next one.
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

impl QueryFragment<Pg> for SelectProducts {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "WITH matching AS MATERIALIZED (SELECT DISTINCT COALESCE(product_id, sku) AS id FROM products \
             WHERE NOT retired",
        );
        if let Some(tsquery) = &self.tsquery {
            out.push_sql(" AND words @@ ");
            out.push_bind_param::<Text, _>(tsquery)?;
            out.push_sql("::tsquery");
        }
        out.push_sql("), page AS (SELECT id FROM matching WHERE COALESCE(id > ");
        out.push_bind_param::<Nullable<Text>, _>(&self.after)?;
        out.push_sql(", TRUE) ORDER BY id OFFSET ");
        out.push_bind_param::<BigInt, _>(&self.offset)?;
        out.push_sql(" LIMIT ");
        out.push_bind_param::<BigInt, _>(&self.limit)?;
        // Product by product, whatever the planner guesses: otherwise it may read all of them for
        // the few of a page.
        out.push_sql("), products AS (SELECT page.id, own.* FROM page CROSS JOIN LATERAL (SELECT ");
        products::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(
            " FROM products WHERE COALESCE(product_id, sku) = page.id AND NOT retired OFFSET 0) AS own) \
             SELECT total.count, ",
        );
        products::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(", ");
        push_prices(&mut out, &self.store_id)?;
        out.push_sql(
            " FROM (SELECT count(*) AS count FROM matching) AS total LEFT JOIN products ON TRUE \
             ORDER BY products.id, products.sku",
        );
        Ok(())
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
