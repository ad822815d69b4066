//! A cluster of several nodes with the extension Citus, if the installed PostgreSQL has it.

use std::sync::OnceLock;

use diesel::sql_types::Text;
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query};

use crate::tool::skip;
use crate::{Database, Postgres, PostgresOptions, TestkitError, random};

/// Shards of each distributed table: fewer than by default, so that a schema is created faster.
const SHARDS: &str = "8";

/// Shards of each distributed table where every test creates a schema: one on each worker.
const SHARDS_OF_A_TEST: &str = "2";

/// Nodes that have loaded Citus. Services connect to the first node, the coordinator.
#[derive(Debug)]
pub struct Citus {
    nodes: Vec<Postgres>,
    /// Password of the user `postgres` on every node.
    password: String,
}

/// A database of the whole cluster. Dropping the value drops the database.
#[derive(Debug)]
pub struct CitusDatabase {
    /// Database of each node, the coordinator's first. Dropped in this order.
    databases: Vec<Database>,
}

#[derive(QueryableByName)]
struct Port {
    #[diesel(sql_type = Text)]
    port: String,
}

impl Citus {
    /// Starts a coordinator and `workers` further nodes, which do not wait for the disk. Returns
    /// `None` if the installed PostgreSQL cannot load the extension; a line on standard error then
    /// says so.
    ///
    /// # Errors
    /// Same errors as [`PostgresOptions::start`](crate::PostgresOptions::start) otherwise.
    pub fn start(workers: usize) -> Result<Option<Self>, TestkitError> {
        Self::start_with(workers, SHARDS, &Postgres::options())
    }

    /// Same as [`start`](Self::start), with [durable](PostgresOptions::durable) nodes.
    ///
    /// # Errors
    /// Same errors as [`start`](Self::start).
    pub fn start_durable(workers: usize) -> Result<Option<Self>, TestkitError> {
        Self::start_with(workers, SHARDS, &Postgres::options().durable())
    }

    fn start_with(
        workers: usize,
        shards: &str,
        options: &PostgresOptions,
    ) -> Result<Option<Self>, TestkitError> {
        let password = random::hex()?;
        let options = options
            .clone()
            .password(&password)
            // Citus commits transactions on several nodes in two phases, which PostgreSQL disables by
            // default.
            .setting("max_prepared_transactions", "100")
            .setting("citus.node_conninfo", "sslmode=disable")
            .setting("citus.shard_count", shards);
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

    /// Returns the database of a cluster with two workers. All tests of this process share it.
    ///
    /// # Errors
    /// [`TestkitError::NoCitus`] if the installed PostgreSQL cannot load the extension; otherwise
    /// same errors as [`Citus::start`].
    pub(crate) fn shared() -> Result<&'static CitusDatabase, TestkitError> {
        // Never dropped: the reapers stop the nodes when the process ends.
        static SHARED: OnceLock<(Citus, CitusDatabase)> = OnceLock::new();
        let cluster = Self::start_with(2, SHARDS_OF_A_TEST, &Postgres::options())?
            .ok_or(TestkitError::NoCitus)?;
        let database = cluster.create_database()?;
        Ok(&SHARED.get_or_init(|| (cluster, database)).1)
    }

    /// Creates an empty database on each node, with the same name and without the extension.
    ///
    /// # Errors
    /// Returns an error if a node refuses or does not respond.
    pub fn create_databases(&self) -> Result<CitusDatabase, TestkitError> {
        let mut databases: Vec<Database> = Vec::new();
        // All nodes must use the same name: Citus connects to the database of the same name.
        for node in &self.nodes {
            databases.push(match databases.first() {
                None => node.create_database()?,
                Some(first) => node.create_database_named(first.name())?,
            });
        }
        Ok(CitusDatabase { databases })
    }

    /// Lets the nodes connect to each other. Their databases must already have the extension.
    ///
    /// # Errors
    /// Returns an error if a node refuses or does not respond.
    pub fn share_password(&self, database: &CitusDatabase) -> Result<(), TestkitError> {
        database.execute_everywhere(&format!(
            "INSERT INTO pg_dist_authinfo VALUES (0, 'postgres', 'password={}')",
            self.password
        ))
    }

    /// Creates an empty database that spans the whole cluster.
    ///
    /// # Errors
    /// Returns an error if a node refuses or does not respond.
    pub fn create_database(&self) -> Result<CitusDatabase, TestkitError> {
        let database = self.create_databases()?;
        database.execute_everywhere("CREATE EXTENSION citus")?;
        self.share_password(&database)?;
        // Workers connect back to the coordinator, so its address is set first.
        for (place, port) in self.ports().iter().enumerate() {
            database.execute(&match place {
                0 => format!("SELECT citus_set_coordinator_host('127.0.0.1', {port})"),
                _ => format!("SELECT citus_add_node('127.0.0.1', {port})"),
            })?;
        }
        Ok(database)
    }

    /// Returns all nodes, the coordinator first.
    pub fn nodes(&self) -> &[Postgres] {
        &self.nodes
    }

    /// Returns the nodes without the coordinator.
    pub fn workers(&self) -> &[Postgres] {
        self.nodes.get(1..).unwrap_or_default()
    }

    /// Returns the port of each node on 127.0.0.1, the coordinator's first.
    pub fn ports(&self) -> Vec<String> {
        self.nodes.iter().map(Postgres::port).collect()
    }
}

impl CitusDatabase {
    /// Returns the URL of the coordinator's database.
    pub fn url(&self) -> &str {
        self.databases.first().map_or("", Database::url)
    }

    /// Runs `statements` on the coordinator, as [`Database::execute`] does.
    ///
    /// # Errors
    /// Returns an error if the server refuses or does not respond.
    pub fn execute(&self, statements: &str) -> Result<(), TestkitError> {
        let coordinator = self.databases.first();
        coordinator.map_or(Ok(()), |database| database.execute(statements))
    }

    /// Returns the port of the node that stores the rows with `key` of `table`.
    ///
    /// # Errors
    /// Returns an error if the server refuses or does not respond.
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

    /// Runs `statements` on every node.
    ///
    /// # Errors
    /// Returns an error if a server refuses or does not respond.
    pub fn execute_everywhere(&self, statements: &str) -> Result<(), TestkitError> {
        let mut nodes = self.databases.iter();
        nodes.try_for_each(|database| database.execute(statements))
    }
}
