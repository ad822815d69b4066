//! The one statement that reads orders: whole, each with its items in an array, as one state of the database has them.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Record, Text};
use pressline_domain::order::Order;
use pressline_domain::ports::{Lookup, RepositoryError};
use pressline_store_rows::schema::orders;
use pressline_store_rows::{ItemRow, OrderRow, Window};

use crate::error::Failure;
use crate::words::AND;

/// Which orders of a store.
pub(crate) enum Which<'a> {
    /// The one with this id.
    Id(&'a str),
    /// The one with the caller's id, else the one with the number.
    Named(&'a Lookup),
    /// The newest, within a window.
    Newest(&'a Window),
    /// The newest with these words, within a window.
    Matching {
        /// As [`words::tsquery`](crate::words::tsquery) made it.
        tsquery: &'a str,
        window: &'a Window,
        /// Up to which of the matching orders the window reaches.
        wanted: i64,
    },
}

impl<'a> Which<'a> {
    /// The newest with the words of a key, within a window.
    pub(crate) fn matching(tsquery: &'a str, window: &'a Window) -> Self {
        Self::Matching { tsquery, window, wanted: window.offset.saturating_add(window.limit) }
    }
}

/// Reads orders of a store, newest first.
pub(crate) struct SelectOrders<'a> {
    pub(crate) store_id: &'a str,
    pub(crate) which: Which<'a>,
}

/// An item without the ids of its store and order, as `ITEMS` lists it.
pub(crate) type Item = (
    i32,
    String,
    Option<String>,
    Option<String>,
    bool,
    String,
    i32,
    Option<String>,
    String,
    String,
    String,
    Option<String>,
    Option<i64>,
);
type ItemSql = Record<(
    Integer,
    Text,
    Nullable<Text>,
    Nullable<Text>,
    Bool,
    Text,
    Integer,
    Nullable<Text>,
    Text,
    Text,
    Text,
    Nullable<Text>,
    Nullable<BigInt>,
)>;

const ITEMS: &str = ", ARRAY(SELECT ROW(position, id, ref_id, name, name_given, sku, quantity, ship_class, file_urls, \
     mockup_images, areas, status, unit_cost) FROM line_items WHERE line_items.store_id = orders.store_id \
     AND line_items.order_uuid = orders.id ORDER BY position) FROM ";

impl SelectOrders<'_> {
    /// Runs the statement.
    pub(crate) fn load(
        self,
        connection: &mut PgConnection,
    ) -> Result<impl ExactSizeIterator<Item = Result<Order, RepositoryError>>, Failure> {
        let rows = self.load_rows(connection)?;
        Ok(rows.into_iter().map(|(order, items)| {
            let items = items.into_iter().map(|item| item_row(&order, item)).collect();
            order.restore(items)
        }))
    }

    /// Runs the statement, and takes the rows for what they are.
    pub(crate) fn load_rows(self, connection: &mut PgConnection) -> QueryResult<Vec<(OrderRow, Vec<Item>)>> {
        RunQueryDsl::load(self, connection)
    }

    /// Runs the statement for one order.
    pub(crate) fn first(self, connection: &mut PgConnection) -> Result<Option<Order>, Failure> {
        Ok(self.load(connection)?.next().transpose()?)
    }

    fn push_store<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(" WHERE orders.store_id = ");
        out.push_bind_param::<Text, _>(self.store_id)
    }

    /// Writes the bounds of a window, which the index of the newest orders answers alone.
    fn push_bounds<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>, window: &'b Window) -> QueryResult<()> {
        self.push_store(out)?;
        out.push_sql(" AND ");
        push_times(out, window)
    }
}

/// How many of the newest orders are always looked at. They answer a word that a fifth of the orders have, and tell how
/// common a rarer one is, for less than the rest of the search costs.
const LATEST: i64 = 100;

/// How many of the newest orders are looked at for a word that is common, rather than reading all that have it.
const NEWEST: i64 = 2000;

