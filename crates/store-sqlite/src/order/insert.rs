//! Rows inserted many at once.

use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment, QueryId};
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Binary, Bool, Integer, Nullable, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_store_kit::schema::{line_items, orders};
use pressline_store_kit::{ItemRow, OrderRow};

/// A row as a statement takes it.
pub(crate) trait Row {
    /// Tells the statements of one table from those of another.
    type Table: 'static;
    /// What stands before the rows.
    const INTO: &'static str;
    /// What stands behind them.
    const CONFLICT: &'static str = "";

    /// Writes the values with commas between them.
    fn values<'b>(&'b self, out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()>;
}

/// Inserts the rows in their order; how many there were that were not there yet.
///
/// The statements have fixed numbers of rows, so that each connection prepares them once.
pub(crate) fn insert<R: Row>(connection: &mut SqliteConnection, rows: &[R]) -> QueryResult<usize> {
    let mut inserted = 0;
    let rest = insert_by::<R, 32>(connection, rows, &mut inserted)?;
    let rest = insert_by::<R, 8>(connection, rest, &mut inserted)?;
    let rest = insert_by::<R, 3>(connection, rest, &mut inserted)?;
    insert_by::<R, 1>(connection, rest, &mut inserted)?;
    Ok(inserted)
}

/// Inserts as many rows as N divides; the rest.
fn insert_by<'a, R: Row, const N: usize>(
    connection: &mut SqliteConnection,
    rows: &'a [R],
    inserted: &mut usize,
) -> QueryResult<&'a [R]> {
    let (chunks, rest) = rows.as_chunks::<N>();
    for chunk in chunks {
        *inserted += Insert(chunk).execute(connection)?;
    }
    Ok(rest)
}

struct Insert<'a, R, const N: usize>(&'a [R; N]);

impl<R: Row, const N: usize> QueryFragment<Sqlite> for Insert<'_, R, N> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql(R::INTO);
        let mut before = " VALUES (";
        for row in self.0 {
            out.push_sql(before);
            row.values(out.reborrow())?;
            before = "), (";
        }
        out.push_sql(")");
        out.push_sql(R::CONFLICT);
        Ok(())
    }
}

/// The table and the number of rows tell the text.
impl<R: Row, const N: usize> QueryId for Insert<'_, R, N> {
    type QueryId = (R::Table, [(); N]);
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl<R, const N: usize> RunQueryDsl<SqliteConnection> for Insert<'_, R, N> {}

/// A new order, whose `row_id` is known before, so that its words need not wait for it. Nothing is
/// inserted where the order id exists.
pub(crate) struct NewOrderRow<'a> {
    pub(crate) row_id: i64,
    pub(crate) order: &'a OrderRow,
}

/// Implements [`Row`], of a first column of the type's own where there is one, and of the columns
/// of a row of store-kit.
macro_rules! row {
    (
        $row:ty as $table:path, $into:literal, $conflict:literal, $(($own:ident: $own_sql:ty))?
        $path:ident => $inner:expr, $inner_type:ident { $first:ident: $first_sql:ty, $($column:ident: $sql:ty,)* }
    ) => {
        impl Row for $row {
            type Table = $table;
            const INTO: &'static str = concat!(
                "INSERT INTO ", $into, " (", $(stringify!($own), ", ",)? stringify!($first),
                $(", ", stringify!($column),)* ")"
            );
            const CONFLICT: &'static str = $conflict;

            fn values<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
                $(
                    out.push_bind_param::<$own_sql, _>(&self.$own)?;
                    out.push_sql(", ");
                )?
                let $path = self;
                // A column that is not named does not compile.
                let $inner_type { $first, $($column,)* } = $inner;
                out.push_bind_param::<$first_sql, _>($first)?;
                $(
                    out.push_sql(", ");
                    out.push_bind_param::<$sql, _>($column)?;
                )*
                Ok(())
            }
        }
    };
}

row! {
    NewOrderRow<'_> as orders::table, "orders", " ON CONFLICT (store_id, order_id) DO NOTHING", (row_id: BigInt)
    new => new.order, OrderRow {
        store_id: Text,
        id: Text,
        order_id: Text,
        prefix: Text,
        number: BigInt,
        kind: Text,
        label_url: Nullable<Text>,
        source: Text,
        version: BigInt,
        created_at: BigInt,
        updated_at: BigInt,
        currency: Text,
        email: Nullable<Text>,
        shipping_address: Nullable<Text>,
        billing_address: Nullable<Text>,
        customer_first_name: Nullable<Text>,
        customer_last_name: Nullable<Text>,
        production_note: Nullable<Text>,
        handle_fee: Nullable<BigInt>,
        surcharge_fee: Nullable<BigInt>,
        other_fee: Nullable<BigInt>,
        other_shipping_fee: Nullable<BigInt>,
        product_cost: Nullable<BigInt>,
        shipping_fee: Nullable<BigInt>,
        fingerprint: Binary,
        fee_lines: Text,
        priced_at: BigInt,
        size: Integer,
    }
}

row! {
    &ItemRow as line_items::table, "line_items", "",
    item => item, ItemRow {
        store_id: Text,
        order_uuid: Text,
        position: Integer,
        id: Text,
        ref_id: Nullable<Text>,
        name: Nullable<Text>,
        name_given: Bool,
        sku: Text,
        quantity: Integer,
        ship_class: Nullable<Text>,
        file_urls: Text,
        mockup_images: Text,
        areas: Text,
        status: Nullable<Text>,
        unit_cost: Nullable<BigInt>,
    }
}
