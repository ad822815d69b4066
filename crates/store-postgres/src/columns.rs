//! Turns rows into arrays, one for each column, so that one prepared statement takes any number of
//! rows by `UNNEST`.

use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, Record, SmallInt, Text};
use pressline_store_kit::{
    CorrectionRow, EventRow, ItemRow, OrderRow, PriceRow, ShipmentRow, StateRow, VariantRow,
    correction_columns, event_columns, item_columns, order_columns, price_columns, push_columns,
    shipment_columns, state_columns, variant_columns,
};

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
            pub(crate) fn of(rows: impl IntoIterator<Item = &'a $row>) -> Self {
                let mut columns = Self { $($column: Vec::new(),)+ };
                for row in rows {
                    $(columns.$column.push(&row.$column);)+
                }
                columns
            }

            pub(crate) fn push<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                push_columns!(self, out, $($column = Array<$sql $(<$sql_of>)?>,)+)
            }
        }
    };
}

order_columns!(arrays!
    OrderColumns of OrderRow
);

/// Declares a struct with an array for each column except `store_id` and `order_uuid`. The
/// statement that writes the rows takes both columns from the rows' orders.
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
    ItemColumns of ItemRow
);
state_columns!(arrays!
    StateColumns of StateRow
);

/// Declares a struct with an array for each column of events, except `endpoint_id`, which is NULL
/// in an order's event, and the columns that `UpdateOrders` takes from the states of the changed
/// orders.
macro_rules! arrays_of_events {
    (
        ($($of:tt)*)
        store_id: String = Text,
        sequence: i64 = BigInt,
        order_uuid: Option<String> = Nullable<Text>,
        version: Option<i32> = Nullable<Integer>,
        happened_at: i64 = BigInt,
        endpoint_id: Option<String> = Nullable<Text>,
        $($own:tt)+
    ) => {
        arrays! { ($($of)*) $($own)+ }
    };
}

event_columns!(arrays_of_events!
    EventColumns of EventRow
);

shipment_columns!(arrays_of_items!
    ShipmentColumns of ShipmentRow
);

correction_columns!(arrays_of_items!
    CorrectionColumns of CorrectionRow
);

/// Columns of a new order's state that are parameters of the insert statement.
macro_rules! first_state_columns {
    ($callback:ident! $($arguments:tt)*) => {
        $callback! {
            ($($arguments)*)
            updated_at: i64 = BigInt,
            due_at: Option<i64> = Nullable<BigInt>,
            cooling_off_seconds: i32 = Integer,
            item_count: i32 = Integer,
            items: String = Text,
            status_bitmask: i16 = SmallInt,
            replaces: Option<String> = Nullable<Text>,
        }
    };
}

/// Columns of a new order's event that are parameters of the insert statement.
macro_rules! first_event_columns {
    ($callback:ident! $($arguments:tt)*) => {
        $callback! {
            ($($arguments)*)
            actor: String = Text,
            actor_id: Option<String> = Nullable<Text>,
            reason: Option<String> = Nullable<Text>,
            request_id: Option<String> = Nullable<Text>,
            moves: String = Text,
        }
    };
}

first_state_columns!(arrays!
    FirstStateColumns of StateRow
);
first_event_columns!(arrays!
    FirstEventColumns of EventRow
);

/// Defines a function that binds the values of `row` as comma-separated parameters.
macro_rules! values {
    (
        ($(#[$doc:meta])* $name:ident of $row:ty)
        $($column:ident: $rust:ident $(<$rust_of:ident>)? = $sql:ident $(<$sql_of:ident>)?,)+
    ) => {
        $(#[$doc])*
        pub(crate) fn $name<'b>(row: &'b $row, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
            push_columns!(row, out, $($column = $sql $(<$sql_of>)?,)+)
        }
    };
}

first_state_columns!(values!
    push_first_state of StateRow
);
first_event_columns!(values!
    push_first_event of EventRow
);

variant_columns!(arrays!
    VariantColumns of VariantRow
);
price_columns!(arrays!
    PriceColumns of PriceRow
);

/// Declares the type that `ROW(line_items.*)` returns: an item without its order's key.
macro_rules! item {
    (
        ()
        store_id: $store_rust:ident = $store_sql:ident,
        order_uuid: $order_rust:ident = $order_sql:ident,
        $($column:ident: $rust:ident $(<$rust_of:ident>)? = $sql:ident $(<$sql_of:ident>)?,)+
    ) => {
        pub(crate) type Item = ($($rust $(<$rust_of>)?,)+);
        pub(crate) type ItemSql = Record<($($sql $(<$sql_of>)?,)+)>;

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

/// Declares the type that `ROW(prices.*)` returns: a price without its SKU.
macro_rules! price {
    (
        ()
        sku: $sku_rust:ident = $sku_sql:ident,
        $($column:ident: $rust:ident = $sql:ident,)+
    ) => {
        pub(crate) type Price = ($($rust,)+);
        pub(crate) type PriceSql = Record<($($sql,)+)>;

        fn price_row(sku: &str, price: Price) -> PriceRow {
            let ($($column,)+) = price;
            PriceRow { sku: sku.to_owned(), $($column,)+ }
        }
    };
}

price_columns!(price!);

/// Adds the SKU of `variant` to `prices`, because statements return prices without their SKU.
pub(crate) fn priced(variant: VariantRow, prices: Vec<Price>) -> (VariantRow, Vec<PriceRow>) {
    let rows = prices.into_iter();
    let prices = rows.map(|price| price_row(&variant.sku, price)).collect();
    (variant, prices)
}
