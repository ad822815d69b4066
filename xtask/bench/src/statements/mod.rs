//! What pgbench does in the service's own tables: the same rows and indexes as the service writes,
//! one statement an operation.

mod existing;
mod values;

use std::collections::BTreeMap;

use crate::BenchError;
use crate::fill::HOT_PERCENT;
use crate::life::{COOLING_OFF, EVENT_COLUMNS, STATE_COLUMNS, WINDOW, WINDOW_END};
use crate::pgbench::{Draw, Script};
use crate::rows::{ITEM_COLUMNS, ORDER_COLUMNS, OrderNumber, Rows, StoreRef};
use crate::sample::{ITEMS, Samples};
use crate::zipf;

/// Order numbers come from a sequence: a counter's row, locked until the commit, would let
/// pgbench's clients commit only one after the other, which would flatter the service.
pub(crate) const SEQUENCE: &str = "CREATE SEQUENCE bench_number START 1000000000 CACHE 100";

/// Columns of numbers.
const NUMBERS: [&str; 3] = ["number", "priced_at", "size"];
/// The columns of an item that [`values::items`] has values for.
const ITEM_VALUES: [&str; 4] = ["name", "sku", "quantity", "ship_class"];
/// The artwork of all items, from the relation `given`.
const ART: &str =
    "(SELECT '[' || string_agg(given.art, ',' ORDER BY given.position) || ']' FROM given)";
/// An item with all that the service reads of it.
const ITEM_ROW: &str = "ARRAY(SELECT ROW(position, id, ref_id, name, name_given, sku, quantity, ship_class, \
    unit_cost) FROM line_items WHERE line_items.store_id = orders.store_id AND line_items.order_uuid = orders.id ORDER BY position)";
/// The chunk of the index of words that pgbench's orders belong to. The service never uses it, and as
/// with the service's latest chunk, they change only one part of the index.
const CHUNK: &str = "0";
/// The moment as milliseconds since 1970.
const NOW: &str = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// Takes a number from the sequence.
const NEXT_NUMBER: &str = "SELECT nextval('bench_number') AS n";
/// The number of the order serves as the sequence of its event.
const SAME_NUMBER: &str = "SELECT n AS sequence FROM keys";

/// Where the numbers of pgbench's orders come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// A sequence, with gaps and without waiting.
    Sequence,
    /// The store's counters, without gaps: their rows are locked until the commit.
    Counter,
}

/// Where a statement takes values of a new order from.
struct Source<'a> {
    /// The order's number, as the column `n` of a query.
    number: &'a str,
    /// The sequence of its event, as the column `sequence` of a query.
    sequence: &'a str,
    store: &'a str,
    prefix: &'a str,
}

/// Makes scripts for a filled database.
pub(crate) struct Statements<'a> {
    samples: &'a Samples,
    store: &'a StoreRef,
    /// File URLs and mockups of an item of each kind of product.
    urls: Vec<(String, String)>,
}

impl<'a> Statements<'a> {
    /// For orders of these products, of this store unless said otherwise.
    pub(crate) fn new(samples: &'a Samples, store: &'a StoreRef) -> Result<Self, BenchError> {
        Ok(Self {
            samples,
            store,
            urls: values::urls(samples)?,
        })
    }

    /// Creates an order of the store with so many items.
    pub(crate) fn create(&self, items: usize, numbers: Numbers) -> Result<Script, BenchError> {
        let (script, values) = self.with_values(items)?;
        let (number, sequence) = match numbers {
            Numbers::Sequence => (NEXT_NUMBER, SAME_NUMBER),
            Numbers::Counter => (
                "UPDATE store_counters SET last_number = last_number + 1 WHERE store_id = :store_id::text \
                 RETURNING last_number AS n",
                "UPDATE event_counters SET last_sequence = last_sequence + 1 FROM added \
                 WHERE event_counters.store_id = :store_id::text RETURNING last_sequence AS sequence",
            ),
        };
        let source = Source {
            number,
            sequence,
            store: ":store_id::text",
            prefix: ":prefix::text",
        };
        Ok(self.insert(script, &values, &source, items))
    }

