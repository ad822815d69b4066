//! Rows turned into arrays, one for each column, so that one prepared statement takes any number of
//! them by `UNNEST`.

use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, Record, Text};
use pressline_store_kit::{
    ItemRow, OrderRow, PriceRow, VariantRow, item_columns, order_columns, price_columns,
    variant_columns,
};

/// Declares the arrays of a row type.
macro_rules! arrays {
    (
        ($(#[$doc:meta])* $name:ident of $row:ty)
        $($column:ident: $rust:ident $(<$rust_of:ident>)? = $sql:ident $(<$sql_of:ident>)?,)+
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name<'a> {
            $($column: Vec<&'a $rust $(<$rust_of>)?>,)+
        }

        impl<'a> $name<'a> {
            /// The arrays of these rows, which all have the same length.
            pub(crate) fn of(rows: impl IntoIterator<Item = &'a $row>) -> Self {
                let mut columns = Self { $($column: Vec::new(),)+ };
                for row in rows {
                    $(columns.$column.push(&row.$column);)+
                }
                columns
            }

            /// Writes the arrays as parameters with commas between them.
            pub(crate) fn push<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                let mut comma = "";
                $(
                    out.push_sql(comma);
                    out.push_bind_param::<Array<$sql $(<$sql_of>)?>, _>(&self.$column)?;
                    comma = ", ";
                )+
                let _ = comma;
                Ok(())
            }
        }
    };
}

order_columns!(arrays!
    /// Orders without their items and words.
    OrderColumns of OrderRow
);

/// Declares the arrays of items without the columns that name the order: the statement that writes
/// items knows their orders.
macro_rules! arrays_of_items {
    (
        ($($of:tt)*)
        store_id: String = Text,
        order_uuid: String = Text,
        $($own:tt)+
    ) => {
        arrays! { ($($of)*) $($own)+ }
    };
}

item_columns!(arrays_of_items!
    /// Line items of any number of orders, without the ids of their orders.
    ItemColumns of ItemRow
);
variant_columns!(arrays!
    /// Variants without their words.
    VariantColumns of VariantRow
);
price_columns!(arrays!
    /// Prices.
    PriceColumns of PriceRow
);

/// Declares a row as `ROW(line_items.*)` returns it, without the columns that name its order.
macro_rules! item {
    (
        ()
        store_id: $store_rust:ident = $store_sql:ident,
        order_uuid: $order_rust:ident = $order_sql:ident,
        $($column:ident: $rust:ident $(<$rust_of:ident>)? = $sql:ident $(<$sql_of:ident>)?,)+
    ) => {
        /// An item without the ids of its store and order.
        pub(crate) type Item = ($($rust $(<$rust_of>)?,)+);
        /// Its type in SQL.
        pub(crate) type ItemSql = Record<($($sql $(<$sql_of>)?,)+)>;

        /// The row of an item of this order.
        pub(crate) fn item_row(order: &OrderRow, item: Item) -> ItemRow {
            let ($($column,)+) = item;
            ItemRow {
                store_id: order.store_id.clone(),
                order_uuid: order.id.clone(),
                $($column,)+
            }
        }
    };
}

item_columns!(item!);

/// Declares a row as `ROW(prices.*)` returns it, without the SKU.
macro_rules! price {
    (
        ()
        sku: $sku_rust:ident = $sku_sql:ident,
        $($column:ident: $rust:ident = $sql:ident,)+
    ) => {
        /// A price without its SKU.
        pub(crate) type Price = ($($rust,)+);
        /// Its type in SQL.
        pub(crate) type PriceSql = Record<($($sql,)+)>;

        /// The row of a price of this SKU.
        pub(crate) fn price_row(sku: &str, price: Price) -> PriceRow {
            let ($($column,)+) = price;
            PriceRow { sku: sku.to_owned(), $($column,)+ }
        }
    };
}

price_columns!(price!);