/// So many matches are read from the index of words before the newest orders are looked at; a rare word has fewer.
const FEW: i64 = 500;

/// Of so many of the latest orders [`COMMON`] have a word that is too common to ask the index for: collecting its
/// matches takes longer than comparing those of a rarer word of the key.
const SAMPLE: i64 = 25;

/// A fifth of the [`SAMPLE`].
const COMMON: i64 = 5;

/// The memory in which the index collects the matches of one of three words or more. In so little it soon notes pages
/// instead of orders, which takes half the time. Three words leave few pages of which all orders must be looked at; of
/// fewer words there would be too many.
const PAGES_NOTED: &str = "128kB";

impl SelectOrders<'_> {
    /// Writes the common table `hits`, which holds what matches at least as far as the page goes, or all of it.
    ///
    /// There are three sources, each read in its own way whatever the planner guesses of the words: the latest orders
    /// (1), the newest ones (2), both in their order and only until the page is full, and all that match by the index of
    /// words (3). The latest tell where to go on: where as many of the newest ones match as of them, and that fills the
    /// page, the newest are next; otherwise the index, and where it has more than a few, first the newest, as each of
    /// its matches is an order to read. `matching` is read only as far as it is asked for, and goes on from there.
    fn push_hits<'b>(
        &'b self,
        out: &mut AstPass<'_, 'b, Pg>,
        tsquery: &'b str,
        window: &'b Window,
        wanted: &'b i64,
    ) -> QueryResult<()> {
        self.push_key(out, tsquery)?;
        self.push_latest(out, window)?;
        push_asked(out);
        self.push_matching(out)?;
        out.push_sql(&format!(
            "first AS MATERIALIZED (SELECT CASE WHEN count(*) < {LATEST} OR count(*) FILTER (WHERE is_match) >= "
        ));
        out.push_bind_param::<BigInt, _>(wanted)?;
        out.push_sql(&format!(" THEN 1 WHEN count(*) FILTER (WHERE is_match) * {} >= ", NEWEST / LATEST));
        out.push_bind_param::<BigInt, _>(wanted)?;
        // The newest do not fill a page that ends behind them.
        out.push_sql(
            " THEN 2 ELSE 3 END AS source FROM latest), \
             second AS MATERIALIZED (SELECT CASE WHEN source = 3 AND ",
        );
        out.push_bind_param::<BigInt, _>(wanted)?;
        out.push_sql(&format!(
            " <= {NEWEST} AND (SELECT count(*) FROM (SELECT FROM matching LIMIT {FEW} + 1) AS few) > {FEW} \
             THEN 2 ELSE source END AS source FROM first), "
        ));
        self.push_newest(out, window, wanted)?;
        out.push_sql(
            "third AS MATERIALIZED (SELECT CASE WHEN source = 2 AND (SELECT count(*) FROM newest) < ",
        );
        out.push_bind_param::<BigInt, _>(wanted)?;
        out.push_sql(
            " THEN 3 ELSE source END AS source FROM second), hits AS (\
             SELECT created_at, id FROM latest WHERE is_match AND (SELECT source FROM third) = 1 \
             UNION ALL SELECT created_at, id FROM newest WHERE (SELECT source FROM third) = 2 \
             UNION ALL SELECT created_at, id FROM matching WHERE ",
        );
        push_times(out, window)?;
        out.push_sql(" AND (SELECT source FROM third) = 3) ");
        Ok(())
    }

    /// Writes the common table `key`: the one row of what is looked for, or none where there is no such store.
    fn push_key<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>, tsquery: &'b str) -> QueryResult<()> {
        out.push_sql(&format!(
            "WITH key AS MATERIALIZED (SELECT whole::tsquery AS tsquery, string_to_array(whole, '{AND}') AS words \
             FROM (SELECT replace("
        ));
        out.push_bind_param::<Text, _>(tsquery)?;
        out.push_sql(", chr(1), prefix) AS whole FROM stores WHERE stores.store_id = ");
        out.push_bind_param::<Text, _>(self.store_id)?;
        out.push_sql(") AS given), ");
        Ok(())
    }

    /// Writes the common table `matching`: those that the index of words finds by all words of the key, or by those in
    /// `asked`; then each is compared with the rest. Where one query is null, its half reads nothing.
    fn push_matching<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        // The words carry their store already. `IS TRUE` keeps the planner from taking these conditions to an index,
        // where it would read the whole store's part, or all that have the common words.
        out.push_sql(
            "matching AS MATERIALIZED (SELECT created_at, id FROM orders \
             WHERE words @@ (SELECT key.tsquery FROM key, asked WHERE asked.tsquery IS NULL) AND (orders.store_id = ",
        );
        out.push_bind_param::<Text, _>(self.store_id)?;
        out.push_sql(
            ") IS TRUE UNION ALL SELECT created_at, id FROM orders \
             WHERE words @@ (SELECT tsquery FROM asked) AND (orders.store_id = ",
        );
        out.push_bind_param::<Text, _>(self.store_id)?;
        out.push_sql(&format!(" AND {MATCHES}) IS TRUE), "));
        Ok(())
    }

    /// Writes the common table `latest`: those that match and those that do not.
    fn push_latest<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>, window: &'b Window) -> QueryResult<()> {
        out.push_sql(&format!(
            "latest AS MATERIALIZED (SELECT created_at, id, words, {MATCHES} AS is_match \
             FROM (SELECT created_at, id, words FROM orders"
        ));
        self.push_bounds(out, window)?;
        out.push_sql(&format!(" ORDER BY created_at DESC, id DESC LIMIT {LATEST}) AS orders), "));
        Ok(())
    }

    /// Writes the common table `newest`: those that match, up to the end of the page, if they are the source.
    fn push_newest<'b>(
        &'b self,
        out: &mut AstPass<'_, 'b, Pg>,
        window: &'b Window,
        wanted: &'b i64,
    ) -> QueryResult<()> {
        out.push_sql(
            "newest AS MATERIALIZED (SELECT created_at, id FROM (SELECT created_at, id, words FROM orders",
        );
        self.push_bounds(out, window)?;
        out.push_sql(&format!(
            " AND (SELECT source FROM second) = 2 ORDER BY created_at DESC, id DESC LIMIT {NEWEST}) AS orders \
             WHERE {MATCHES} ORDER BY created_at DESC, id DESC LIMIT "
        ));
        out.push_bind_param::<BigInt, _>(wanted)?;
        out.push_sql("), ");
        Ok(())
    }
}

