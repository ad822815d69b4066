//! The statement that reads a page of orders, newest first: whole up to a bound of bytes, the rest
//! as references.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, Text};
use pressline_domain::order::search::Found;
use pressline_store_kit::schema::orders;
use pressline_store_kit::{OrderRow, Window, order_reference};

use super::find::{ITEMS, Item, ItemSql, restore};
use crate::error::Failure;
use crate::words::AND;

/// Which orders of a store.
pub(crate) enum Of<'a> {
    /// The newest, within the window.
    Newest,
    /// The newest with these words, within the window.
    Matching {
        /// As [`words::tsquery`](crate::words::tsquery) made it.
        tsquery: &'a str,
        /// Up to which of the matching orders the window reaches.
        wanted: i64,
    },
}

/// Reads a page of orders of a store.
pub(crate) struct SelectPage<'a> {
    store_id: &'a str,
    window: &'a Window,
    of: Of<'a>,
    /// As the window has it, in the type of the database.
    bytes: i64,
}

/// Id, creation and size of an order of the page, and the order itself where it is read whole.
pub(crate) type PageRow = (String, i64, i32, Option<OrderRow>, Vec<Item>);

impl<'a> SelectPage<'a> {
    /// The newest orders, or those of them with the words of a key.
    pub(crate) fn new(store_id: &'a str, tsquery: Option<&'a str>, window: &'a Window) -> Self {
        let wanted = window.offset.saturating_add(window.limit);
        let of = tsquery.map_or(Of::Newest, |tsquery| Of::Matching { tsquery, wanted });
        Self {
            store_id,
            window,
            of,
            bytes: i64::try_from(window.bytes).unwrap_or(i64::MAX),
        }
    }

    /// Runs the statement.
    pub(crate) fn found(self, connection: &mut PgConnection) -> Result<Found, Failure> {
        let (store_id, page_size) = (self.store_id, self.window.page_size());
        let rows = self.load_rows(connection)?;
        let more = rows.len() > page_size;
        let (mut orders, mut rest) = (Vec::with_capacity(rows.len()), Vec::new());
        for (id, created_at, size, row, items) in rows.into_iter().take(page_size) {
            match row {
                Some(row) => orders.push(restore(row, items)?),
                None => rest.push(order_reference(store_id, &id, created_at, size)?),
            }
        }
        Ok(Found { orders, rest, more })
    }

    /// Runs the statement, and takes the rows for what they are.
    pub(crate) fn load_rows(self, connection: &mut PgConnection) -> QueryResult<Vec<PageRow>> {
        RunQueryDsl::load(self, connection)
    }

    fn push_store<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(" WHERE orders.store_id = ");
        out.push_bind_param::<Text, _>(self.store_id)
    }

    /// Writes the bounds of the window, which the index of the newest orders answers alone.
    fn push_bounds<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.push_store(out)?;
        out.push_sql(" AND ");
        push_times(out, self.window)
    }

    /// Writes the table `page`: the rows of the page and one behind it, with what decides which of
    /// them are read whole. Passing over the offset reads the index alone.
    fn push_page<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "(SELECT created_at, id, size, row_number() OVER newest_first AS place, \
             sum(size) OVER newest_first AS size_so_far FROM (SELECT created_at, id, size FROM ",
        );
        match self.of {
            Of::Newest => {
                out.push_sql("orders");
                self.push_bounds(out)?;
            }
            Of::Matching { .. } => out.push_sql("hits"),
        }
        out.push_sql(" ORDER BY created_at DESC, id DESC OFFSET ");
        out.push_bind_param::<BigInt, _>(&self.window.offset)?;
        out.push_sql(" LIMIT ");
        out.push_bind_param::<BigInt, _>(&self.window.limit)?;
        out.push_sql(
            ") AS page WINDOW newest_first AS \
             (ORDER BY created_at DESC, id DESC ROWS UNBOUNDED PRECEDING)) AS page",
        );
        Ok(())
    }
}

/// How many of the newest orders are always looked at. They answer a word that a fifth of the
/// orders have, and tell how common a rarer one is, for less than the rest of the search costs.
const LATEST: i64 = 100;

/// How many of the newest orders are looked at for a word that is common, rather than reading all
/// that have it.
const NEWEST: i64 = 2000;

/// So many matches are read from the index of words before the newest orders are looked at; a rare
/// word has fewer.
const FEW: i64 = 500;

/// Of so many of the latest orders [`COMMON`] have a word that is too common to ask the index for:
/// collecting its matches takes longer than comparing those of a rarer word of the key.
const SAMPLE: i64 = 25;

/// A fifth of the [`SAMPLE`].
const COMMON: i64 = 5;

/// The memory in which the index collects the matches of one of three words or more. In so little
/// it soon notes pages instead of orders, which takes half the time. Three words leave few pages of
/// which all orders must be looked at; of fewer words there would be too many.
const PAGES_NOTED: &str = "128kB";

