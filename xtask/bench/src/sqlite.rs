//! The reference for SQLite: the service's own tables in a file, and a transaction an order.

use std::path::Path;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::sql_types::BigInt;
use diesel::{Connection, QueryResult, QueryableByName, RunQueryDsl, SqliteConnection, sql_query};

use crate::BenchError;
use crate::context::in_time;
use crate::database::Prepared;
use crate::figures::{Latencies, Round};
use crate::life::{EVENT_COLUMNS, STATE_COLUMNS};
use crate::process;
use crate::rows::{ITEM_COLUMNS, ORDER_COLUMNS, OrderNumber, Rows, StoreRef};
use crate::sample::Samples;

/// The service's settings: every commit waits for the disk.
const SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA busy_timeout = 5000;";

/// Rows that are made ready at most, about 2 GB. A longer measurement ends with them.
const MOST_ROWS: u64 = 300_000;

#[derive(QueryableByName)]
struct LastNumber {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Writes orders of a series one by one into a migrated file.
pub(crate) fn transaction_an_order(
    file: &Path,
    samples: &Samples,
    store: &StoreRef,
    series: &str,
    duration: Duration,
) -> Result<Round, BenchError> {
    let mut connection = SqliteConnection::establish(&file.display().to_string())?;
    connection.batch_execute(SETTINGS)?;
    let statements = statements();
    // Made before the measurement begins, like the requests to the service.
    let most = in_time(8_000, duration).min(MOST_ROWS);
    let last: LastNumber = sql_query("SELECT max(last_number) AS number FROM store_counters")
        .get_result(&mut connection)?;
    let first = last.number.unsigned_abs() + 1;
    let rows: Vec<Rows> = (first..first + most)
        .map(|number| {
            let issued = OrderNumber {
                number,
                created_at: 1_760_000_000_000 + number,
            };
            Rows::of(samples, &samples.order(series, number), store, issued)
        })
        .collect::<Result<_, _>>()?;
    let (begin, cpu) = (Instant::now(), process::own_cpu()?);
    let (mut done, mut latencies) = (0_u32, Latencies::default());
    for row in &rows {
        if begin.elapsed() >= duration {
            break;
        }
        let start = Instant::now();
        connection
            .immediate_transaction(|connection| insert(connection, store, row, &statements))?;
        latencies.push(start.elapsed());
        done += 1;
    }
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Round {
        operations: f64::from(done),
        rate: f64::from(done) / seconds,
        p50: Some(latencies.percentile(50)),
        p99: Some(latencies.percentile(99)),
        client_cpu: (process::own_cpu()? - cpu) / f64::from(done.max(1)) * 1000.0,
        ..Round::default()
    })
}

/// Takes the store's next numbers, and inserts an order with its words, items, state and first event.
fn insert(
    connection: &mut SqliteConnection,
    store: &StoreRef,
    row: &Rows,
    [order, words, item, state, event]: &[Vec<String>; 5],
) -> QueryResult<()> {
    let mut execute =
        |parts: &[String], arguments: Vec<&str>| Prepared { parts, arguments }.execute(connection);
    let counters = "UPDATE store_counters SET last_number = last_number + 1, last_sequence = last_sequence + 1 \
                    WHERE store_id = ";
    execute(&[counters.to_owned(), String::new()], vec![&store.store_id])?;
    let values = row.order.iter().chain([&row.fingerprint]);
    execute(order, values.map(String::as_str).collect())?;
    execute(words, vec![&tokens(&row.words)])?;
    for given in &row.items {
        execute(item, given.iter().map(String::as_str).collect())?;
    }
    execute(state, row.state.iter().map(String::as_str).collect())?;
    execute(event, row.event.iter().map(String::as_str).collect())?;
    Ok(())
}

/// The words in the shape that the service gives them: nothing in a token that the tokenizer would
/// split or fold.
fn tokens(words: &[String]) -> String {
    let token = |word: &String| {
        let letters = word.chars().map(|c| match c {
            'a'..='y' | '0'..='9' | '\u{80}'.. => c.to_string(),
            other => format!("z{:02x}", u32::from(other)),
        });
        format!("0001z{}", letters.collect::<String>())
    };
    words.iter().map(token).collect::<Vec<_>>().join(" ")
}

/// The statements that insert an order, its words, an item, a state and an event, each cut at its arguments.
fn statements() -> [Vec<String>; 5] {
    let values = |table: &str, columns: &[&str]| {
        let columns_text = columns.join(", ");
        let mut parts = vec![format!("INSERT INTO {table} ({columns_text}) VALUES (")];
        parts.extend(vec![", ".to_owned(); columns.len() - 1]);
        parts.push(")".to_owned());
        parts
    };
    let mut order = values("orders", &[&ORDER_COLUMNS[..], &["fingerprint"]].concat());
    // The last value is in hexadecimal digits.
    let end = order.len() - 2;
    order.splice(end.., [", unhex(".to_owned(), "))".to_owned()]);
    let words = vec![
        "INSERT INTO order_words (rowid, words) VALUES (last_insert_rowid(), ".to_owned(),
        ")".to_owned(),
    ];
    [
        order,
        words,
        values("line_items", &ITEM_COLUMNS),
        values("order_states", &STATE_COLUMNS),
        values("order_events", &EVENT_COLUMNS),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_have_a_place_for_each_value() {
        let [order, words, item, state, event] = statements();
        assert_eq!(order.len(), ORDER_COLUMNS.len() + 2);
        assert_eq!(words.len(), 2);
        assert_eq!(item.len(), ITEM_COLUMNS.len() + 1);
        assert_eq!(state.len(), STATE_COLUMNS.len() + 1);
        assert_eq!(event.len(), EVENT_COLUMNS.len() + 1);
    }

    #[test]
    fn tokens_hold_letters_and_digits_alone() {
        assert_eq!(
            tokens(&["a-1".to_owned(), "z".to_owned()]),
            "0001zaz2d1 0001zz7a"
        );
    }
}
