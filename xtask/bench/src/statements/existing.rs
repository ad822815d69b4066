//! What pgbench does with orders that exist.

use std::collections::BTreeMap;

use super::{ITEM_ROW, NOW, Statements, hot_orders, values};
use crate::BenchError;
use crate::calls::{EVENTS, Kind, MOVED};
use crate::fill::{HOT_PERCENT, SERIES};
use crate::life::{COOLING_OFF, ON_HOLD, WINDOW_END};
use crate::pgbench::{Draw, Script};
use crate::sample::ITEMS;

/// Columns that an update replaces.
const CHANGED: [&str; 6] = [
    "email",
    "shipping_address",
    "billing_address",
    "customer_first_name",
    "customer_last_name",
    "bill",
];
/// The index of an order among the hot store's, of those that are moved.
const OF_MOVED: &str = ":j::bigint * 5";
/// The same of those that are not.
const OF_OTHERS: &str = "(:j::bigint + :j::bigint / 4 + 1)";
/// The columns of the event of a change.
const CHANGE_COLUMNS: &str = "store_id, sequence, order_uuid, version, happened_at, previous_sequence, previous_at, kind, \
    actor, actor_id, request_id, moves, changes";

impl Statements<'_> {
    /// The counterpart of a call about one of the store's filled orders.
    pub(crate) fn existing(&self, kind: Kind, orders: u64) -> Result<Script, BenchError> {
        let hot = hot_orders(orders);
        match kind {
            Kind::Get => {
                Ok(self.of_store(hot, found(":j::bigint") + " SELECT found::text FROM found"))
            }
            Kind::History => Ok(self.of_store(hot, history())),
            Kind::Move => Ok(self.of_store(hot.div_ceil(MOVED), moved())),
            Kind::Update => self.update(hot - hot.div_ceil(MOVED)),
        }
    }

    /// A script without values but the store's, for orders with indexes below a number.
    fn of_store(&self, below: u64, sql: String) -> Script {
        Script {
            sql,
            constants: BTreeMap::from([("store_id".to_owned(), self.store.store_id.clone())]),
            drawn: BTreeMap::from([("j", Draw::Uniform(0, below.saturating_sub(1)))]),
        }
    }

    /// Reads an order whole, and replaces its customer, addresses, bill and words. Like the service it leaves
    /// the items alone, because the request has none.
    fn update(&self, below: u64) -> Result<Script, BenchError> {
        let (mut script, values) = self.with_values(ITEMS)?;
        script
            .drawn
            .insert("j", Draw::Uniform(0, below.saturating_sub(1)));
        let changed: Vec<String> = CHANGED
            .iter()
            .filter_map(|column| Some(format!("{column} = {}", values.get(column)?)))
            .collect();
        script.sql = format!(
            "{}, who AS MATERIALIZED ({}), given AS MATERIALIZED ({}), \
             moved AS ({} RETURNING order_states.*, found.n, found.last_sequence AS previous, \
             found.updated_at AS previous_at), \
             events AS (INSERT INTO order_events ({CHANGE_COLUMNS}) \
             SELECT store_id, last_sequence, id, version, updated_at, previous, previous_at, 'order.updated', 'store', \
             id, id, '[]', (SELECT {CHANGES} FROM found) FROM moved), \
             changed AS (UPDATE orders SET {}, priced_at = {NOW}, \
             art = orders.art, fingerprint = orders.fingerprint FROM moved, who \
             WHERE orders.store_id = :store_id::text AND orders.id = moved.id \
             RETURNING orders.id, orders.order_id, orders.number), \
             words AS (UPDATE order_words SET words = {} FROM changed, who \
             WHERE order_words.store_id = :store_id::text AND order_words.id = changed.id), \
             outdated AS (INSERT INTO changed_words (store_id, id, replaced) SELECT store_id, id, version - 1 FROM moved) \
             SELECT found::text FROM found",
            found(OF_OTHERS),
            values::customer(),
            self.items(ITEMS),
            new_state("items = found.states"),
            changed.join(", "),
            values::words(
                "changed.order_id",
                "changed.number",
                "changed.id",
                ":prefix::text",
                &values::word_prefix(":store_id::text", "order_words.chunk")
            ),
        );
        Ok(script)
    }
}

/// About as many bytes as the service keeps of an update: each changed field of the addresses, before and after.
const CHANGES: &str = "shipping_address || billing_address || bill || left(billing_address, 180)";

