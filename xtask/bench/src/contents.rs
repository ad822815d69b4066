//! How many rows and index entries a database contains.

use std::collections::BTreeMap;
use std::ops::Add;

use diesel::connection::SimpleConnection;
use diesel::sql_types::{Double, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query};
use serde::Serialize;

use crate::BenchError;
use crate::database::text;
use crate::figures::Round;
use crate::report::{Table, number};

/// Makes the statement that counts all rows and index entries. A B-tree has an entry for each row,
/// an inverted index one for each word of it.
const COUNT: &str = "
    WITH indexes AS (
        SELECT
            indrelid,
            count(*) FILTER (WHERE amname = 'btree') AS trees,
            coalesce(string_agg(format(' + coalesce(sum(length(%I)), 0)', attname), '')
                FILTER (WHERE amname = 'gin'), '') AS words
        FROM pg_index
        JOIN pg_class ON pg_class.oid = indexrelid
        JOIN pg_am ON pg_am.oid = relam
        -- The inverted indexes have one column, of type tsvector.
        LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
        GROUP BY indrelid
    ),
    counts AS (
        SELECT format('SELECT %L AS name, count(*)::float8 AS rows, (count(*) * %s%s)::float8 AS entries,
            coalesce(sum(pg_column_size(counted.*)), 0)::float8 AS bytes FROM %s AS counted',
            relname, coalesce(trees, 0), coalesce(words, ''), pg_class.oid::regclass) AS statement
        FROM pg_class
        LEFT JOIN indexes ON indrelid = pg_class.oid
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    )
    SELECT string_agg(statement, ' UNION ALL ') AS value
    FROM counts";

/// What a table contains.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Counts {
    rows: f64,
    entries: f64,
    /// Of the rows.
    bytes: f64,
}

#[derive(QueryableByName)]
struct CountsRow {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = Double)]
    rows: f64,
    #[diesel(sql_type = Double)]
    entries: f64,
    #[diesel(sql_type = Double)]
    bytes: f64,
}

/// Rows and index entries of a database, by the names of its tables.
#[derive(Debug, Clone)]
pub(crate) struct Contents(BTreeMap<String, Counts>);

/// What an operation adds to each table that grows. None of it depends on the machine.
#[derive(Debug, Clone, Default)]
pub(crate) struct Growth(BTreeMap<String, Counts>);

/// What an operation adds to a database. None of it depends on the machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Added {
    pub(crate) rows: f64,
    pub(crate) entries: f64,
    /// Bytes of the log without page images.
    pub(crate) wal_bytes: f64,
}

impl Contents {
    /// Counts those of the database at an address. Takes some 0.1 s for 100,000 orders.
    pub(crate) fn of(url: &str) -> Result<Self, BenchError> {
        let mut connection = PgConnection::establish(url)?;
        // One processor is left for the candidate, whose connections may still be at work.
        connection.batch_execute("SET max_parallel_workers_per_gather = 0")?;
        let count = text(&mut connection, COUNT)?;
        let rows: Vec<CountsRow> = sql_query(count).load(&mut connection)?;
        let counts = |row: CountsRow| {
            let counts = Counts {
                rows: row.rows,
                entries: row.entries,
                bytes: row.bytes,
            };
            (row.name, counts)
        };
        Ok(Self(rows.into_iter().map(counts).collect()))
    }

    /// What each of so many operations added to earlier contents.
    pub(crate) fn growth_since(&self, before: &Self, operations: f64) -> Growth {
        let growth = self.0.iter().map(|(name, now)| {
            let before = before.0.get(name).copied().unwrap_or_default();
            let growth = Counts {
                rows: (now.rows - before.rows) / operations,
                entries: (now.entries - before.entries) / operations,
                bytes: (now.bytes - before.bytes) / operations,
            };
            (name.clone(), growth)
        });
        Growth(growth.filter(|(_, growth)| growth.rows > 0.0).collect())
    }
}

impl Growth {
    /// The sum of all tables, for a round that wrote no page images.
    pub(crate) fn added(&self, round: &Round) -> Added {
        // The sum of no numbers would be -0.
        let sum = |figure: fn(&Counts) -> f64| self.0.values().map(figure).fold(0.0, f64::add);
        Added {
            rows: sum(|counts| counts.rows),
            entries: sum(|counts| counts.entries),
            wal_bytes: round.wal.map_or(0.0, |wal| wal.bytes),
        }
    }

    /// A table of what an operation of the service and one of pgbench add.
    pub(crate) fn table(title: impl Into<String>, [ours, theirs]: [Option<&Self>; 2]) -> Table {
        let head = [
            "",
            "rows",
            "pgbench's rows",
            "bytes in rows",
            "pgbench's bytes in rows",
        ];
        let mut table = Table::new(title, head);
        let counts = |growth: Option<&Self>, name: &str| {
            growth.and_then(|growth| growth.0.get(name).copied())
        };
        for name in ours.iter().flat_map(|growth| growth.0.keys()) {
            let (ours, theirs) = (counts(ours, name), counts(theirs, name));
            let (ours, theirs) = (ours.unwrap_or_default(), theirs.unwrap_or_default());
            let figures = [ours.rows, theirs.rows, ours.bytes, theirs.bytes];
            let cells = figures.into_iter().map(number);
            table
                .rows
                .push([name.clone()].into_iter().chain(cells).collect());
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use pressline_testkit::Postgres;

    use super::*;

    #[test]
    fn each_row_counts_once_and_once_in_each_index_and_each_word_once() {
        let database = Postgres::shared().unwrap().create_database().unwrap();
        let mut connection = PgConnection::establish(database.url()).unwrap();
        connection
            .batch_execute(
                "CREATE TABLE a (id INT PRIMARY KEY, other INT UNIQUE, words TSVECTOR NOT NULL); \
                 CREATE INDEX a_words ON a USING gin (words); \
                 CREATE TABLE b (id INT)",
            )
            .unwrap();
        let empty = Contents::of(database.url()).unwrap();
        connection
            .batch_execute(
                "INSERT INTO a VALUES (1, 1, 'x y z'), (2, 2, 'x'); INSERT INTO b VALUES (1), (2)",
            )
            .unwrap();
        let growth = Contents::of(database.url())
            .unwrap()
            .growth_since(&empty, 2.0);
        let added = growth.added(&Round::default());
        assert_eq!((added.rows, added.entries), (2.0, 4.0));
        let table = Growth::table("t", [Some(&growth), None]);
        assert_eq!(table.rows[1][..3], ["b", "1", "0"]);
        let bytes: f64 = table.rows[1][3].parse().unwrap();
        assert!((4.0..100.0).contains(&bytes), "{bytes}");
        assert_eq!(table.rows[1][4], "0");
    }
}
