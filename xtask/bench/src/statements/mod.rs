//! pgbench scripts for the service's own tables. They write the same rows and indexes as the
//! service, with one statement per operation.

mod template;
mod values;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::context::Context;
use crate::error::BenchError;
use crate::pgbench::{Draw, Script};
use crate::request::{CREATE, EXPONENT};
use crate::sample::{ITEMS, Samples};
use crate::service::UNBOUNDED;
use crate::world::World;
use template::filled_in;

/// Order numbers come from a sequence. A counter row, locked until the commit, would let pgbench's
/// clients commit only one after the other, which would flatter the service. Event sequences use
/// the same numbers.
const SEQUENCE: &str = "CREATE SEQUENCE bench_number START 1000000000 CACHE 100";
/// Artwork of all items, from the relation `given`.
const ART: &str =
    "(SELECT '[' || string_agg(given.art, ',' ORDER BY given.position) || ']' FROM given)";
/// Current time in milliseconds since 1970.
const NOW: &str = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
/// Order id of the client. It differs from the number, as in real stores.
const ORDER_ID: &str = "'P-' || n * 3";
/// Columns that an update replaces.
const CHANGED: [&str; 6] = [
    "email",
    "shipping_address",
    "billing_address",
    "customer_first_name",
    "customer_last_name",
    "bill",
];

/// Makes scripts for a copy of a database. Their values are based on an order that the service has
/// written there.
pub(crate) struct Statements {
    /// Row of this order, by column.
    row: Map<String, Value>,
    hot_orders: u64,
    customer: String,
    items: String,
}

impl Statements {
    /// Lets the service write an order of the hot store with marks in place of variable values, and
    /// reads its row.
    pub(crate) fn new(
        context: &Context,
        samples: &Samples,
        world: &World,
    ) -> Result<Self, BenchError> {
        let mut sample = samples.order("MARKED", 1, ITEMS);
        values::mark(&mut sample);
        let server = world.serve(UNBOUNDED)?;
        server.call(&world.account(0)?.request(CREATE, &sample.body()))?;
        // `to_json`, so that each column's value is available by name.
        let row = format!(
            "SELECT to_json(orders)::text AS value FROM orders WHERE order_id = '{}'",
            sample.order_id
        );
        let row = context.cluster.text(&world.name, &row)?;
        // An order without the marks would give constant values instead of varied values.
        if !values::is_marked(&row) {
            return Err(format!("an order lacks values that vary: {row}").into());
        }
        context.cluster.run(&world.name, SEQUENCE)?;
        Ok(Self {
            row: serde_json::from_str(&row)?,
            hot_orders: world.orders_of(0),
            customer: values::customer(),
            items: values::items(samples)?,
        })
    }

    pub(crate) fn create(&self) -> Script {
        let (mut script, values) = self.with_values();
        script.sql = self.insert(&values, ":store_id::text", ":prefix::text");
        script
    }

    /// Creates an order of one of `stores` stores, drawn from a Zipf distribution. The stores need
    /// no rows: orders have no foreign key to stores.
    pub(crate) fn create_for_stores(&self, stores: usize) -> Script {
        let (mut script, values) = self.with_values();
        let law = Draw::Zipf(1, stores as u64, EXPONENT);
        script.drawn.insert("store", law);
        let store = "'00000000-0000-7000-8000-' || lpad(:store::text, 12, '0')";
        script.sql = self.insert(&values, store, "'B' || :store::text");
        script
    }

    fn insert(&self, values: &BTreeMap<&str, String>, store: &str, prefix: &str) -> String {
        let columns: Vec<&str> = values.keys().copied().collect();
        let expressions: Vec<&str> = values.values().map(String::as_str).collect();
        // The service never uses chunk 0, so pgbench's words do not mix with the service's.
        let chunk = values::word_prefix("keys.store_id", "0");
        let words = values::words(ORDER_ID, "n", "keys.id", "keys.prefix", &chunk);
        filled_in(
            include_str!("create.sql"),
            &[
                ("columns", &columns.join(", ")),
                ("values", &expressions.join(", ")),
                ("words", &words),
                ("customer", &self.customer),
                ("items", &self.items),
                ("store", store),
                ("prefix", prefix),
                ("now", NOW),
            ],
        )
    }

    pub(crate) fn get(&self) -> Script {
        Script {
            sql: filled_in(include_str!("get.sql"), &[]),
            constants: BTreeMap::from([("store_id".to_owned(), self.text("store_id"))]),
            drawn: BTreeMap::from([("j", self.draw_order())]),
        }
    }

    pub(crate) fn update(&self) -> Script {
        let (mut script, values) = self.with_values();
        script.drawn.insert("j", self.draw_order());
        let changed = CHANGED.iter().filter_map(|column| {
            let value = values.get(column)?;
            Some(format!("{column} = {value}"))
        });
        let chunk = values::word_prefix(":store_id::text", "order_words.chunk");
        let words = values::words(
            "changed.order_id",
            "changed.number",
            "changed.id",
            ":prefix::text",
            &chunk,
        );
        script.sql = filled_in(
            include_str!("update.sql"),
            &[
                ("changed", &changed.collect::<Vec<_>>().join(", ")),
                ("words", &words),
                ("customer", &self.customer),
                ("items", &self.items),
                ("now", NOW),
            ],
        );
        script
    }

    /// Draws the number of an order of the hot store.
    fn draw_order(&self) -> Draw {
        Draw::Uniform(0, self.hot_orders.saturating_sub(1))
    }

    fn text(&self, column: &str) -> String {
        let value = self.row.get(column).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    }

    /// Returns a script without a statement, and an SQL expression for each column of an order.
    fn with_values(&self) -> (Script, BTreeMap<&str, String>) {
        let constants = ["store_id", "prefix", "fingerprint"]
            .map(|column| (column.to_owned(), self.text(column)));
        let mut constants = BTreeMap::from(constants);
        let expression = |(column, value): (&_, &Value)| match (column, value) {
            // Values that every order computes anew; all other values come from the stored row.
            ("id" | "store_id" | "prefix", _) => format!("keys.{column}"),
            ("order_id", _) => ORDER_ID.to_owned(),
            ("number", _) => "n".to_owned(),
            ("priced_at", _) => "now".to_owned(),
            ("art", _) => ART.to_owned(),
            ("email", _) => "'shop.' || :shop::text || '@orders.example.com'".to_owned(),
            ("fingerprint", _) => ":fingerprint::bytea".to_owned(),
            (_, Value::String(text)) => values::expression(text, column, &mut constants),
            (_, other) => other.to_string(),
        };
        let columns = self.row.keys().map(String::as_str);
        let expressions = columns.clone().zip(self.row.values()).map(expression);
        let expressions = columns.zip(expressions.collect::<Vec<_>>()).collect();
        let script = Script {
            constants,
            drawn: values::drawn(),
            ..Script::default()
        };
        (script, expressions)
    }
}
