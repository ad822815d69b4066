//! Fills the service's tables with as many orders as wanted, straight by COPY.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use diesel::connection::SimpleConnection;
use diesel::pg::CopyFormat;
use diesel::{ExecuteCopyFromDsl, PgConnection};
use sha2::{Digest, Sha256};

use crate::BenchError;
use crate::database::{self, Cluster};
use crate::progress::{self, say};
use crate::rows::{OrderNumber, Rows, StoreRef};
use crate::sample::{Sample, Samples};

/// The series of the filled orders.
pub(crate) const SERIES: &str = "W";
/// Orders that are copied at a time.
const CHUNK: u64 = 5_000;
/// Orders of a chunk of the index of words, as in the service.
pub(crate) const ORDERS_OF_CHUNK: u64 = 4096;
/// From here on it pays to build the indexes afterwards.
const MANY: u64 = 5_000;
/// When the newest filled order was created: 2025-10-01.
const NEWEST: u64 = 1_759_276_800_000;
/// Milliseconds between two orders.
const INTERVAL: u64 = 30;

/// The tables as COPY addresses them. The types do not matter, as all values go over as text.
mod tables {
    diesel::table! {
        orders (id) {
            store_id -> Text, id -> Text, order_id -> Text, prefix -> Text, number -> Text, source -> Text,
            test -> Text, currency -> Text, email -> Text,
            shipping_address -> Text, billing_address -> Text, customer_first_name -> Text, customer_last_name -> Text,
            art -> Text, bill -> Text, priced_at -> Text, size -> Text, fingerprint -> Text,
        }
    }

    diesel::table! {
        order_words (id) {
            store_id -> Text, id -> Text, chunk -> Text, words -> Text,
        }
    }

    diesel::table! {
        line_items (id) {
            store_id -> Text, order_uuid -> Text, position -> Text, id -> Text, name -> Text, sku -> Text,
            quantity -> Text, ship_class -> Text, name_given -> Text, unit_cost -> Text,
        }
    }

    diesel::table! {
        order_states (id) {
            store_id -> Text, id -> Text, version -> Text, updated_at -> Text, last_sequence -> Text, due_at -> Text,
            cooling_off_seconds -> Text, item_count -> Text, items -> Text, status_mask -> Text,
        }
    }

    diesel::table! {
        order_events (sequence) {
            store_id -> Text, sequence -> Text, order_uuid -> Text, version -> Text, happened_at -> Text, kind -> Text,
            actor -> Text, actor_id -> Text, request_id -> Text, moves -> Text,
        }
    }
}

/// Copies the rows of a text into a table.
macro_rules! copy {
    ($connection:expr, $table:ident, $text:expr) => {
        diesel::copy_from(tables::$table::table)
            .from_raw_data(tables::$table::table, |out| {
                out.write_all($text.as_bytes()).map_err(boxed)
            })
            .with_format(CopyFormat::Text)
            .execute($connection)?
    };
}

/// The share of the first store, the hot one, in percent; the others have the rest in equal parts.
pub(crate) const HOT_PERCENT: u64 = 30;

/// Which store an order of the fill belongs to, and its number there, from 1.
///
/// In every hundred orders the first thirty are the hot store's; the rest go round the others.
pub(crate) fn store_and_number(index: u64, stores: u64) -> (u64, u64) {
    let (hundred, within) = (index / 100, index % 100);
    if within < HOT_PERCENT || stores < 2 {
        return (
            0,
            if stores < 2 {
                index
            } else {
                hundred * HOT_PERCENT + within
            } + 1,
        );
    }
    let cold = hundred * (100 - HOT_PERCENT) + within - HOT_PERCENT;
    (1 + cold % (stores - 1), cold / (stores - 1) + 1)
}

/// Full names of customers who order again and again: each has at least 21 orders in every store of
/// fifty with 10,000 orders or more, so that a page of them is full at every size. Each of the words
/// is common.
pub(crate) const REGULARS: [&str; 2] = ["Lucas Brown Parrish", "Emma Garcia Thorne"];
/// Orders of regular customers in each store.
const OF_REGULARS: u64 = 48;
/// A word that a third of the older orders have, and none of the newest 100,000 of the hot store.
pub(crate) const SEASONAL: &str = "winterfair";
/// Orders of all stores without the seasonal word: the newest ones, or half where there are fewer.
const NEWEST_WITHOUT: u64 = 100_000 * 100 / HOT_PERCENT;