/// Writes the common table `asked`: the words of the key that the index is asked for, or null for all of them, which it is
/// where none is common and where none is rare. Whatever it is, it only decides how long the search takes.
///
/// The memory is set until the end of the transaction, which is this statement. What is kept or sorted around the index
/// took its own before.
fn push_asked(out: &mut AstPass<'_, '_, Pg>) {
    out.push_sql(&format!(
        "asked AS MATERIALIZED (SELECT CASE WHEN bool_or(is_common) \
         THEN string_agg(word, '{AND}') FILTER (WHERE NOT is_common)::tsquery END AS tsquery, \
         CASE WHEN count(*) FILTER (WHERE NOT is_common) > 2 \
         THEN set_config('work_mem', '{PAGES_NOTED}', TRUE) END AS work_mem \
         FROM (SELECT word, (SELECT count(*) FROM (SELECT words FROM latest LIMIT {SAMPLE}) AS sample \
         WHERE sample.words @@ parts.tsquery) >= {COMMON} AS is_common \
         FROM (SELECT word, word::tsquery AS tsquery FROM key, unnest(words) AS word WHERE cardinality(words) > 1 \
         OFFSET 0) AS parts OFFSET 0) AS parts), "
    ));
}

/// Whether the order of the row matches.
const MATCHES: &str = "words @@ (SELECT tsquery FROM key)";

