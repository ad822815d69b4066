//! SQL texts, in files that can be pasted into psql or sqlite3.
//!
//! A text has named parameters (`:store_id`) and `--` comments. `columns.rs` lists the columns of
//! each table; a text can contain placeholders for them:
//!
//! - `orders.*` stands for `orders.store_id, orders.id, …`
//! - `ROW(line_items.*)` stands for the columns without the order's key
//! - `{orders}` stands for `store_id, id, …`, and `{given.orders}` for `given.store_id, …`
//! - `{orders = given}` stands for `store_id = given.store_id, …`
//! - `{:orders}` stands for parameters with the names of the columns: `:store_id, …`
//! - `{orders without id, number}` omits columns; it can be combined with the three forms above
//! - any other `{name}` stands for the part of that name.
//!
//! A text is parsed once, on first use. It never changes, so each connection prepares it only once.

use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::query_builder::AstPass;

/// Tables that the placeholders of an SQL text can name: name, columns, and the number of leading
/// columns that `ROW(table.*)` omits.
const TABLES: [(&str, &[&str], usize); 24] = [
    ("store_keys", key_columns!(column_names!), 0),
    ("stores", store_columns!(column_names!), 0),
    ("orders", order_columns!(column_names!), 0),
    ("line_items", item_columns!(column_names!), 2),
    ("order_states", state_columns!(column_names!), 2),
    ("order_events", event_columns!(column_names!), 6),
    ("shipments", shipment_columns!(column_names!), 2),
    ("fee_corrections", correction_columns!(column_names!), 2),
    ("order_notes", note_columns!(column_names!), 2),
    ("products", variant_columns!(column_names!), 0),
    ("prices", price_columns!(column_names!), 1),
    ("operators", operator_columns!(column_names!), 0),
    ("operator_tokens", operator_token_columns!(column_names!), 0),
    ("operator_accounts", account_columns!(column_names!), 0),
    ("operator_sessions", session_columns!(column_names!), 0),
    ("sign_in_links", link_columns!(column_names!), 0),
    ("audit_entries", audit_columns!(column_names!), 0),
    ("batches", batch_columns!(column_names!), 0),
    ("production_records", record_columns!(column_names!), 0),
    ("tasks", task_columns!(column_names!), 0),
    ("form_results", form_columns!(column_names!), 0),
    ("webhook_endpoints", endpoint_columns!(column_names!), 0),
    ("webhook_secrets", secret_columns!(column_names!), 0),
    ("webhook_deliveries", delivery_columns!(column_names!), 0),
];

/// Statement with named parameters. It binds a parameter when the text needs the value.
pub trait Parameters<DB: Backend> {
    /// Appends the value of the parameter `name` to `out`, or several values separated by commas.
    ///
    /// # Errors
    /// Returns an error if the statement has no parameter `name`, or if the value cannot be bound.
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, DB>) -> QueryResult<()>;
}

/// Parsed SQL text of a statement.
#[derive(Debug)]
pub struct SqlText {
    pieces: Vec<Piece>,
}

#[derive(Debug, PartialEq)]
enum Piece {
    Sql(String),
    Parameter(String),
}

impl SqlText {
    /// Parses `text`, with each `{name}` replaced by its value in `parts`, pairs of name and value.
    pub fn new(text: &str, parts: &[(&str, &str)]) -> Self {
        let text = expanded(&without_comments(text), parts);
        let mut pieces = Vec::new();
        let mut rest = text.as_str();
        while let Some((before, name, after)) = next_parameter(rest) {
            pieces.push(Piece::Sql(before.to_owned()));
            pieces.push(Piece::Parameter(name.to_owned()));
            rest = after;
        }
        pieces.push(Piece::Sql(rest.to_owned()));
        Self { pieces }
    }

    /// Appends the text to `out`, with the values of `parameters`.
    pub fn write<'b, DB: Backend>(
        &self,
        parameters: &'b impl Parameters<DB>,
        out: &mut AstPass<'_, 'b, DB>,
    ) -> QueryResult<()> {
        for piece in &self.pieces {
            match piece {
                Piece::Sql(sql) => out.push_sql(sql),
                Piece::Parameter(name) => parameters.bind(name, out)?,
            }
        }
        Ok(())
    }
}

/// Returns the error for an SQL text that contains the unknown parameter `name`.
pub fn unknown_parameter(name: &str) -> diesel::result::Error {
    diesel::result::Error::QueryBuilderError(format!("no parameter `{name}`").into())
}