/// Reads the order at an index among the hot store's whole, as the relation `found`.
fn found(index: &str) -> String {
    format!(
        "WITH found AS MATERIALIZED (SELECT orders.*, order_states.version, order_states.updated_at, \
         order_states.last_sequence, order_states.items AS states, orders.number AS n, {ITEM_ROW} AS items, \
         order_states.items LIKE '%\"on-hold\"%' AS is_held FROM orders \
         JOIN order_states USING (store_id, id) WHERE store_id = :store_id::text AND order_id = {})",
        order_id(index)
    )
}

/// Changes the state of the order in `found`, if it is still as it was read.
fn new_state(changes: &str) -> String {
    format!(
        "UPDATE order_states SET version = found.version + 1, updated_at = {NOW}, \
         last_sequence = nextval('bench_number'), {changes} FROM found \
         WHERE order_states.store_id = :store_id::text AND order_states.id = found.id \
         AND order_states.version = found.version"
    )
}

/// Reads an order whole, and puts its items on hold or releases them.
fn moved() -> String {
    let free = format!("\"cooling-off\",{WINDOW_END}");
    let held = format!("\"on-hold\",{WINDOW_END},null,\"cooling-off\",\"store\"");
    let state = new_state(&format!(
        "due_at = CASE WHEN is_held THEN {WINDOW_END} END, items = CASE WHEN is_held \
         THEN replace(found.states, '{held}', '{free}') ELSE replace(found.states, '{free}', '{held}') END, \
         status_mask = CASE WHEN is_held THEN {COOLING_OFF} ELSE {ON_HOLD} END"
    ));
    // Before and after, for each item.
    let change = |field: &str, kind: &str, value: &str| {
        let value = format!("{{\"{kind}\":\"{value}\"}}");
        format!(
            "'[\"childDetails[' || line_items.id || '].{field}\",' || \
             CASE WHEN is_held THEN '{value},\"none\"]' ELSE '\"none\",{value}]' END"
        )
    };
    format!(
        "{}, moved AS ({state} RETURNING order_states.*, is_held, found.last_sequence AS previous, \
         found.updated_at AS previous_at), \
         events AS (INSERT INTO order_events ({CHANGE_COLUMNS}) \
         SELECT store_id, last_sequence, id, version, updated_at, previous, previous_at, \
         CASE WHEN is_held THEN 'order.released' ELSE 'order.held' END, 'store', id, id, \
         '[[[\"' || ids || CASE WHEN is_held THEN '\"],\"cooling-off\",\"on-hold\"]]' \
         ELSE '\"],\"on-hold\",\"cooling-off\"]]' END, '[' || changes || ']' \
         FROM moved CROSS JOIN LATERAL (SELECT string_agg(line_items.id, '\",\"') AS ids, \
         string_agg({} || ',' || {}, ',') AS changes FROM line_items \
         WHERE line_items.store_id = moved.store_id AND line_items.order_uuid = moved.id) AS items) \
         SELECT found::text FROM found",
        found(OF_MOVED),
        change("returnsTo", "status", "cooling-off"),
        change("heldBy", "holder", "store"),
    )
}

/// Reads the latest events of an order, each through the one after it.
fn history() -> String {
    format!(
        "WITH RECURSIVE chain AS (SELECT order_events.*, 1 AS place FROM orders \
         JOIN order_states USING (store_id, id) \
         JOIN order_events ON order_events.store_id = :store_id::text AND sequence = last_sequence \
         WHERE orders.store_id = :store_id::text AND order_id = {} \
         UNION ALL SELECT order_events.*, place + 1 FROM chain \
         JOIN order_events ON order_events.store_id = :store_id::text \
         AND order_events.sequence = chain.previous_sequence WHERE place < {EVENTS}) \
         SELECT string_agg(chain::text, ',') FROM chain",
        order_id(":j::bigint")
    )
}

/// The order id of the hot store's filled order with an index.
fn order_id(index: &str) -> String {
    format!(
        "'{SERIES}-' || lpad(({index} / {HOT_PERCENT} * 100 + {index} % {HOT_PERCENT})::text, 8, '0')"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PostgreSQL divides whole numbers as Rust does.
    #[test]
    fn orders_are_moved_or_updated_but_not_both() {
        assert_eq!(OF_MOVED, format!(":j::bigint * {MOVED}"));
        let others: Vec<u64> = (0..8).map(|j| j + j / (MOVED - 1) + 1).collect();
        assert_eq!(others, [1, 2, 3, 4, 6, 7, 8, 9]);
    }
}
