//! How many rows and index entries a database contains.

use diesel::connection::SimpleConnection;
use diesel::sql_types::Double;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query};
use serde::Serialize;

use crate::BenchError;
use crate::database::text;
use crate::figures::Round;

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
        SELECT format('SELECT count(*) AS rows, count(*) * %s%s AS entries FROM %s',
            coalesce(trees, 0), coalesce(words, ''), pg_class.oid::regclass) AS statement
        FROM pg_class
        LEFT JOIN indexes ON indrelid = pg_class.oid
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    )
    SELECT format('SELECT sum(rows)::float8 AS rows, sum(entries)::float8 AS entries FROM (%s) AS counts',
        string_agg(statement, ' UNION ALL ')) AS value
    FROM counts";

/// Rows and index entries of a database.
#[derive(Debug, Clone, Copy, QueryableByName)]
pub(crate) struct Contents {
    #[diesel(sql_type = Double)]
    rows: f64,
    #[diesel(sql_type = Double)]
    entries: f64,
}

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
        Ok(sql_query(count).get_result(&mut connection)?)
    }

    /// What each operation of a round added to earlier contents. The round wrote no page images.
    pub(crate) fn added_to(self, before: Self, round: &Round) -> Added {
        Added {
            rows: (self.rows - before.rows) / round.operations,
            entries: (self.entries - before.entries) / round.operations,
            wal_bytes: round.wal.map_or(0.0, |wal| wal.bytes),
        }
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
        let round = Round {
            operations: 2.0,
            ..Round::default()
        };
        let added = Contents::of(database.url())
            .unwrap()
            .added_to(empty, &round);
        assert_eq!((added.rows, added.entries), (2.0, 4.0));
    }
}