/// Returns `text` without comments and line breaks.
fn without_comments(text: &str) -> String {
    // Assumes that no string literal contains `--`.
    let lines = text
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default().trim());
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn expanded(text: &str, parts: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for (name, part) in parts {
        text = text.replace(&format!("{{{name}}}"), &without_comments(part));
    }
    for (name, columns, parent) in TABLES {
        let own = columns.get(parent..).unwrap_or_default();
        // First, because the replacement of `name.*` below would match inside `ROW(name.*)`.
        let row = format!("ROW({name}.*)");
        text = text.replace(&row, &format!("ROW({})", prefixed(name, own.iter())));
        let all = prefixed(name, columns.iter());
        text = text.replace(&format!("{name}.*"), &all);
    }
    // The remaining braces contain column lists.
    while let Some((before, rest)) = text.split_once('{') {
        let Some((list, after)) = rest.split_once('}') else {
            break;
        };
        text = format!("{before}{}{after}", columns(list));
    }
    text
}

/// Expands `list`, the text between braces; the module's documentation lists its forms.
fn columns(list: &str) -> String {
    let (list, without) = list.split_once(" without ").unwrap_or((list, ""));
    let (list, source) = match list.split_once(" = ") {
        Some((list, source)) => (list, Some(source)),
        None => (list, None),
    };
    let (prefix, name) = match list.strip_prefix(':') {
        Some(name) => (":", name),
        None => list.rsplit_once('.').unwrap_or(("", list)),
    };
    let without: Vec<&str> = without.split(", ").collect();
    let table = TABLES.iter().find(|(known, ..)| *known == name);
    let columns = table.map_or(&[] as &[_], |(_, columns, _)| columns);
    let columns = columns.iter().filter(|column| !without.contains(column));
    match source {
        Some(source) => columns
            .map(|column| format!("{column} = {source}.{column}"))
            .collect::<Vec<_>>()
            .join(", "),
        None => prefixed(prefix, columns),
    }
}