    /// Creates an order of three items for one of so many stores, drawn by Zipf's law. They need no
    /// rows: orders have no foreign key to stores.
    pub(crate) fn create_for_stores(&self, stores: u64) -> Result<Script, BenchError> {
        let (mut script, values) = self.with_values(ITEMS)?;
        let law = Draw::Zipf(1, stores, zipf::EXPONENT);
        script.drawn.insert("store", law);
        let source = Source {
            number: NEXT_NUMBER,
            sequence: SAME_NUMBER,
            store: "'00000000-0000-7000-8000-' || lpad(:store::text, 12, '0')",
            prefix: "'B' || :store::text",
        };
        Ok(self.insert(script, &values, &source, ITEMS))
    }

    /// Completes a script.
    fn insert(
        &self,
        mut script: Script,
        values: &BTreeMap<&'static str, String>,
        source: &Source<'_>,
        items: usize,
    ) -> Script {
        let expression = |column: &&'static str| match *column {
            "id" | "store_id" | "prefix" => format!("keys.{column}"),
            "order_id" => ORDER_ID.to_owned(),
            "number" => "n".to_owned(),
            "priced_at" => "now".to_owned(),
            "art" => ART.to_owned(),
            "test" => "FALSE".to_owned(),
            name => values.get(name).cloned().unwrap_or_default(),
        };
        let values: Vec<String> = ORDER_COLUMNS.iter().map(expression).collect();
        script.sql = format!(
            "WITH n AS ({}), \
             hashed AS (SELECT n, md5(n::text || random()) AS hash, {NOW} AS now, {} AS store_id, \
             {} AS prefix FROM n), \
             keys AS (SELECT *, lpad(to_hex(now >> 16), 8, '0') || '-' || lpad(to_hex(now & 65535), 4, '0') || '-7' || \
             substr(hash, 1, 3) || '-8' || substr(hash, 4, 3) || '-' || substr(hash, 7, 12) AS id FROM hashed), \
             who AS MATERIALIZED ({}), given AS MATERIALIZED ({}), \
             added AS (INSERT INTO orders ({}, fingerprint) SELECT {}, decode(:fingerprint::text, 'hex') \
             FROM keys, who ON CONFLICT (store_id, order_id) DO NOTHING RETURNING store_id, id), \
             words AS (INSERT INTO order_words (store_id, id, chunk, words) SELECT added.store_id, added.id, {CHUNK}, {} \
             FROM added, keys, who), \
             items AS (INSERT INTO line_items ({}) SELECT added.store_id, added.id, given.position, \
             left(added.id, 24) || substr(md5(added.id || given.position), 1, 12), {}, TRUE, given.unit_cost FROM added, given), \
             {} \
             SELECT id FROM added",
            source.number,
            source.store,
            source.prefix,
            values::customer(),
            self.items(items),
            ORDER_COLUMNS.join(", "),
            values.join(", "),
            values::words(
                ORDER_ID,
                "n",
                "keys.id",
                "keys.prefix",
                &values::word_prefix("keys.store_id", CHUNK)
            ),
            ITEM_COLUMNS.join(", "),
            given_values().join(", "),
            life(source.sequence, items),
        );
        script
    }

    fn items(&self, count: usize) -> String {
        values::items(self.samples.products(), count, &self.urls)
    }

    /// A script without a statement, and an expression for each column of an order that it has
    /// values for.
    fn with_values(
        &self,
        items: usize,
    ) -> Result<(Script, BTreeMap<&'static str, String>), BenchError> {
        let mut sample = self.samples.order_of("P", 1, items);
        values::mark(&mut sample);
        let issued = OrderNumber {
            number: 1,
            created_at: 1_760_000_000_000,
        };
        let rows = Rows::of(self.samples, &sample, self.store, issued)?;
        let mut script = Script {
            drawn: values::drawn(),
            ..Script::default()
        };
        let constants = &mut script.constants;
        constants.insert("store_id".to_owned(), self.store.store_id.clone());
        constants.insert("prefix".to_owned(), self.store.prefix.clone());
        constants.insert("fingerprint".to_owned(), rows.fingerprint);
        let mut expressions = BTreeMap::new();
        for (column, value) in ORDER_COLUMNS.into_iter().zip(&rows.order) {
            let sql = if column == "email" {
                "'shop.' || :shop::text || '@orders.example.com'".to_owned()
            } else if OWN.contains(&column) {
                continue;
            } else if NUMBERS.contains(&column) {
                constants.insert(column.to_owned(), value.clone());
                format!(":{column}::bigint")
            } else {
                values::expression(value, column, constants)
            };
            expressions.insert(column, sql);
        }
        Ok((script, expressions))
    }
}

