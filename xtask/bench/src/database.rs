//! The throw-away PostgreSQL cluster, and SQL that the bench itself runs in it.

use diesel::connection::SimpleConnection;
use diesel::sql_types::{Double, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query};
use pressline_testkit::Postgres;

use crate::error::BenchError;
use crate::process;

/// Settings for a small machine, besides durability. Checkpoints and autovacuum are rarer than
/// windows are long.
const SETTINGS: [(&str, &str); 6] = [
    ("shared_buffers", "1GB"),
    ("maintenance_work_mem", "512MB"),
    ("max_wal_size", "8GB"),
    ("shared_preload_libraries", ""),
    ("checkpoint_timeout", "15min"),
    ("autovacuum_naptime", "15min"),
];

pub(crate) struct Cluster {
    postgres: Postgres,
}

#[derive(QueryableByName)]
pub(crate) struct TextRow {
    #[diesel(sql_type = Text)]
    pub(crate) value: String,
}

/// Rows of orders and their related tables, their size in bytes, and the size of the WAL so far.
#[derive(QueryableByName)]
pub(crate) struct Contents {
    #[diesel(sql_type = Double)]
    pub(crate) wal: f64,
    #[diesel(sql_type = Double)]
    pub(crate) rows: f64,
    #[diesel(sql_type = Double)]
    pub(crate) bytes: f64,
}

impl Cluster {
    /// Starts a cluster. `is_durable` must be set if figures count.
    pub(crate) fn start(is_durable: bool) -> Result<Self, BenchError> {
        let mut options = Postgres::options();
        if is_durable {
            options = options.durable();
        }
        for (name, value) in SETTINGS {
            options = options.setting(name, value);
        }
        Ok(Self {
            postgres: options.start()?,
        })
    }

    /// Shuts the cluster down, so that it uses no CPU while other things are measured.
    pub(crate) fn stop(&self) -> Result<(), BenchError> {
        Ok(self.postgres.stop()?)
    }

    pub(crate) fn restart(&self) -> Result<(), BenchError> {
        Ok(self.postgres.restart()?)
    }

    pub(crate) fn runs(&self) -> bool {
        self.postgres.process_id().is_some()
    }

    /// Sets `name` to `value` and runs a checkpoint, so that the checkpointer applies the setting
    /// too.
    pub(crate) fn set(&self, name: &str, value: &str) -> Result<(), BenchError> {
        self.run("postgres", &format!("ALTER SYSTEM SET {name} = '{value}'"))?;
        self.run("postgres", "SELECT pg_reload_conf()")?;
        self.settle()
    }

    pub(crate) fn url(&self, database: &str) -> String {
        self.postgres.url(database)
    }

    /// Creates an empty database, or a copy of `template`. The template must not have connections.
    pub(crate) fn create(&self, database: &str, template: Option<&str>) -> Result<(), BenchError> {
        let template = template.unwrap_or("template0");
        let create = format!("CREATE DATABASE {database} TEMPLATE {template}");
        self.run("postgres", &create)
    }

    pub(crate) fn connect(&self, database: &str) -> Result<PgConnection, BenchError> {
        Ok(PgConnection::establish(&self.url(database))?)
    }

    pub(crate) fn run(&self, database: &str, sql: &str) -> Result<(), BenchError> {
        Ok(self.connect(database)?.batch_execute(sql)?)
    }

    /// Returns the column `value` of the row that `sql` selects.
    pub(crate) fn text(&self, database: &str, sql: &str) -> Result<String, BenchError> {
        let row: TextRow = sql_query(sql).get_result(&mut self.connect(database)?)?;
        Ok(row.value)
    }

    /// Runs a checkpoint, so that no window pays for earlier writes. Does nothing while the cluster
    /// is stopped.
    pub(crate) fn settle(&self) -> Result<(), BenchError> {
        if !self.runs() {
            return Ok(());
        }
        self.run("postgres", "CHECKPOINT")
    }

    /// CPU seconds of all processes of the cluster since its start; 0 while it is stopped.
    pub(crate) fn cpu(&self) -> Result<f64, BenchError> {
        let process = self.postgres.process_id();
        process.map_or(Ok(0.0), process::tree_cpu)
    }

    pub(crate) fn contents(&self, database: &str) -> Result<Contents, BenchError> {
        let count = sql_query(include_str!("count.sql"));
        Ok(count.get_result(&mut self.connect(database)?)?)
    }
}
