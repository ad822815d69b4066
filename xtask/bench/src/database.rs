//! The throw-away PostgreSQL cluster, and SQL that the bench itself runs in it.

use diesel::backend::Backend;
use diesel::connection::SimpleConnection;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{Double, Text};
use diesel::{Connection, PgConnection, QueryResult, QueryableByName, RunQueryDsl, sql_query};
use pressline_testkit::Postgres;

use crate::figures::WalFigures;
use crate::{BenchError, process};

/// Settings in addition to those of durability, suitable for a small machine.
const SETTINGS: [(&str, &str); 4] = [
    ("shared_buffers", "1GB"),
    ("maintenance_work_mem", "512MB"),
    ("max_wal_size", "8GB"),
    ("shared_preload_libraries", ""),
];

/// Settings that change during a run: the value for windows that begin with a checkpoint and are
/// to contain no other, and the value in steady state, where each minute contains some.
const BACKGROUND: [(&str, &str, &str); 2] = [
    ("checkpoint_timeout", "15min", "30s"),
    ("autovacuum_naptime", "15min", "10s"),
];

/// A running cluster.
pub(crate) struct Cluster {
    postgres: Postgres,
}

#[derive(QueryableByName)]
struct WalRow {
    #[diesel(sql_type = Double)]
    bytes: f64,
    #[diesel(sql_type = Double)]
    page_images: f64,
}

#[derive(QueryableByName)]
struct TextRow {
    #[diesel(sql_type = Text)]
    value: String,
}

impl Cluster {
    /// Makes a cluster and starts it. One whose figures count is durable.
    pub(crate) fn start(durable: bool) -> Result<Self, BenchError> {
        let options = match durable {
            true => Postgres::options().durable(),
            false => Postgres::options(),
        };
        let settings = SETTINGS.iter();
        let options = settings.fold(options, |options, (name, value)| {
            options.setting(name, value)
        });
        let cluster = Self {
            postgres: options.start()?,
        };
        cluster.set_steady(false)?;
        Ok(cluster)
    }

    /// Shuts the cluster down, so that it takes nothing from what is measured without it.
    pub(crate) fn stop(&self) -> Result<(), BenchError> {
        Ok(self.postgres.stop()?)
    }

    /// Starts the cluster again at the same address.
    pub(crate) fn restart(&self) -> Result<(), BenchError> {
        Ok(self.postgres.restart()?)
    }

    /// Whether it is not stopped.
    pub(crate) fn runs(&self) -> bool {
        self.postgres.process_id().is_some()
    }

    /// Lets checkpoints and autovacuum come several times a minute, or not at all within a window.
    pub(crate) fn set_steady(&self, steady: bool) -> Result<(), BenchError> {
        for (name, rare, frequent) in BACKGROUND {
            let value = if steady { frequent } else { rare };
            self.run("postgres", &format!("ALTER SYSTEM SET {name} = '{value}'"))?;
        }
        self.run("postgres", "SELECT pg_reload_conf()")
    }

    /// Lets the first change of a page after a checkpoint write the page to the log, or not: without
    /// these images the bytes of the log do not depend on the machine.
    pub(crate) fn set_page_images(&self, images: bool) -> Result<(), BenchError> {
        self.run(
            "postgres",
            &format!("ALTER SYSTEM SET full_page_writes = {images}"),
        )?;
        self.run("postgres", "SELECT pg_reload_conf()")?;
        // The process that carries out checkpoints passes the setting on.
        self.settle()
    }

    /// The address of one of its databases.
    pub(crate) fn url(&self, database: &str) -> String {
        self.postgres.url(database)
    }

    /// Makes an empty database, or a copy of one without connections.
    pub(crate) fn create(&self, database: &str, template: Option<&str>) -> Result<(), BenchError> {
        let template = template.unwrap_or("template0");
        // The copy is written to the log. No window pays for it, as each begins after a checkpoint.
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

    /// Writes what is dirty, so that no measurement pays for another's writes. A stopped cluster
    /// has done so.
    pub(crate) fn settle(&self) -> Result<(), BenchError> {
        if !self.runs() {
            return Ok(());
        }
        self.run("postgres", "CHECKPOINT")
    }

    /// CPU seconds of all processes of the cluster since it was started; 0 while it is stopped.
    pub(crate) fn cpu(&self) -> Result<f64, BenchError> {
        let process = self.postgres.process_id();
        process.map_or(Ok(0.0), process::tree_cpu)
    }

    /// What the cluster has written to its log so far; nothing while it is stopped. Connections
    /// count their page images about once a second, so that the last ones may be missing.
    pub(crate) fn wal(&self) -> Result<Option<WalFigures>, BenchError> {
        if !self.runs() {
            return Ok(None);
        }
        let row: WalRow = sql_query(
            "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes, \
             wal_fpi::float8 AS page_images FROM pg_stat_wal",
        )
        .get_result(&mut self.connect("postgres")?)?;
        Ok(Some(WalFigures {
            bytes: row.bytes,
            page_images: row.page_images,
        }))
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