impl SelectPage<'_> {
    /// Writes the common table `hits`, which holds what matches at least as far as the page goes,
    /// or all of it.
    ///
    /// There are three sources, each read in its own way whatever the planner guesses of the words:
    /// the latest orders (1), the newest ones (2), both in their order and only until the page is
    /// full, and all that match by the index of words (3). The latest tell where to go on: where as
    /// many of the newest ones match as of them, and that fills the page, the newest are next;
    /// otherwise the index, and where it has more than a few, first the newest, as each of its
    /// matches is an order to read. `matching` is read only as far as it is asked for, and goes on
    /// from there.
    fn push_hits<'b>(
        &'b self,
        out: &mut AstPass<'_, 'b, Pg>,
        tsquery: &'b str,
        wanted: &'b i64,
    ) -> QueryResult<()> {
        self.push_key(out, tsquery)?;
        self.push_latest(out)?;
        push_asked(out);
        self.push_matching(out)?;
        out.push_sql(&format!(
            "first AS MATERIALIZED (SELECT CASE WHEN count(*) < {LATEST} OR count(*) FILTER (WHERE is_match) >= "
        ));
        out.push_bind_param::<BigInt, _>(wanted)?;
        out.push_sql(&format!(
            " THEN 1 WHEN count(*) FILTER (WHERE is_match) * {} >= ",
            NEWEST / LATEST
        ));
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
        self.push_newest(out, wanted)?;
        out.push_sql(
            "third AS MATERIALIZED (SELECT CASE WHEN source = 2 AND (SELECT count(*) FROM newest) < ",
        );
        out.push_bind_param::<BigInt, _>(wanted)?;
        out.push_sql(
            " THEN 3 ELSE source END AS source FROM second), hits AS (\
             SELECT created_at, id, size FROM latest WHERE is_match AND (SELECT source FROM third) = 1 \
             UNION ALL SELECT created_at, id, size FROM newest WHERE (SELECT source FROM third) = 2 \
             UNION ALL SELECT created_at, id, size FROM matching WHERE ",
        );
        push_times(out, self.window)?;
        out.push_sql(" AND (SELECT source FROM third) = 3) ");
        Ok(())
    }

    /// Writes the common table `key`: the one row of what is looked for, or none where there is no
    /// such store.
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

    /// Writes the common table `matching`: those that the index of words finds by all words of the
    /// key, or by those in `asked`; then each is compared with the rest. Where one query is null,
    /// its half reads nothing.
    fn push_matching<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        // The words carry their store already. `IS TRUE` keeps the planner from taking these
        // conditions to an index, where it would read the whole store's part, or all that have the
        // common words.
        out.push_sql(
            "matching AS MATERIALIZED (SELECT created_at, id, size FROM orders \
             WHERE words @@ (SELECT key.tsquery FROM key, asked WHERE asked.tsquery IS NULL) AND (orders.store_id = ",
        );
        out.push_bind_param::<Text, _>(self.store_id)?;
        out.push_sql(
            ") IS TRUE UNION ALL SELECT created_at, id, size FROM orders \
             WHERE words @@ (SELECT tsquery FROM asked) AND (orders.store_id = ",
        );
        out.push_bind_param::<Text, _>(self.store_id)?;
        out.push_sql(&format!(" AND {MATCHES}) IS TRUE), "));
        Ok(())
    }

    /// Writes the common table `latest`: those that match and those that do not.
    fn push_latest<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(&format!(
            "latest AS MATERIALIZED (SELECT created_at, id, size, words, {MATCHES} AS is_match \
             FROM (SELECT created_at, id, size, words FROM orders"
        ));
        self.push_bounds(out)?;
        out.push_sql(&format!(
            " ORDER BY created_at DESC, id DESC LIMIT {LATEST}) AS orders), "
        ));
        Ok(())
    }

    /// Writes the common table `newest`: those that match, up to the end of the page, if they are
    /// the source.
    fn push_newest<'b>(
        &'b self,
        out: &mut AstPass<'_, 'b, Pg>,
        wanted: &'b i64,
    ) -> QueryResult<()> {
        out.push_sql(
            "newest AS MATERIALIZED (SELECT created_at, id, size \
             FROM (SELECT created_at, id, size, words FROM orders",
        );
        self.push_bounds(out)?;
        out.push_sql(&format!(
            " AND (SELECT source FROM second) = 2 ORDER BY created_at DESC, id DESC LIMIT {NEWEST}) AS orders \
             WHERE {MATCHES} ORDER BY created_at DESC, id DESC LIMIT "
        ));
        out.push_bind_param::<BigInt, _>(wanted)?;
        out.push_sql("), ");
        Ok(())
    }
}

/// Writes the common table `asked`: the words of the key that the index is asked for, or null for
/// all of them, which it is where none is common and where none is rare. Whatever it is, it only
/// decides how long the search takes.
///
/// The memory is set until the end of the transaction, which is this statement. What is kept or
/// sorted around the index took its own before.
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

impl QueryFragment<Pg> for SelectPage<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        if let Of::Matching { tsquery, wanted } = &self.of {
            self.push_hits(&mut out, tsquery, wanted)?;
        }
        out.push_sql("SELECT page.id, page.created_at, page.size, ");
        orders::all_columns.walk_ast(out.reborrow())?;
        out.push_sql(ITEMS);
        self.push_page(&mut out)?;
        // libpq keeps all that a statement returns, so that what is not wanted must not be
        // returned. The first order is read whole whatever its size; the one behind the page never
        // is. `OFFSET 0` keeps the planner from joining in any other way than order by order: it
        // does not know how few orders a page has.
        out.push_sql(" LEFT JOIN LATERAL (SELECT * FROM orders");
        self.push_store(&mut out)?;
        out.push_sql(" AND orders.id = page.id AND (size_so_far <= ");
        out.push_bind_param::<BigInt, _>(&self.bytes)?;
        out.push_sql(" OR place = 1) AND place < ");
        out.push_bind_param::<BigInt, _>(&self.window.limit)?;
        out.push_sql(" OFFSET 0) AS orders ON true");
        // As the page is in this order already, nothing is sorted.
        out.push_sql(" ORDER BY page.created_at DESC, page.id DESC");
        Ok(())
    }
}

/// There are two texts in all, so that each connection prepares each of them once.
impl QueryId for SelectPage<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for SelectPage<'_> {
    type SqlType = (
        Text,
        BigInt,
        Integer,
        Nullable<orders::SqlType>,
        Array<ItemSql>,
    );
}

impl RunQueryDsl<PgConnection> for SelectPage<'_> {}
