//! Facts about a server and a database.

use std::collections::HashMap;

use diesel::pg::PgConnection;
use diesel::result::{Error as DieselError, QueryResult};
use pressline_store_kit::{Row, Sql};

use crate::arrays::{Kind, array, load, load_first};
use crate::citus::tables::{BY_STORE, ON_EVERY_NODE};

/// First version with `pg_database_collation_actual_version`.
const COLLATION_VERSIONS: i32 = 150_000;

/// Settings to read. A server of another version may lack some of them.
const SETTINGS: [&str; 17] = [
    "autovacuum",
    "client_encoding",
    "default_transaction_isolation",
    "default_transaction_read_only",
    "fsync",
    "full_page_writes",
    "gin_fuzzy_search_limit",
    "lc_messages",
    "max_connections",
    "server_encoding",
    "session_replication_role",
    "standard_conforming_strings",
    "superuser_reserved_connections",
    "synchronous_commit",
    "synchronous_standby_names",
    "track_counts",
    "zero_damaged_pages",
];

/// Tables in neither list: only the server that this process connects to has them.
const LOCAL: [&str; 2] = ["write_probe", LOG];

/// Table of the applied migrations. `serve` only reads it.
const LOG: &str = "pressline_migrations";

#[derive(Debug, Clone, Default)]
pub(super) struct Facts {
    pub(super) server: Server,
    /// Value of each setting for a new session, before the service makes its own settings.
    pub(super) settings: HashMap<String, String>,
    pub(super) tables: Vec<Table>,
    /// True if the database lacks migrations, as far as the role may know.
    pub(super) has_pending: bool,
    /// Recorded and present version of the database's collation, if they are known and differ.
    pub(super) collation: Option<(String, String)>,
    /// Maximum number of connections of this process; `None` through a pooler.
    pub(super) connections: Option<usize>,
}

#[derive(Debug, Clone, Default, Row)]
#[row(read)]
pub(super) struct Server {
    /// Such as 150004 for 15.4.
    pub(super) version: i32,
    pub(super) is_standby: bool,
    pub(super) database: String,
    pub(super) role: String,
    /// Schema for new tables; `None` if no schema of the search path exists.
    pub(super) schema: Option<String>,
    pub(super) may_create: bool,
    /// Limits of connections; -1 for none.
    pub(super) role_limit: i32,
    pub(super) database_limit: i32,
}

/// Table of the service, in the first schema of the search path that has it.
#[derive(Debug, Clone, Default, Row)]
#[row(read)]
pub(super) struct Table {
    pub(super) name: String,
    /// Privileges that the role lacks, separated by commas.
    pub(super) lacks: String,
    /// True if row-level security applies to the role.
    pub(super) hides_rows: bool,
    pub(super) is_unlogged: bool,
    /// An index that the server does not use or does not maintain.
    pub(super) invalid_index: Option<String>,
    /// True if triggers are off, which check foreign keys.
    pub(super) has_disabled_triggers: bool,
}

#[derive(Row)]
#[row(read)]
struct Setting {
    name: String,
    value: String,
}

#[derive(Row)]
#[row(read)]
struct Collation {
    recorded: Option<String>,
    present: Option<String>,
}

// The service's own settings of the session must not hide the values that the database sets. The
// client's encoding is set by diesel when it connects, and must have stayed.
static READ_SETTINGS: Sql = Sql::new(
    "SELECT name, COALESCE(CASE name WHEN 'client_encoding' THEN setting ELSE reset_val END, '') AS value
     FROM pg_settings
     WHERE name = ANY(:names::TEXT[])",
);

static READ_SERVER: Sql = Sql::new(
    "SELECT
         current_setting('server_version_num')::integer AS version,
         pg_is_in_recovery() AS is_standby,
         current_database()::text AS database,
         current_user::text AS role,
         current_schema()::text AS schema,
         COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
         COALESCE((SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user), -1) AS role_limit,
         COALESCE((SELECT datconnlimit FROM pg_database WHERE datname = current_database()), -1)
             AS database_limit",
);

static READ_TABLES: Sql = Sql::new(
    "SELECT
         wanted.name,
         (
             SELECT COALESCE(string_agg(privilege, ', '), '')
             FROM UNNEST(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
             WHERE NOT has_table_privilege(c.oid, privilege)
                 AND (privilege = 'SELECT' OR wanted.name <> 'pressline_migrations')
         ) AS lacks,
         row_security_active(c.oid) AS hides_rows,
         c.relpersistence = 'u' AS is_unlogged,
         (
             SELECT min(i.indexrelid::regclass::text)
             FROM pg_index AS i
             JOIN pg_class AS index ON index.oid = i.indexrelid
             WHERE i.indrelid = c.oid
                 AND NOT (i.indisvalid AND i.indisready AND i.indislive)
                 -- Copies of valid indexes, which REINDEX CONCURRENTLY builds and may leave behind.
                 AND index.relname !~ '_cc(new|old)[0-9]*$'
         ) AS invalid_index,
         EXISTS (
             SELECT FROM pg_trigger AS t WHERE t.tgrelid = c.oid AND t.tgenabled IN ('D', 'R')
         ) AS has_disabled_triggers
     FROM UNNEST(:names::TEXT[]) AS wanted(name)
     JOIN pg_class AS c ON c.oid = to_regclass(wanted.name)
     ORDER BY wanted.name",
);

static READ_COLLATION: Sql = Sql::new(
    "SELECT
         datcollversion AS recorded,
         pg_database_collation_actual_version(oid) AS present
     FROM pg_database
     WHERE datname = current_database()",
);

impl Facts {
    /// Returns whether the role may read which migrations are applied.
    pub(super) fn knows_migrations(&self) -> bool {
        let mut tables = self.tables.iter();
        tables.all(|table| table.name != LOG || table.lacks.is_empty())
    }
}

pub(super) fn read(connection: &mut PgConnection) -> QueryResult<Facts> {
    let server: Server = load_first(connection, &READ_SERVER, &[])?.ok_or(DieselError::NotFound)?;
    let names = [("names", array(Kind::Text, SETTINGS))];
    let settings: Vec<Setting> = load(connection, &READ_SETTINGS, &names)?;
    let names = [BY_STORE.as_slice(), &ON_EVERY_NODE, &LOCAL].concat();
    let tables = load(
        connection,
        &READ_TABLES,
        &[("names", array(Kind::Text, names))],
    )?;
    let collation = match server.version >= COLLATION_VERSIONS {
        true => changed_collation(connection)?,
        false => None,
    };
    Ok(Facts {
        server,
        settings: settings
            .into_iter()
            .map(|setting| (setting.name, setting.value))
            .collect(),
        tables,
        has_pending: false,
        collation,
        connections: None,
    })
}

fn changed_collation(connection: &mut PgConnection) -> QueryResult<Option<(String, String)>> {
    let collation: Collation =
        load_first(connection, &READ_COLLATION, &[])?.ok_or(DieselError::NotFound)?;
    let versions = collation.recorded.zip(collation.present);
    Ok(versions.filter(|(recorded, present)| recorded != present))
}
