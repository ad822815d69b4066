//! Tables of a distributed database, and the functions that write a store's orders there.

use diesel::connection::SimpleConnection as _;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::Text;
use pressline_domain::catalog::CatalogVersion;
use pressline_domain::order::{NewOrder, Order, OrderWrite};
use pressline_domain::value::ServiceOrderId;
use pressline_store_kit::{ChangeRows, CorrectionRow, OrderJob, ShipmentRow};
use pressline_store_postgres::test_support::{
    BY_STORE, ON_EVERY_NODE, job, keeps_plans, patient, probe_plans, write_jobs,
};
use pressline_store_postgres::{CitusUse, PostgresConfig, PostgresStore};
use pressline_testkit::{Citus, Database};

use crate::changes::changed;
use crate::databases::{connection, execute, prepared};
use crate::{databases, fixtures, orders};

diesel::table! {
    /// Tables of the database.
    pg_tables (tablename) {
        schemaname -> Text,
        tablename -> Text,
    }
}

/// Tables that stay on the node that servers connect to. A write probe must not fail while another
/// node is down, and migrations write the other two tables.
const ON_ONE_NODE: [&str; 3] = [
    "write_probe",
    "pressline_migration_lock",
    "pressline_migrations",
];

#[tokio::test]
async fn each_table_is_in_one_list() {
    let (database, _store) = prepared(&patient(), 0).await;
    let mut names: Vec<String> = pg_tables::table
        .filter(pg_tables::schemaname.eq("public"))
        .select(pg_tables::tablename)
        .load(&mut connection(&database))
        .unwrap();
    let mut listed = [&BY_STORE[..], &ON_EVERY_NODE, &ON_ONE_NODE].concat();
    names.sort();
    listed.sort_unstable();
    assert_eq!(names, listed);
}

/// Function of another version. No server calls it.
const UNUSED: &str = "place_orders_0123456789abcdef";

