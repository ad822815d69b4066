//! Rows turned into arrays, one a column, so that one prepared statement takes any number of them
//! by `UNNEST`.

use diesel::pg::Pg;
use diesel::query_builder::AstPass;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Binary, Bool, Integer, Nullable, Text};
use pressline_store_kit::{ItemRow, OrderRow};

/// Declares the arrays of a row type. As a fragment of a query they are `UNNEST($1, $2, …)`.
macro_rules! columns {
    ($(#[$doc:meta])* $name:ident of $row:ty { $($column:ident: $kind:ty as $sql:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name<'a> {
            $($column: Vec<&'a $kind>,)*
        }

        impl<'a> $name<'a> {
            /// The columns, in the order of the arrays.
            pub(crate) const NAMES: &'static [&'static str] = &[$(stringify!($column),)*];

            /// The arrays of these rows, which all have the same length.
            pub(crate) fn of(rows: impl IntoIterator<Item = &'a $row>) -> Self {
                let mut columns = Self { $($column: Vec::new(),)* };
                for row in rows {
                    $(columns.$column.push(&row.$column);)*
                }
                columns
            }

            /// The arrays, as arguments with commas between them.
            pub(crate) fn arguments<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                let mut comma = "";
                $(
                    out.push_sql(comma);
                    out.push_bind_param::<Array<$sql>, _>(&self.$column)?;
                    comma = ", ";
                )*
                let _ = comma;
                Ok(())
            }
        }
    };
}

pub(crate) use columns;

columns! {
    /// Orders without their items and words.
    OrderColumns of OrderRow {
        store_id: String as Text,
        id: String as Text,
        order_id: String as Text,
        prefix: String as Text,
        number: i64 as BigInt,
        kind: String as Text,
        label_url: Option<String> as Nullable<Text>,
        source: String as Text,
        version: i64 as BigInt,
        created_at: i64 as BigInt,
        updated_at: i64 as BigInt,
        currency: String as Text,
        email: Option<String> as Nullable<Text>,
        shipping_address: Option<String> as Nullable<Text>,
        billing_address: Option<String> as Nullable<Text>,
        customer_first_name: Option<String> as Nullable<Text>,
        customer_last_name: Option<String> as Nullable<Text>,
        production_note: Option<String> as Nullable<Text>,
        handle_fee: Option<i64> as Nullable<BigInt>,
        surcharge_fee: Option<i64> as Nullable<BigInt>,
        other_fee: Option<i64> as Nullable<BigInt>,
        other_shipping_fee: Option<i64> as Nullable<BigInt>,
        product_cost: Option<i64> as Nullable<BigInt>,
        shipping_fee: Option<i64> as Nullable<BigInt>,
        fingerprint: Vec<u8> as Binary,
        fee_lines: String as Text,
        priced_at: i64 as BigInt,
        size: i32 as Integer,
    }
}

columns! {
    /// Line items of any number of orders.
    ItemColumns of ItemRow {
        store_id: String as Text,
        order_uuid: String as Text,
        position: i32 as Integer,
        id: String as Text,
        ref_id: Option<String> as Nullable<Text>,
        name: Option<String> as Nullable<Text>,
        name_given: bool as Bool,
        sku: String as Text,
        quantity: i32 as Integer,
        ship_class: Option<String> as Nullable<Text>,
        file_urls: String as Text,
        mockup_images: String as Text,
        areas: String as Text,
        status: Option<String> as Nullable<Text>,
        unit_cost: Option<i64> as Nullable<BigInt>,
    }
}

/// Writes names with commas between them, each after `before`.
pub(crate) fn push_names<'n>(
    out: &mut AstPass<'_, '_, Pg>,
    before: &str,
    names: impl IntoIterator<Item = &'n &'n str>,
) {
    for (i, name) in names.into_iter().enumerate() {
        out.push_sql(if i == 0 { "" } else { ", " });
        out.push_sql(before);
        out.push_sql(name);
    }
}

/// Writes `name = source.name` for each of the names, with commas between them.
pub(crate) fn push_assignments<'n>(
    out: &mut AstPass<'_, '_, Pg>,
    source: &str,
    names: impl IntoIterator<Item = &'n &'n str>,
) {
    for (i, name) in names.into_iter().enumerate() {
        out.push_sql(if i == 0 { "" } else { ", " });
        out.push_sql(name);
        out.push_sql(" = ");
        out.push_sql(source);
        out.push_sql(name);
    }
}