fn push_times<'b>(out: &mut AstPass<'_, 'b, Pg>, window: &'b Window) -> QueryResult<()> {
    out.push_sql("created_at >= ");
    out.push_bind_param::<BigInt, _>(&window.from)?;
    out.push_sql(" AND (created_at, id) < (");
    out.push_bind_param::<BigInt, _>(&window.before.0)?;
    out.push_sql(", ");
    out.push_bind_param::<Text, _>(&window.before.1)?;
    out.push_sql(")");
    Ok(())
}

fn push_page<'b>(out: &mut AstPass<'_, 'b, Pg>, window: &'b Window) -> QueryResult<()> {
    out.push_sql(" ORDER BY created_at DESC, id DESC OFFSET ");
    out.push_bind_param::<BigInt, _>(&window.offset)?;
    out.push_sql(" LIMIT ");
    out.push_bind_param::<BigInt, _>(&window.limit)
}

fn item_row(order: &OrderRow, item: Item) -> ItemRow {
    let (
        position,
        id,
        ref_id,
        name,
        name_given,
        sku,
        quantity,
        ship_class,
        file_urls,
        mockup_images,
        areas,
        status,
        unit_cost,
    ) = item;
    ItemRow {
        store_id: order.store_id.clone(),
        order_uuid: order.id.clone(),
        position,
        id,
        ref_id,
        name,
        name_given,
        sku,
        quantity,
        ship_class,
        file_urls,
        mockup_images,
        areas,
        status,
        unit_cost,
    }
}

impl QueryFragment<Pg> for SelectOrders<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        if let Which::Matching { tsquery, window, wanted } = &self.which {
            self.push_hits(&mut out, tsquery, window, wanted)?;
        }
        out.push_sql("SELECT ");
        orders::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(ITEMS);
        match &self.which {
            Which::Id(id) => {
                out.push_sql("orders");
                self.push_store(&mut out)?;
                out.push_sql(" AND id = ");
                out.push_bind_param::<Text, _>(*id)?;
            }
            Which::Named(Lookup { order_id, number: None }) => {
                out.push_sql("orders");
                self.push_store(&mut out)?;
                out.push_sql(" AND order_id = ");
                out.push_bind_param::<Text, _>(order_id)?;
            }
            // One after the other costs half of both at once, as nothing is left to sort.
            Which::Named(Lookup { order_id, number: Some(number) }) => {
                out.push_sql("orders");
                self.push_store(&mut out)?;
                out.push_sql(" AND id = COALESCE((SELECT id FROM orders");
                self.push_store(&mut out)?;
                out.push_sql(" AND order_id = ");
                out.push_bind_param::<Text, _>(order_id)?;
                out.push_sql("), (SELECT id FROM orders");
                self.push_store(&mut out)?;
                out.push_sql(" AND number = ");
                out.push_bind_param::<BigInt, _>(number)?;
                out.push_sql("))");
            }
            Which::Newest(window) | Which::Matching { window, .. } => {
                // Passing over the offset reads the index alone; only the orders of the page are read whole.
                if matches!(self.which, Which::Newest(_)) {
                    out.push_sql("(SELECT created_at, id FROM orders");
                    self.push_bounds(&mut out, window)?;
                } else {
                    out.push_sql("(SELECT created_at, id FROM hits");
                }
                push_page(&mut out, window)?;
                out.push_sql(") AS page JOIN orders ON orders.id = page.id");
                self.push_store(&mut out)?;
                out.push_sql(" ORDER BY orders.created_at DESC, orders.id DESC");
            }
        }
        Ok(())
    }
}

/// There are five texts in all, so that each connection prepares each of them once.
impl QueryId for SelectOrders<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for SelectOrders<'_> {
    type SqlType = (orders::SqlType, Array<ItemSql>);
}

impl RunQueryDsl<PgConnection> for SelectOrders<'_> {}