#[tokio::test(flavor = "multi_thread")]
async fn missing_functions_are_created_at_the_next_write() {
    let (database, store) = prepared(&by_functions(), 1).await;
    for number in [1, 2] {
        let order = orders::create(&store, number, 2).await.unwrap();
        assert_eq!(orders::find(&store, number).await.unwrap(), Some(order));
        execute(
            &database,
            &format!("DROP FUNCTION {}", functions(&database).join(", ")),
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unused_functions_of_other_versions_are_dropped() {
    let Some(cluster) = Citus::start(2).unwrap() else {
        return;
    };
    let database = cluster.create_database().unwrap();
    let store = PostgresStore::connect(database.url(), &patient()).unwrap();
    databases::prepare(&store, 1).await;
    store.distribute().await.unwrap();
    let mut connection = PgConnection::establish(database.url()).unwrap();
    let of_this_version = names(&mut connection);
    assert_eq!(of_this_version.len(), 2, "{of_this_version:?}");
    let create = format!("CREATE FUNCTION {UNUSED}() RETURNS integer LANGUAGE sql AS 'SELECT 1'");
    connection.batch_execute(&create).unwrap();
    let mut server = PgConnection::establish(database.url()).unwrap();
    server.batch_execute(&format!("SELECT {UNUSED}()")).unwrap();
    store.migrate().await.unwrap();
    assert_eq!(
        names(&mut connection).len(),
        3,
        "a server called the function last"
    );
    server.batch_execute("SELECT 1").unwrap();
    store.migrate().await.unwrap();
    assert_eq!(names(&mut connection), of_this_version);
    // The installed version of Citus is a known version, so that the probe can be compared.
    assert_eq!(
        probe_plans(&mut connection),
        keeps_plans(&mut connection).unwrap()
    );
}

fn by_functions() -> PostgresConfig {
    PostgresConfig {
        citus: CitusUse::Always,
        ..patient()
    }
}

fn functions(database: &Database) -> Vec<String> {
    names(&mut connection(database))
}

/// Names of the functions that write orders.
fn names(connection: &mut PgConnection) -> Vec<String> {
    sql::<Text>(
        "SELECT proname::text FROM pg_proc WHERE proname ~ '^(place|change)_orders_' ORDER BY 1",
    )
    .load(connection)
    .unwrap()
}

#[tokio::test]
async fn functions_and_statements_write_the_same_rows() {
    let by_statements = written(false).await;
    let by_functions = written(true).await;
    assert!(by_statements.len() > 60, "{by_statements:#?}");
    assert_eq!(by_statements, by_functions);
}

/// Writes the same groups of orders to a new database. Returns the result of each write, and then
/// each row.
async fn written(by_functions: bool) -> Vec<String> {
    let (database, _store) = prepared(&patient(), 2).await;
    let mut results = Vec::new();
    let mut write = |mut jobs: Vec<OrderJob>| {
        let of_group = write_jobs(&mut connection(&database), &mut jobs, by_functions);
        results.extend(of_group.unwrap());
    };
    write(new_orders());
    // As after the last order of a chunk.
    execute(
        &database,
        "UPDATE store_counters
         SET chunk = 2, chunk_from = newest_id || '+', chunks_from = chunks_from || (newest_id || '+')",
    );
    // A server with a slow clock.
    write(vec![create(fixtures::order(11, 1))]);
    write(vec![
        create(fixtures::order(40, 2)),
        change(1, 1, shorter),
        create(fixtures::order(41, 2)),
        change(20, 4, moved),
    ]);
    write(changes());
    write(vec![create_of_an_unknown_store()]);
    for table in BY_STORE {
        let rows: Vec<String> = sql::<Text>(&format!(
            "SELECT '{table} ' || {table}::text FROM {table} ORDER BY 1"
        ))
        .load(&mut connection(&database))
        .unwrap();
        results.extend(rows);
    }
    results
}

fn create(order: NewOrder) -> OrderJob {
    job(OrderWrite::create(order)).unwrap()
}

/// Several orders of one store, with duplicates and an order of another catalog.
fn new_orders() -> Vec<OrderJob> {
    let with_catalog = |number, version| {
        let write = OrderWrite::create(fixtures::order(number, 2));
        job(write.priced_with(CatalogVersion(version))).unwrap()
    };
    vec![
        create(fixtures::order(1, 3)),
        create(fixtures::order(10, 1)),
        with_catalog(20, 1),
        create(fixtures::order(10, 1)),
        with_catalog(21, 77),
        create(fixtures::order(30, 2)),
        create(fixtures::order(1, 3)),
    ]
}

fn create_of_an_unknown_store() -> OrderJob {
    let mut parts = fixtures::parts(50, 1);
    parts.store_id = fixtures::store_id(9);
    create(fixtures::placed(parts))
}

/// The order with the given fixture's number, as stored with `sequence`.
fn stored(number: u32, items: u32, order_number: i64, sequence: u64) -> Order {
    let name = ServiceOrderId {
        prefix: fixtures::store(1).store.prefix,
        number: order_number,
    };
    fixtures::order(number, items)
        .stored(name, sequence)
        .unwrap()
}

fn change(number: u32, order_number: i64, edit: fn(&mut ChangeRows)) -> OrderJob {
    let items = if number == 1 { 3 } else { 2 };
    let order = stored(number, items, order_number, 1);
    let mut parts = fixtures::parts(number, items - 1);
    parts.email = Some("new@example.com".to_owned());
    let mut job = job(OrderWrite::change(changed(&order, parts))).unwrap();
    let OrderJob::Change(rows) = &mut job else {
        unreachable!("the job is made of a change");
    };
    edit(rows);
    job
}

/// Keeps the new content, which has fewer items.
fn shorter(_: &mut ChangeRows) {}

/// Only the state changes.
fn moved(rows: &mut ChangeRows) {
    rows.content = None;
}

fn with_shipment(rows: &mut ChangeRows) {
    moved(rows);
    rows.shipment = Some(ShipmentRow {
        store_id: rows.store_id().to_owned(),
        order_uuid: rows.id().to_owned(),
        position: 0,
        id: format!("shipment of {}", rows.id()),
        tracking_number: Some("1Z999".to_owned()),
        document: "{}".to_owned(),
    });
    rows.corrections = (0..2)
        .map(|position| CorrectionRow {
            store_id: rows.store_id().to_owned(),
            order_uuid: rows.id().to_owned(),
            position,
            document: format!("{{\"line\":{position}}}"),
        })
        .collect();
}

/// The version after the changes before it.
fn second(rows: &mut ChangeRows) {
    with_shipment(rows);
    (rows.expected, rows.state.version) = (2, 3);
    rows.corrections.clear();
    if let Some(shipment) = &mut rows.shipment {
        shipment.tracking_number = None;
    }
}

/// Changes of one store: stored, stale, twice of an order, with another catalog, of a missing order.
fn changes() -> Vec<OrderJob> {
    let other_catalog = |rows: &mut ChangeRows| rows.priced_with = Some(77);
    let same_catalog = |rows: &mut ChangeRows| rows.priced_with = Some(1);
    vec![
        change(1, 1, shorter),
        change(30, 6, other_catalog),
        change(30, 6, same_catalog),
        change(30, 6, with_shipment),
        change(40, 8, with_shipment),
        change(20, 4, second),
        change(99, 99, shorter),
    ]
}
