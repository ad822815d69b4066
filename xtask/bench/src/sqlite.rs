//! The reference for SQLite: copies orders that the service has written into a file with the same
//! tables, one transaction per order.

use std::path::Path;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::BigInt;
use diesel::sqlite::Sqlite;
use diesel::{Connection, QueryResult, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};

use crate::database::TextRow;
use crate::error::BenchError;
use crate::figures::{Figure, Latencies, Round, in_time};
use crate::process;

/// The service's settings: every commit waits for the disk.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA busy_timeout = 5000; PRAGMA temp_store = MEMORY;";
/// Upper bound on orders per second; sets how many orders are prepared.
const FASTEST: f64 = 5_000.0;
const NEXT: &str = include_str!("next.sql");
/// Target and source tables that are copied without their first column.
const TABLES: [(&str, &str); 3] = [
    ("line_items", "next_items"),
    ("order_states", "next_states"),
    ("order_events", "next_events"),
];

#[derive(QueryableByName)]
struct RowId {
    #[diesel(sql_type = BigInt)]
    row_id: i64,
}

/// Copies the next orders of the service's `file` to `copy` for `duration`.
pub(crate) fn transaction_per_order(
    file: &Path,
    copy: &Path,
    duration: Duration,
) -> Result<Round, BenchError> {
    let mut connection = SqliteConnection::establish(&copy.display().to_string())?;
    connection.batch_execute(SETTINGS)?;
    connection.batch_execute(&format!("ATTACH '{}' AS service", file.display()))?;
    let count = in_time(FASTEST, duration).to_string();
    connection.batch_execute(&NEXT.replace("{count}", &count))?;
    let next: Vec<RowId> =
        sql_query("SELECT row_id FROM next_orders ORDER BY row_id").load(&mut connection)?;
    let statements = statements(&mut connection)?;
    let (begin, cpu) = (Instant::now(), process::own_cpu()?);
    let mut latencies = Latencies::default();
    for RowId { row_id } in next {
        if begin.elapsed() >= duration && latencies.count() > 0 {
            break;
        }
        let start = Instant::now();
        connection.immediate_transaction(|connection| {
            let execute = |sql| Copy { sql, row_id }.execute(connection).map(drop);
            statements.iter().map(String::as_str).try_for_each(execute)
        })?;
        latencies.push(start.elapsed());
    }
    let order_count = latencies.count() as f64;
    let cpu = (process::own_cpu()? - cpu) / order_count * 1000.0;
    Ok(
        Round::new(Figure::Rate, order_count / begin.elapsed().as_secs_f64()).with([
            (Figure::Operations, order_count),
            (Figure::P50, latencies.percentile(50)),
            (Figure::P99, latencies.percentile(99)),
            (Figure::ServiceCpu, cpu),
            (Figure::Cpu, cpu),
        ]),
    )
}

/// Statements that write an order. Each takes its row id as the argument.
fn statements(connection: &mut SqliteConnection) -> QueryResult<Vec<String>> {
    let mut statements = vec![
        "UPDATE store_counters SET last_number = last_number + 1, last_sequence = last_sequence + 1 \
         WHERE store_id = (SELECT store_id FROM next_orders WHERE row_id = "
            .to_owned(),
        "INSERT INTO main.orders SELECT * FROM (SELECT * FROM next_orders WHERE row_id = ".to_owned(),
        "INSERT INTO main.order_words (rowid, words) \
         SELECT * FROM (SELECT row_id, words FROM next_words WHERE row_id = "
            .to_owned(),
    ];
    for (table, source) in TABLES {
        let query = format!("SELECT name AS value FROM pragma_table_info('{table}')");
        let columns: Vec<TextRow> = sql_query(query).load(connection)?;
        let columns: Vec<String> = columns.into_iter().map(|column| column.value).collect();
        let columns = columns.join(", ");
        statements.push(format!(
            "INSERT INTO main.{table} ({columns}) SELECT * FROM (SELECT {columns} FROM {source} WHERE row_id = "
        ));
    }
    Ok(statements)
}

/// A statement that is prepared once per connection: diesel would prepare plain SQL each time.
struct Copy<'a> {
    sql: &'a str,
    row_id: i64,
}

impl QueryFragment<Sqlite> for Copy<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
        out.push_sql(self.sql);
        out.push_bind_param::<BigInt, i64>(&self.row_id)?;
        out.push_sql(")");
        Ok(())
    }
}

impl QueryId for Copy<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Copy<'_> {
    type SqlType = diesel::sql_types::Untyped;
}

impl<C> RunQueryDsl<C> for Copy<'_> {}
