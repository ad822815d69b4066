//! SQL texts specific to PostgreSQL, for the statements that PostgreSQL and SQLite share.

use pressline_store_kit::{Dialect, RowLocks, ShipmentKey, ShipmentTexts};

pub(crate) const DIALECT: Dialect = Dialect {
    locks: RowLocks {
        shared: "FOR SHARE",
        exclusive: "FOR UPDATE",
    },
    counters: "event_counters",
    begin_store: "INSERT INTO event_counters (store_id, last_sequence) VALUES (:store_id, 0)",
    // An array rather than a subquery, because the planner reads an index by its elements.
    in_texts: "= ANY(ARRAY(SELECT json_array_elements_text({}::json)))",
    in_numbers: "= ANY(ARRAY(SELECT json_array_elements_text({}::json)::bigint))",
    rows,
    retired: ["NOT retired", "retired"],
    shipments: ShipmentTexts {
        of_any: |key| {
            Some(with_key(
                include_str!("order/sql/shipments_of_any.sql"),
                key,
            ))
        },
        of_one: |key| with_key(include_str!("order/sql/shipments_of_one.sql"), key),
    },
    number_of_any: include_str!("order/sql/number_of_any.sql"),
    // In a cluster, these are facts about the connected node only.
    facts: "
        SELECT
            current_setting('server_version'),
            pg_database_size(current_database()),
            (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
    // A restored dump is another database. A promoted replica begins another timeline, and
    // so does a restore to a point in time.
    identity: "
        SELECT
            system_identifier
            || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
            || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
        FROM pg_control_system()",
    clock: Some("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"),
};

fn rows(columns: &[(&str, &str)]) -> String {
    let columns = columns.iter().map(|(name, kind)| format!("{name} {kind}"));
    let columns: Vec<String> = columns.collect();
    format!(
        "json_to_recordset(:rows::json) AS given({})",
        columns.join(", ")
    )
}

fn with_key(text: &str, key: ShipmentKey) -> String {
    let is_wanted = match key {
        ShipmentKey::Id => "shipments.id = :wanted",
        ShipmentKey::TrackingNumber => "tracking_number = :wanted",
        ShipmentKey::OfOrdersBefore => "order_uuid < :wanted",
    };
    text.replace("{is_wanted}", is_wanted)
}
