//! The throw-away PostgreSQL cluster, and SQL that the bench itself runs in it.

use diesel::connection::SimpleConnection;
use diesel::sql_types::{Double, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query};
use pressline_testkit::Postgres;

use crate::{BenchError, process};

/// Settings for a small machine, besides those of durability. No checkpoint or autovacuum begins within a window.
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

/// Rows of orders and of what belongs to them, the bytes in these rows, and the bytes of the log so far.
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
    /// Starts a cluster. One whose figures count must be durable.
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

    /// Shuts the cluster down, so that it takes nothing from what is measured without it.
    pub(crate) fn stop(&self) -> Result<(), BenchError> {
        Ok(self.postgres.stop()?)
    }

    pub(crate) fn restart(&self) -> Result<(), BenchError> {
        Ok(self.postgres.restart()?)
    }

    pub(crate) fn runs(&self) -> bool {
        self.postgres.process_id().is_some()
    }

    /// Changes a setting and writes all dirty pages, so that the checkpointer passes the setting on.
    pub(crate) fn set(&self, name: &str, value: &str) -> Result<(), BenchError> {
        self.run("postgres", &format!("ALTER SYSTEM SET {name} = '{value}'"))?;
        self.run("postgres", "SELECT pg_reload_conf()")?;
        self.settle()
    }

    pub(crate) fn url(&self, database: &str) -> String {
        self.postgres.url(database)
    }

    /// Creates an empty database, or a copy of one without connections.
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

    /// Returns the text that a statement selects as `value`.
    pub(crate) fn text(&self, database: &str, sql: &str) -> Result<String, BenchError> {
        let row: TextRow = sql_query(sql).get_result(&mut self.connect(database)?)?;
        Ok(row.value)
    }

    /// Writes all dirty pages, so that no window pays for another one's writes. A stopped cluster has done so.
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

    pub(crate) fn contents(&self, database: &str) -> Result<Contents, BenchError> {
        let count = sql_query(include_str!("count.sql"));
        Ok(count.get_result(&mut self.connect(database)?)?)
    }
}
