//! A cluster of several nodes with the extension Citus, where the installed PostgreSQL has it.

use std::sync::OnceLock;

use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query};

use crate::tool::skip;
use crate::{Database, Postgres, PostgresOptions, TestkitError, random};

/// Nodes whose servers have loaded Citus. The first one is the coordinator, to which services connect.
#[derive(Debug)]
pub struct Citus {
    nodes: Vec<Postgres>,
    /// Of the user `postgres`, on every node.
    password: String,
}

/// A database of the whole cluster, which is dropped when this value is.
#[derive(Debug)]
pub struct CitusDatabase {
    /// Of each node; the coordinator's comes first and is dropped first.
    databases: Vec<Database>,
}

#[derive(QueryableByName)]
struct Port {
    #[diesel(sql_type = Text)]
    port: String,
}

impl Citus {
    /// Starts a coordinator and so many workers, which do not wait for the disk. None where the installed
    /// PostgreSQL cannot load the extension; a line on standard error then says so.
    ///
    /// # Errors
    /// As [`PostgresOptions::start`](crate::PostgresOptions::start) for any other reason.
    pub fn start(workers: usize) -> Result<Option<Self>, TestkitError> {
        Self::start_with(workers, &Postgres::options())
    }

    /// As [`start`](Self::start), with [durable](PostgresOptions::durable) nodes.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub fn start_durable(workers: usize) -> Result<Option<Self>, TestkitError> {
        Self::start_with(workers, &Postgres::options().durable())
    }

    fn start_with(workers: usize, options: &PostgresOptions) -> Result<Option<Self>, TestkitError> {
        let password = random::hex()?;
        let options = options
            .clone()
            .password(&password)
            .setting("max_prepared_transactions", "100")
            .setting("citus.node_conninfo", "sslmode=disable")
            // Fewer tables on each node than by default, so that a schema is made sooner.
            .setting("citus.shard_count", "8");
        let start = |_| options.clone().start_with_citus();
        let nodes: Result<Vec<Postgres>, TestkitError> = (0..=workers).map(start).collect();
        match nodes {
            Ok(nodes) => Ok(Some(Self { nodes, password })),
            Err(missing @ TestkitError::NoCitus) => {
                skip("citus", missing);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The coordinator's database of a cluster with two workers that all tests of this process share.
    ///
    /// # Errors
    /// [`TestkitError::NoCitus`] where the installed PostgreSQL cannot load the extension, and as
    /// [`Citus::start`].
    pub(crate) fn shared() -> Result<&'static CitusDatabase, TestkitError> {
        // Never dropped: the reapers end the nodes with the process.
        static SHARED: OnceLock<(Citus, CitusDatabase)> = OnceLock::new();
        let cluster = Self::start(2)?.ok_or(TestkitError::NoCitus)?;
        let database = cluster.create_database()?;
        Ok(&SHARED.get_or_init(|| (cluster, database)).1)
    }

    /// Makes an empty database on each node, of the same name and without the extension.
    ///
    /// # Errors
    /// When a node refuses, or is not there.
    pub fn create_databases(&self) -> Result<CitusDatabase, TestkitError> {
        let mut databases: Vec<Database> = Vec::new();
        for node in &self.nodes {
            databases.push(match databases.first() {
                None => node.create_database()?,
                Some(first) => node.create_database_named(first.name())?,
            });
        }
        Ok(CitusDatabase { databases })
    }

    /// Lets the nodes connect to each other, once their databases have the extension.
    ///
    /// # Errors
    /// When a node refuses, or is not there.
    pub fn share_password(&self, database: &CitusDatabase) -> Result<(), TestkitError> {
        database.execute_everywhere(&format!(
            "INSERT INTO pg_dist_authinfo VALUES (0, 'postgres', 'password={}')",
            self.password
        ))
    }

    /// Makes an empty database of the whole cluster.
    ///
    /// # Errors
    /// When a node refuses, or is not there.
    pub fn create_database(&self) -> Result<CitusDatabase, TestkitError> {
        let database = self.create_databases()?;
        database.execute_everywhere("CREATE EXTENSION citus")?;
        self.share_password(&database)?;
        for (place, port) in self.ports().iter().enumerate() {
            database.execute(&match place {
                0 => format!("SELECT citus_set_coordinator_host('127.0.0.1', {port})"),
                _ => format!("SELECT citus_add_node('127.0.0.1', {port})"),
            })?;
        }
        Ok(database)
    }

    /// The nodes; the coordinator is the first one.
    pub fn nodes(&self) -> &[Postgres] {
        &self.nodes
    }

    /// The nodes besides the coordinator.
    pub fn workers(&self) -> &[Postgres] {
        self.nodes.get(1..).unwrap_or_default()
    }

    /// The ports of the nodes, on 127.0.0.1.
    pub fn ports(&self) -> Vec<String> {
        self.nodes.iter().map(Postgres::port).collect()
    }
}

impl CitusDatabase {
    /// The address of the coordinator's database.
    pub fn url(&self) -> &str {
        self.databases.first().map_or("", Database::url)
    }

    /// Runs statements on the coordinator, as [`Database::execute`].
    ///
    /// # Errors
    /// When the server refuses, or is not there.
    pub fn execute(&self, statements: &str) -> Result<(), TestkitError> {
        let coordinator = self.databases.first();
        coordinator.map_or(Ok(()), |database| database.execute(statements))
    }

    /// The port of the node that has the rows of a distributed table with this key.
    ///
    /// # Errors
    /// When the server refuses, or is not there.
    pub fn port_of(&self, table: &str, key: &str) -> Result<String, TestkitError> {
        let failed = |reason: String| TestkitError::Sql {
            what: "looking for a node".to_owned(),
            reason,
        };
        let mut connection =
            PgConnection::establish(self.url()).map_err(|error| failed(error.to_string()))?;
        let port: Port = sql_query(
            "SELECT nodeport::text AS port
             FROM citus_shards
             WHERE shardid = get_shard_id_for_distribution_column($1::regclass, $2)",
        )
        .bind::<Text, _>(table)
        .bind::<Text, _>(key)
        .get_result(&mut connection)
        .map_err(|error| failed(error.to_string()))?;
        Ok(port.port)
    }

    /// Runs statements on every node.
    ///
    /// # Errors
    /// When a server refuses, or is not there.
    pub fn execute_everywhere(&self, statements: &str) -> Result<(), TestkitError> {
        let mut nodes = self.databases.iter();
        nodes.try_for_each(|database| database.execute(statements))
    }
}