/// Joins `columns`, each after `prefix` and a dot; no dot follows an empty prefix or a colon.
fn prefixed<'c>(prefix: &str, columns: impl Iterator<Item = &'c &'c str>) -> String {
    let dot = if matches!(prefix, "" | ":") { "" } else { "." };
    columns
        .map(|column| format!("{prefix}{dot}{column}"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Splits `text` at the first parameter: text before the parameter, its name, text after it. `::`
/// is a cast; a colon is not a parameter unless a lower-case letter or `_` follows.
fn next_parameter(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let colon = from + text.get(from..)?.find(':')?;
        let (before, after) = (text.get(..colon)?, text.get(colon + 1..)?);
        let end = after
            .find(|c: char| !c.is_ascii_lowercase() && c != '_')
            .unwrap_or(after.len());
        if end > 0 && !before.ends_with(':') {
            return Some((before, after.get(..end)?, after.get(end..)?));
        }
        from = colon + 1;
    }
}

/// Defines the struct of a statement with the constant SQL text `$text` for the backend `$backend`.
/// `$returns` has the SQL types of the returned columns. Each `$parameter` becomes a field of type
/// `$type`, bound with the SQL type `$sql`. A statement `chosen by` a field has one of several
/// texts: `$texts` is a static list of pairs, a value of the field and its text. `$name($base)` is
/// the statement `$base` with another text.
#[macro_export]
macro_rules! statement {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident<$life:lifetime> for $backend:ty, returns $returns:ty, text $text:expr,
        { $($parameters:tt)* }
    ) => {
        $crate::statement! {
            @parameters $(#[$meta])* $vis struct $name<$life> for $backend, {} { $($parameters)* }
        }
        $crate::statement_text!($name<'_>, $name<'static>, $backend, $returns, $text);
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident<$life:lifetime> for $backend:ty, returns $returns:ty,
        chosen by $by:ident: $key:ty, texts $texts:expr,
        { $($parameters:tt)* }
    ) => {
        $crate::statement! {
            @parameters $(#[$meta])* $vis struct $name<$life> for $backend,
            { $by: $key } { $($parameters)* }
        }
        $crate::statement_texts!($name<'_>, $backend, $returns, |statement| {
            let text = $texts.iter().find(|(key, _)| *key == statement.$by);
            let text = text.map(|(_, text)| text);
            text.ok_or_else(|| $crate::unknown_parameter(stringify!($by)))
        });
    };
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident<$life:lifetime>($base:ident) for $backend:ty,
        returns $returns:ty, text $text:expr,
    ) => {
        $(#[$meta])*
        $vis struct $name<$life>($vis $base<$life>);

        impl $crate::Parameters<$backend> for $name<'_> {
            fn bind<'b>(
                &'b self,
                name: &str,
                out: &mut diesel::query_builder::AstPass<'_, 'b, $backend>,
            ) -> diesel::QueryResult<()> {
                $crate::Parameters::bind(&self.0, name, out)
            }
        }

        $crate::statement_text!($name<'_>, $name<'static>, $backend, $returns, $text);
    };
    (
        @parameters $(#[$meta:meta])* $vis:vis struct $name:ident<$life:lifetime> for $backend:ty,
        { $($by:ident: $key:ty)? }
        { $($(#[$field_meta:meta])* $parameter:ident: $type:ty = $sql:ty,)* }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy)]
        $vis struct $name<$life> {
            $($vis $by: $key,)?
            $($(#[$field_meta])* $vis $parameter: $type,)*
        }

        impl $crate::Parameters<$backend> for $name<'_> {
            fn bind<'b>(
                &'b self,
                name: &str,
                out: &mut diesel::query_builder::AstPass<'_, 'b, $backend>,
            ) -> diesel::QueryResult<()> {
                match name {
                    $(stringify!($parameter) => out.push_bind_param::<$sql, _>(&self.$parameter),)*
                    _ => Err($crate::unknown_parameter(name)),
                }
            }
        }
    };
}

/// Implements diesel's query traits for a type that has [`Parameters`] and several SQL texts. The
/// function `$text` returns the text for a value of the type. The type has no static id, so that
/// each connection prepares each text once.
#[macro_export]
macro_rules! statement_texts {
    (@id $id:ty, $is_static:literal, $name:ty, $backend:ty, $returns:ty, $text:expr) => {
        impl diesel::query_builder::QueryFragment<$backend> for $name {
            fn walk_ast<'b>(
                &'b self,
                mut out: diesel::query_builder::AstPass<'_, 'b, $backend>,
            ) -> diesel::QueryResult<()> {
                let text: fn(&Self) -> diesel::QueryResult<&'static $crate::SqlText> = $text;
                text(self)?.write(self, &mut out)
            }
        }

        impl diesel::query_builder::QueryId for $name {
            type QueryId = $id;
            const HAS_STATIC_QUERY_ID: bool = $is_static;
        }

        impl diesel::query_builder::Query for $name {
            type SqlType = $returns;
        }

        impl<C> diesel::RunQueryDsl<C> for $name {}
    };
    ($name:ty, $backend:ty, $returns:ty, $text:expr) => {
        $crate::statement_texts!(@id (), false, $name, $backend, $returns, $text);
    };
}

/// Implements diesel's query traits for a type that has [`Parameters`] and the constant SQL text
/// `$text`.
#[macro_export]
macro_rules! statement_text {
    ($name:ty, $id:ty, $backend:ty, $returns:ty, $text:expr) => {
        $crate::statement_texts!(@id $id, true, $name, $backend, $returns, |_| {
            static TEXT: std::sync::LazyLock<$crate::SqlText> =
                std::sync::LazyLock::new(|| $text);
            Ok(&TEXT)
        });
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<Piece> {
        SqlText::new(text, &[("limit", "LIMIT :limit -- rows")]).pieces
    }

    #[test]
    fn a_text_is_cut_at_its_parameters() {
        let sql = |sql: &str| Piece::Sql(sql.to_owned());
        let parameter = |name: &str| Piece::Parameter(name.to_owned());
        assert_eq!(
            pieces("SELECT 'a:' || :key::text -- why: not\n    FROM t\n{limit}"),
            [
                sql("SELECT 'a:' || "),
                parameter("key"),
                sql("::text FROM t LIMIT "),
                parameter("limit"),
                sql("")
            ]
        );
    }

    #[test]
    fn columns_are_those_of_the_table() {
        let all = "store_id, currency, valid_from, amount";
        let with = |prefix: &str| {
            let columns = all.split(", ").map(|column| format!("{prefix}.{column}"));
            columns.collect::<Vec<_>>().join(", ")
        };
        for (text, expected) in [
            ("{prices}", format!("sku, {all}")),
            ("prices.*", format!("prices.sku, {}", with("prices"))),
            ("ROW(prices.*)", format!("ROW({})", with("prices"))),
            ("{given.prices without sku}", with("given")),
            (
                "{:prices without store_id, currency}",
                ":sku, :valid_from, :amount".to_owned(),
            ),
            (
                "{prices = new without sku, store_id, currency}",
                "valid_from = new.valid_from, amount = new.amount".to_owned(),
            ),
        ] {
            assert_eq!(expanded(text, &[]), expected);
        }
    }
}
