//! Macros that generate code from the lists of columns: names, tables and rows.

/// Expands to a `&[&str]`. Called as `order_columns!(column_names!)`.
macro_rules! column_names {
    (
        ()
        $($column:ident: $rust:ident $(<$rust_of:ident>)? = $sql:ident $(<$sql_of:ident>)?,)+
    ) => {
        &[$(stringify!($column)),+]
    };
}

/// Declares a table for diesel. Called as `order_columns!(define_table! orders (store_id, id))`.
macro_rules! define_table {
    (
        ($table:ident ($($key:ident),+))
        $($column:ident: $rust:ident $(<$rust_of:ident>)? = $sql:ident $(<$sql_of:ident>)?,)+
    ) => {
        diesel::table! {
            $table ($($key),+) {
                $($column -> $sql $(<$sql_of>)?,)+
            }
        }
    };
}

/// Appends fields of `$row` to `$out` as parameters of the given SQL types, separated by commas.
#[macro_export]
macro_rules! push_columns {
    ($row:ident, $out:ident, $($column:ident = $sql:ty,)+) => {{
        let mut comma = "";
        $(
            $out.push_sql(comma);
            $out.push_bind_param::<$sql, _>(&$row.$column)?;
            comma = ", ";
        )+
        // Without this line, the compiler reports that the last assignment is never read.
        let _ = comma;
        Ok(())
    }};
}

/// Defines a row type that diesel reads. Called as `order_columns!(define_row! OrderRow)`.
macro_rules! define_row {
    (
        ($(#[$attribute:meta])* $row:ident)
        $($column:ident: $rust:ident $(<$rust_of:ident>)? = $sql:ident $(<$sql_of:ident>)?,)+
    ) => {
        #[derive(Clone, PartialEq, diesel::Queryable, diesel::Selectable, diesel::Insertable)]
        $(#[$attribute])*
        #[expect(
            missing_docs,
            reason = "the columns are described where they are created, in the migrations"
        )]
        pub struct $row {
            $(pub $column: $rust $(<$rust_of>)?,)+
        }

        impl $row {
            /// Names of the columns, in the order of the fields.
            pub const COLUMNS: &'static [&'static str] = &[$(stringify!($column)),+];

            /// Appends the row's column values to `out` as parameters, separated by commas.
            pub fn push_values<'b, DB>(
                &'b self,
                out: &mut diesel::query_builder::AstPass<'_, 'b, DB>,
            ) -> diesel::QueryResult<()>
            where
                DB: diesel::backend::Backend
                    $(+ diesel::sql_types::HasSqlType<diesel::sql_types::$sql $(<diesel::sql_types::$sql_of>)?>)+,
                $($rust $(<$rust_of>)?:
                    diesel::serialize::ToSql<diesel::sql_types::$sql $(<diesel::sql_types::$sql_of>)?, DB>,)+
            {
                push_columns! {
                    self, out,
                    $($column = diesel::sql_types::$sql $(<diesel::sql_types::$sql_of>)?,)+
                }
            }
        }
    };
}
