//! The throw-away PostgreSQL cluster, and SQL that the bench itself runs in it.

use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{Integer, Text};
use diesel::{Connection, PgConnection, QueryResult, QueryableByName, RunQueryDsl, sql_query};
use pressline_testkit::Postgres;

use crate::{BenchError, process};

/// Settings in addition to those of durability, suitable for a small machine.
const SETTINGS: [(&str, &str); 5] = [
    ("shared_buffers", "1GB"),
    ("maintenance_work_mem", "512MB"),
    ("max_wal_size", "8GB"),
    ("checkpoint_timeout", "15min"),
    ("shared_preload_libraries", ""),
];

/// A running cluster whose commits wait for the disk.
pub(crate) struct Cluster {
    postgres: Postgres,
    /// The server's first process; all others are its children.
    pid: u32,
}

#[derive(QueryableByName)]
struct NumberRow {
    #[diesel(sql_type = Integer)]
    value: i32,
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = Text)]
    value: String,
}

impl Cluster {
    /// Makes a cluster and starts it.
    pub(crate) fn start() -> Result<Self, BenchError> {
        let options = SETTINGS
            .iter()
            .fold(Postgres::options().durable(), |options, (name, value)| {
                options.setting(name, value)
            });
        let postgres = options.start()?;
        let mut connection = PgConnection::establish(&postgres.url("postgres"))?;
        let backend: NumberRow =
            sql_query("SELECT pg_backend_pid() AS value").get_result(&mut connection)?;
        let pid = process::parent(u32::try_from(backend.value)?)?;
        Ok(Self { postgres, pid })
    }

    /// The address of one of its databases.
    pub(crate) fn url(&self, database: &str) -> String {
        self.postgres.url(database)
    }

    /// Makes an empty database, or a copy of one without connections.
    pub(crate) fn create(&self, database: &str, template: Option<&str>) -> Result<(), BenchError> {
        let template = template.unwrap_or("template0");
        // Of the strategies, the copy of files writes no journal, and so leaves none to flush
        // during a measurement.
        self.run(
            "postgres",
            &format!("CREATE DATABASE {database} TEMPLATE {template}"),
        )
    }

    /// A connection to a database.
    pub(crate) fn connect(&self, database: &str) -> Result<PgConnection, BenchError> {
        Ok(PgConnection::establish(&self.url(database))?)
    }

    /// Runs statements without arguments.
    pub(crate) fn run(&self, database: &str, sql: &str) -> Result<(), BenchError> {
        Ok(self.connect(database)?.batch_execute(sql)?)
    }

    /// The server's version.
    pub(crate) fn version(&self) -> Result<String, BenchError> {
        text(
            &mut self.connect("postgres")?,
            "SELECT current_setting('server_version') AS value",
        )
    }

    /// Writes what is dirty, so that no measurement pays for another's writes.
    pub(crate) fn settle(&self) -> Result<(), BenchError> {
        self.run("postgres", "CHECKPOINT")
    }

    /// CPU seconds of all processes of the cluster so far.
    pub(crate) fn cpu(&self) -> Result<f64, BenchError> {
        process::tree_cpu(self.pid)
    }
}

/// Returns the one text that a statement selects as `value`.
pub(crate) fn text(connection: &mut PgConnection, sql: &str) -> Result<String, BenchError> {
    Ok(sql_query(sql).get_result::<TextRow>(connection)?.value)
}

/// Returns all texts that a statement selects as `value`.
pub(crate) fn texts(connection: &mut PgConnection, sql: &str) -> Result<Vec<String>, BenchError> {
    Ok(sql_query(sql)
        .load::<TextRow>(connection)?
        .into_iter()
        .map(|row| row.value)
        .collect())
}

/// A statement that is prepared once for each connection, with its arguments as text.
pub(crate) struct Prepared<'a> {
    /// The statement's text, cut at its arguments.
    pub(crate) parts: &'a [String],
    pub(crate) arguments: Vec<&'a str>,
}

impl<DB> QueryFragment<DB> for Prepared<'_>
where
    DB: Backend,
    str: ToSql<Text, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        let mut arguments = self.arguments.iter();
        for (at, part) in self.parts.iter().enumerate() {
            if at > 0
                && let Some(argument) = arguments.next()
            {
                out.push_bind_param::<Text, str>(argument)?;
            }
            out.push_sql(part);
        }
        Ok(())
    }
}

impl QueryId for Prepared<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Prepared<'_> {
    type SqlType = Text;
}

impl<C> RunQueryDsl<C> for Prepared<'_> {}