/// The order at an index of a fill of so many orders for so many stores.
pub(crate) fn sample(samples: &Samples, index: u64, orders: u64, stores: u64) -> Sample {
    let mut sample = samples.order(SERIES, index);
    if is_seasonal(index, orders)
        && let Some(item) = sample.line_items.first_mut()
    {
        item.name = format!("{}, {SEASONAL} edition", item.name);
    }
    let (store, number) = store_and_number(index, stores);
    let of_store = match store {
        0 => orders * HOT_PERCENT / 100,
        _ => orders * (100 - HOT_PERCENT) / 100 / (stores - 1),
    };
    let stride = (of_store / OF_REGULARS).max(1);
    let turn = number / stride;
    if number.is_multiple_of(stride)
        && turn < OF_REGULARS
        && let Some((first, last)) = REGULARS
            .get(usize::from(turn % 2 == 1))
            .and_then(|name| name.split_once(' '))
    {
        for address in [&mut sample.shipping_address, &mut sample.billing_address] {
            (address.first_name, address.last_name) = (first.to_owned(), last.to_owned());
        }
        let customer = &mut sample.customer;
        (customer.first_name, customer.last_name) = (first.to_owned(), last.to_owned());
    }
    sample
}

/// Whether an order of a fill has the seasonal word.
fn is_seasonal(index: u64, orders: u64) -> bool {
    let without = NEWEST_WITHOUT.min(orders / 2);
    index + without < orders && index.is_multiple_of(3)
}

/// Brings the counters of the stores up to date.
const COUNTERS: &str = "
    UPDATE store_counters
    SET last_number = filled.last_number, newest_id = filled.newest_id, chunk = filled.chunk,
        chunk_from = filled.chunks_from[filled.chunk], chunks_from = filled.chunks_from
    FROM (
        SELECT store_id, sum(orders) AS last_number, max(newest_id) AS newest_id, max(chunk) AS chunk,
            array_agg(CASE chunk WHEN 1 THEN '' ELSE from_id END ORDER BY chunk) AS chunks_from
        FROM (
            SELECT store_id, chunk, count(*) AS orders, min(id) AS from_id, max(id) AS newest_id
            FROM order_words
            GROUP BY store_id, chunk
        ) AS chunks
        GROUP BY store_id
    ) AS filled
    WHERE store_counters.store_id = filled.store_id;
    UPDATE event_counters
    SET last_sequence = last_number
    FROM store_counters
    WHERE store_counters.store_id = event_counters.store_id";

/// Puts `orders` orders into a migrated database whose stores these are.
pub(crate) fn fill(
    cluster: &Cluster,
    database: &str,
    samples: &Samples,
    stores: &[StoreRef],
    orders: u64,
) -> Result<(), BenchError> {
    let begin = Instant::now();
    let mut connection = cluster.connect(database)?;
    let later = if orders >= MANY {
        drop_indexes(&mut connection)?
    } else {
        Vec::new()
    };
    say(&format!("fill {database} with {orders} orders"));
    let bar = progress::bar(orders);
    let next = AtomicU64::new(0);
    let copy = || -> Result<(), BenchError> {
        let mut connection = cluster.connect(database)?;
        // Filling is not measured, and need not survive a crash.
        connection.batch_execute("SET synchronous_commit = off")?;
        loop {
            let from = next.fetch_add(CHUNK, Ordering::Relaxed);
            if from >= orders {
                return Ok(());
            }
            let to = (from + CHUNK).min(orders);
            copy_chunk(&mut connection, samples, stores, (from, to), orders)?;
            bar.inc(to - from);
        }
    };
    thread::scope(|scope| {
        let copies = [scope.spawn(copy), scope.spawn(copy)];
        copies
            .into_iter()
            .try_for_each(|copy| copy.join().map_err(|_| "a thread that fills panicked")?)
    })?;
    bar.finish_and_clear();
    for statement in later {
        connection.batch_execute(&statement)?;
    }
    connection.batch_execute(COUNTERS)?;
    connection.batch_execute("VACUUM ANALYZE")?;
    cluster.settle()?;
    let seconds = begin.elapsed().as_secs_f64();
    say(&format!("{database} is filled after {seconds:.1} s"));
    Ok(())
}

fn copy_chunk(
    connection: &mut PgConnection,
    samples: &Samples,
    stores: &[StoreRef],
    (from, to): (u64, u64),
    total: u64,
) -> Result<(), BenchError> {
    let (mut orders, mut words, mut items) = (String::new(), String::new(), String::new());
    let (mut states, mut events) = (String::new(), String::new());
    for index in from..to {
        let (store, number) = store_and_number(index, stores.len() as u64);
        let store = stores
            .get(usize::try_from(store)?)
            .ok_or("there is no such store")?;
        let issued = OrderNumber {
            number,
            created_at: NEWEST - (total - index) * INTERVAL,
        };
        let order = sample(samples, index, total, stores.len() as u64);
        let rows = Rows::of(samples, &order, store, issued)?;
        write_order(&mut orders, &rows);
        write_words(&mut words, &rows, store);
        for item in &rows.items {
            write_row(&mut items, item.iter().map(String::as_str));
        }
        write_row(&mut states, rows.state.iter().map(String::as_str));
        write_row(&mut events, rows.event.iter().map(String::as_str));
    }
    copy!(connection, orders, orders);
    copy!(connection, order_words, words);
    copy!(connection, line_items, items);
    copy!(connection, order_states, states);
    copy!(connection, order_events, events);
    Ok(())
}

fn boxed(error: std::io::Error) -> diesel::result::Error {
    diesel::result::Error::SerializationError(error.into())
}

