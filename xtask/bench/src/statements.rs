//! What pgbench does in the service's own tables: the same rows and indexes as the service writes,
//! one statement an operation.

use std::collections::BTreeMap;

use pressline_kit::words::WordSet;

use crate::BenchError;
use crate::fill::{HOT_PERCENT, SERIES};
use crate::pgbench::Script;
use crate::rows::{ITEM_COLUMNS, ORDER_COLUMNS, OrderNumber, Rows, StoreRef};
use crate::sample::{ITEMS, Sample, Samples};

/// Order numbers come from a sequence: a counter's row, locked until the commit, would let
/// pgbench's clients commit only one after the other, which would flatter the service.
pub(crate) const SEQUENCE: &str = "CREATE SEQUENCE bench_number START 1000000000 CACHE 100";

const NUMBERS: [&str; 8] = [
    "number",
    "version",
    "created_at",
    "updated_at",
    "priced_at",
    "position",
    "quantity",
    "size",
];
/// The columns of an item that a script has variables for; see [`variable`].
const ITEM_VALUES: [&str; 7] = [
    "name",
    "sku",
    "quantity",
    "ship_class",
    "file_urls",
    "mockup_images",
    "areas",
];
/// An item with all that the service reads of it.
const ITEM_ROW: &str = "ARRAY(SELECT ROW(position, id, ref_id, name, name_given, sku, quantity, ship_class, \
    file_urls, mockup_images, areas, status, unit_cost) FROM line_items WHERE line_items.store_id = orders.store_id \
    AND line_items.order_uuid = orders.id ORDER BY position)";

/// Makes the scripts for one store of a filled database.
pub(crate) struct Statements<'a> {
    pub(crate) samples: &'a Samples,
    pub(crate) store: &'a StoreRef,
}

impl Statements<'_> {
    /// Creates an order of three items.
    pub(crate) fn create(&self) -> Result<Script, BenchError> {
        let mut script = self.with_values()?;
        let expression = |column: &&str| match *column {
            "id" => "keys.id".to_owned(),
            "order_id" => "'P-' || n".to_owned(),
            "number" => "n".to_owned(),
            "created_at" | "updated_at" | "priced_at" => "now".to_owned(),
            name if NUMBERS.contains(&name) => format!(":{name}::bigint"),
            name => format!(":{name}::text"),
        };
        let values: Vec<String> = ORDER_COLUMNS.iter().map(expression).collect();
        script.sql = format!(
            "WITH n AS (SELECT nextval('bench_number') AS n, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now), \
             keys AS (SELECT n, now, lpad(to_hex(now >> 16), 8, '0') || '-' || lpad(to_hex(now & 65535), 4, '0') || \
             '-7000-8000-' || lpad(to_hex(n), 12, '0') AS id FROM n), \
             added AS (INSERT INTO orders ({}, fingerprint, words) SELECT {}, decode(:fingerprint::text, 'hex'), {} \
             FROM keys ON CONFLICT (store_id, order_id) DO NOTHING RETURNING id), \
             items AS (INSERT INTO line_items ({}) SELECT :store_id::text, added.id, given.position, \
             left(added.id, 19) || '-' || right(added.id, 11) || given.position, {}, TRUE FROM added, {}) SELECT id FROM added",
            ORDER_COLUMNS.join(", "),
            values.join(", "),
            words("'p-' || n", "n::text", "keys.id"),
            ITEM_COLUMNS.join(", "),
            ITEM_VALUES
                .map(|column| format!("given.{column}"))
                .join(", "),
            given_items(),
        );
        Ok(script)
    }

    /// Reads one of the store's filled orders whole, and replaces what a client may change, its
    /// items included.
    pub(crate) fn update(&self, orders: u64) -> Result<Script, BenchError> {
        let mut script = self.with_values()?;
        script.drawn.insert("j", (0, hot_orders(orders) - 1));
        let kept = ITEM_VALUES
            .map(|column| format!("{column} = given.{column}"))
            .join(", ");
        script.sql = format!(
            "WITH found AS MATERIALIZED (SELECT orders.*, {ITEM_ROW} AS items FROM orders \
             WHERE store_id = :store_id::text AND order_id = {}), \
             changed AS (UPDATE orders SET version = orders.version + 1, \
             updated_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint, email = :email::text, \
             shipping_address = :shipping_address::text, billing_address = :billing_address::text, \
             customer_first_name = :customer_first_name::text, customer_last_name = :customer_last_name::text, \
             bill = :bill::text, priced_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint, \
             fingerprint = orders.fingerprint, words = {} FROM found \
             WHERE orders.store_id = :store_id::text AND orders.id = found.id AND orders.version = found.version \
             RETURNING orders.id), \
             kept AS (UPDATE line_items SET {kept} FROM changed, {} \
             WHERE line_items.store_id = :store_id::text AND line_items.order_uuid = changed.id \
             AND line_items.position = given.position) SELECT found::text FROM found",
            order_id(),
            words("lower(orders.order_id)", "orders.number::text", "orders.id"),
            given_items(),
        );
        Ok(script)
    }

    /// Finds one of the store's filled orders by its id among the search words, and reads it whole.
    pub(crate) fn get(&self, orders: u64) -> Script {
        let sql = format!(
            "WITH hits AS MATERIALIZED (SELECT created_at, id FROM orders WHERE store_id = :store_id::text AND words @@ \
             (chr(39) || :prefix::text || ':' || lower({}) || chr(39) || ':*')::tsquery) \
             SELECT found::text FROM (SELECT orders.*, {ITEM_ROW} AS items FROM \
             (SELECT created_at, id FROM hits ORDER BY created_at DESC, id DESC LIMIT 21) AS page \
             JOIN orders ON orders.id = page.id WHERE orders.store_id = :store_id::text \
             ORDER BY orders.created_at DESC, orders.id DESC) AS found",
            order_id()
        );
        let constants = BTreeMap::from([
            ("store_id".to_owned(), self.store.store_id.clone()),
            ("prefix".to_owned(), self.store.prefix.clone()),
        ]);
        Script {
            sql,
            constants,
            drawn: BTreeMap::from([("j", (0, hot_orders(orders) - 1))]),
        }
    }

    /// A script without a statement that has the values of an order as its variables.
    fn with_values(&self) -> Result<Script, BenchError> {
        let sample = self.samples.order("P", 1);
        let issued = OrderNumber {
            number: 1,
            created_at: 1_760_000_000_000,
        };
        let rows = Rows::of(self.samples, &sample, self.store, issued)?;
        let mut script = Script::default();
        let own = [
            "id",
            "order_id",
            "number",
            "created_at",
            "updated_at",
            "priced_at",
        ];
        for (name, value) in ORDER_COLUMNS
            .into_iter()
            .zip(rows.order)
            .filter(|(name, _)| !own.contains(name))
        {
            script.constants.insert(name.to_owned(), value);
        }
        script.constants.extend([
            ("fingerprint".to_owned(), rows.fingerprint),
            ("words".to_owned(), self.common_words(&sample)),
        ]);
        for (position, item) in rows.items.into_iter().enumerate() {
            let values = ITEM_COLUMNS
                .into_iter()
                .zip(item)
                .filter(|(column, _)| ITEM_VALUES.contains(column))
                .map(|(column, value)| (variable(column, position), value));
            script.constants.extend(values);
        }
        script.drawn = BTreeMap::from([("a", (201, 980)), ("b", (100, 999)), ("c", (1000, 9999))]);
        Ok(script)
    }

    /// The words that orders share, with the store's prefix, and spaces between them.
    fn common_words(&self, sample: &Sample) -> String {
        let mut words = WordSet::new();
        for text in [
            &sample.customer.first_name,
            &sample.customer.last_name,
            &sample.email,
        ] {
            words.text(text);
        }
        for item in &sample.line_items {
            words.text(&item.sku).text(&item.name);
        }
        let words: Vec<String> = words
            .reduced()
            .iter()
            .map(|word| format!("{}:{word}", self.store.prefix))
            .collect();
        words.join(" ")
    }
}