/// Columns whose values belong to one order alone, and are not taken from a sample.
const OWN: [&str; 7] = [
    "store_id",
    "id",
    "order_id",
    "prefix",
    "number",
    "art",
    "priced_at",
];
/// The order id that a client gives. It differs from the number, as the ids of stores do.
const ORDER_ID: &str = "'P-' || n * 3";

/// The state and the first event of an order, from the relations `added`, `keys` and `given`. The sequence of
/// the event is the column `sequence` of a query. The ids of items are those that the statement inserts.
fn life(sequence: &str, items: usize) -> String {
    format!(
        "sequenced AS ({sequence}), \
         states AS (INSERT INTO order_states ({}) \
         SELECT added.store_id, added.id, 1, keys.now, sequence, keys.now + 3600000, {WINDOW}, {items}, \
         '[[[1,{items}],\"cooling-off\",{WINDOW_END}]]', {COOLING_OFF} FROM added, keys, sequenced), \
         events AS (INSERT INTO order_events ({}) \
         SELECT added.store_id, sequence, added.id, 1, keys.now, 'order.created', 'store', added.id, added.id, \
         (SELECT '[[[\"' || string_agg(left(added.id, 24) || substr(md5(added.id || given.position), 1, 12), '\",\"') \
         || '\"],\"cooling-off\"]]' FROM given) FROM added, keys, sequenced)",
        STATE_COLUMNS.join(", "),
        EVENT_COLUMNS.join(", "),
    )
}

/// The values of an item, from the relation `given`.
fn given_values() -> [String; 4] {
    ITEM_VALUES.map(|column| format!("given.{column}"))
}

/// How many of the filled orders are the hot store's.
pub(crate) fn hot_orders(orders: u64) -> u64 {
    (orders / 100 * HOT_PERCENT).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::Kind;
    use crate::catalog;

    #[test]
    fn every_variable_of_a_statement_has_a_value() {
        let samples = Samples::new(catalog::products(1000));
        let store = StoreRef {
            store_id: "s".to_owned(),
            prefix: "HOT".to_owned(),
        };
        let statements = Statements::new(&samples, &store).unwrap();
        for script in [
            statements.create(ITEMS, Numbers::Sequence).unwrap(),
            statements.create(100, Numbers::Counter).unwrap(),
            statements.create_for_stores(200).unwrap(),
            statements.existing(Kind::Get, 1000).unwrap(),
            statements.existing(Kind::History, 1000).unwrap(),
            statements.existing(Kind::Update, 1000).unwrap(),
            statements.existing(Kind::Move, 1000).unwrap(),
        ] {
            let (parts, names) = script.parts();
            assert!(!names.is_empty());
            for part in parts {
                let rest = part.replace("::", "").replace("':'", "");
                let variable = rest.split(':').skip(1).any(|after| {
                    after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
                });
                assert!(!variable, "a variable without a value in {part}");
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