fn write_order(out: &mut String, rows: &Rows) {
    let fingerprint = format!("\\x{}", rows.fingerprint);
    let values = rows.order.iter().chain([&fingerprint]);
    write_row(out, values.map(String::as_str));
}

fn write_words(out: &mut String, rows: &Rows, store: &StoreRef) {
    let column = |at: usize| rows.order.get(at).map_or("", String::as_str);
    let (id, number) = (column(1), column(4));
    let chunk = chunk_of(number.parse().unwrap_or(1));
    let digest = Sha256::digest(format!("{}{chunk}", store.store_id));
    let digest = BASE64_STANDARD.encode(digest);
    let prefix = digest.get(..4).unwrap_or_default();
    let words = rows.words.iter().map(|word| lexeme(prefix, word));
    let words = words.collect::<Vec<_>>().join(" ");
    write_row(
        out,
        [&store.store_id, id, &chunk.to_string(), &words].into_iter(),
    );
}

/// The chunk of the index of words that the order with this number belongs to. Orders are filled in
/// the order of their ids.
fn chunk_of(number: u64) -> u64 {
    number.saturating_sub(1) / ORDERS_OF_CHUNK + 1
}

/// A word with the prefix of its chunk, as the text form of a tsvector quotes it.
fn lexeme(prefix: &str, word: &str) -> String {
    format!(
        "'{prefix}{}'",
        word.replace('\\', "\\\\").replace('\'', "''")
    )
}

/// A line of COPY's text format.
fn write_row<'a>(out: &mut String, values: impl Iterator<Item = &'a str>) {
    for (at, value) in values.enumerate() {
        if at > 0 {
            out.push('\t');
        }
        let mut rest = value;
        while let Some(at) = rest.find(['\\', '\t', '\n', '\r']) {
            let (plain, special) = rest.split_at(at);
            out.push_str(plain);
            out.push_str(match special.chars().next() {
                Some('\t') => "\\t",
                Some('\n') => "\\n",
                Some('\r') => "\\r",
                _ => "\\\\",
            });
            rest = special.get(1..).unwrap_or_default();
        }
        out.push_str(rest);
    }
    // Writing to a text cannot fail.
    let _ = writeln!(out);
}

/// Drops the indexes that no constraint needs; returns the statements that bring them back.
fn drop_indexes(connection: &mut PgConnection) -> Result<Vec<String>, BenchError> {
    let index = "FROM pg_index \
        WHERE indrelid IN ('orders'::regclass, 'order_words'::regclass, 'line_items'::regclass, 'order_states'::regclass) \
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)";
    let texts = |connection: &mut PgConnection, expression: &str| {
        database::texts(connection, &format!("SELECT {expression} AS value {index}"))
    };
    let create = texts(connection, "pg_get_indexdef(indexrelid)")?;
    for statement in texts(connection, "format('DROP INDEX %s', indexrelid::regclass)")? {
        connection.batch_execute(&statement)?;
    }
    Ok(create)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn the_hot_store_has_its_share_and_numbers_have_no_gaps() {
        let mut stores: HashMap<u64, Vec<u64>> = HashMap::new();
        for index in 0..10_000 {
            let (store, number) = store_and_number(index, 50);
            stores.entry(store).or_default().push(number);
        }
        assert_eq!(stores.len(), 50);
        assert_eq!(stores[&0].len(), 3000);
        for numbers in stores.values() {
            assert!(numbers.iter().copied().eq(1..=numbers.len() as u64));
            assert!(
                numbers.len() == 3000 || (142..=143).contains(&numbers.len()),
                "{}",
                numbers.len()
            );
        }
    }

    #[test]
    fn each_store_has_a_page_of_each_regular_customer_and_of_the_seasonal_word() {
        let samples = Samples::new(crate::catalog::products(crate::catalog::VARIANTS));
        let mut found: HashMap<(u64, String), u64> = HashMap::new();
        for index in 0..10_000 {
            let store = store_and_number(index, 50).0;
            let order = sample(&samples, index, 10_000, 50);
            let customer = order.customer;
            let name = format!("{} {}", customer.first_name, customer.last_name);
            *found.entry((store, name)).or_default() += 1;
            if order.line_items[0].name.contains(SEASONAL) {
                assert!(index < 5_000);
                *found.entry((store, SEASONAL.to_owned())).or_default() += 1;
            }
        }
        for store in 0..50 {
            for key in REGULARS.into_iter().chain([SEASONAL]) {
                let count = found.get(&(store, key.to_owned())).copied();
                assert!(count >= Some(21), "{key} in store {store}: {count:?}");
            }
        }
    }

    #[test]
    fn values_are_escaped_for_copy() {
        let mut out = String::new();
        write_row(&mut out, ["a\tb", "c\\d\n", ""].into_iter());
        assert_eq!(out, "a\\tb\tc\\\\d\\n\t\n");
        assert_eq!(lexeme("+8Ni", r"o'neil\"), r"'+8Nio''neil\\'");
    }
}