/// How many of the filled orders are the hot store's.
pub(crate) fn hot_orders(orders: u64) -> u64 {
    (orders / 100 * HOT_PERCENT).max(1)
}

/// The order id of the hot store's filled order `j`.
fn order_id() -> String {
    format!(
        "'{SERIES}-' || lpad((:j::bigint / {HOT_PERCENT} * 100 + :j::bigint % {HOT_PERCENT})::text, 8, '0')"
    )
}

/// The words of an order: those that are the same in all, and those of its own ids, email and phone
/// number. Like the service it leaves out words that begin another one (`1` of the country code
/// begins the whole phone number).
fn words(order_id: &str, number: &str, id: &str) -> String {
    let mut own = vec![
        order_id.to_owned(),
        format!("lower(:prefix::text) || '-' || {number}"),
        number.to_owned(),
    ];
    own.push(id.to_owned());
    own.push(format!("'buyer.p' || {number} || '@mail.example.com'"));
    own.push(format!("'p' || {number}"));
    let phone = [
        ":c::text",
        ":b::text || :c::text",
        ":a::text || :b::text || :c::text",
        "'1' || :a::text || :b::text || :c::text",
    ];
    own.extend(
        ["'mail.example.com'"]
            .into_iter()
            .chain(phone)
            .map(str::to_owned),
    );
    let own: Vec<String> = own
        .iter()
        .map(|word| format!(":prefix::text || ':' || {word}"))
        .collect();
    format!(
        "array_to_tsvector(string_to_array(:words::text, ' ') || ARRAY[{}])",
        own.join(", ")
    )
}

/// Returns the name of the variable for the value of an item.
fn variable(column: &str, position: usize) -> String {
    format!("{column}{position}")
}

/// Returns the items as rows of values.
fn given_items() -> String {
    let row = |position: usize| {
        let value = |column: &str| {
            let kind = if NUMBERS.contains(&column) {
                "integer"
            } else {
                "text"
            };
            format!(":{}::{kind}", variable(column, position))
        };
        format!("({position}, {})", ITEM_VALUES.map(value).join(", "))
    };
    let rows: Vec<String> = (0..ITEMS).map(row).collect();
    let columns = ITEM_VALUES.join(", ");
    format!("(VALUES {}) AS given(position, {columns})", rows.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog;

    #[test]
    fn every_variable_of_a_statement_has_a_value() {
        let samples = Samples::new(catalog::products());
        let store = StoreRef {
            store_id: "s".to_owned(),
            prefix: "HOT".to_owned(),
        };
        let statements = Statements {
            samples: &samples,
            store: &store,
        };
        for script in [
            statements.create().unwrap(),
            statements.update(1000).unwrap(),
            statements.get(1000),
        ] {
            let (parts, names) = script.parts();
            assert!(!names.is_empty());
            for part in parts {
                let rest = part
                    .replace("::", "")
                    .replace("':'", "")
                    .replace("':*'", "");
                assert!(!rest.contains(':'), "a variable without a value in {part}");
            }
        }
    }

    #[test]
    fn the_hot_orders_are_those_of_the_fill() {
        assert_eq!(hot_orders(10_000), 3000);
        for j in [0, 29, 30, 31, 2999] {
            let index = j / HOT_PERCENT * 100 + j % HOT_PERCENT;
            assert_eq!(crate::fill::store_and_number(index, 50), (0, j + 1));
        }
    }
}
