//! Tests a cluster and its databases through their URLs, as a store would use them.

#![expect(clippy::unwrap_used, reason = "a test ends where something is amiss")]

use diesel::connection::SimpleConnection;
use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_query};
use pressline_testkit::{Database, Pooler, Postgres, TestkitError, skip};

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

#[derive(QueryableByName)]
struct Setting {
    #[diesel(sql_type = Text)]
    value: String,
}

fn connect(url: &str) -> PgConnection {
    PgConnection::establish(url).unwrap()
}

fn count(url: &str, statement: &str) -> i64 {
    sql_query(statement)
        .get_result::<Count>(&mut connect(url))
        .unwrap()
        .n
}

fn execute(url: &str, statement: &str) {
    connect(url).batch_execute(statement).unwrap();
}

fn setting(url: &str, name: &str) -> String {
    let statement = format!("SELECT current_setting('{name}') AS value");
    sql_query(statement)
        .get_result::<Setting>(&mut connect(url))
        .unwrap()
        .value
}

#[test]
fn databases_are_isolated_from_each_other() {
    let postgres = Postgres::shared().unwrap();
    let (one, two) = (
        postgres.create_database().unwrap(),
        postgres.create_database().unwrap(),
    );
    assert_ne!(one.name(), two.name());
    execute(one.url(), "CREATE TABLE orders (id int)");
    let tables = "SELECT count(*) AS n FROM pg_class WHERE relname = 'orders'";
    assert_eq!(count(one.url(), tables), 1);
    assert_eq!(count(two.url(), tables), 0);
}

#[test]
fn a_copy_has_the_templates_tables_and_its_own_rows() {
    let postgres = Postgres::shared().unwrap();
    let template = postgres.create_database().unwrap();
    execute(
        template.url(),
        "CREATE TABLE orders (id int); INSERT INTO orders VALUES (1)",
    );
    let copy = Database::from_template(postgres, &template).unwrap();
    execute(copy.url(), "INSERT INTO orders VALUES (2)");
    let rows = "SELECT count(*) AS n FROM orders";
    assert_eq!(count(copy.url(), rows), 2);
    assert_eq!(count(template.url(), rows), 1);
}

#[test]
fn a_database_is_dropped_even_with_a_connection_to_it() {
    let postgres = Postgres::shared().unwrap();
    let database = postgres.create_database().unwrap();
    let (url, name) = (database.url().to_owned(), database.name().to_owned());
    let mut held = connect(&url);
    drop(database);
    // `DROP DATABASE … WITH (FORCE)` has ended the connection.
    assert!(held.batch_execute("SELECT 1").is_err());
    assert!(PgConnection::establish(&url).is_err());
    let left = format!("SELECT count(*) AS n FROM pg_database WHERE datname = '{name}'");
    assert_eq!(count(&postgres.url("postgres"), &left), 0);
}

#[test]
fn many_databases_are_created_concurrently() {
    let postgres = Postgres::shared().unwrap();
    let template = postgres.create_database().unwrap();
    std::thread::scope(|scope| {
        let makers: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    Database::from_template(postgres, &template)
                        .map(|copy| count(copy.url(), "SELECT 1::bigint AS n"))
                })
            })
            .collect();
        for maker in makers {
            assert_eq!(maker.join().unwrap().unwrap(), 1);
        }
    });
}

#[test]
fn a_user_who_may_not_create_databases_gets_schemas() {
    let postgres = Postgres::start().unwrap();
    let database = postgres.create_database().unwrap();
    let name = database.name();
    execute(
        database.url(),
        &format!(
            "CREATE ROLE tester LOGIN PASSWORD 'word'; GRANT CREATE ON DATABASE {name} TO tester"
        ),
    );
    let (_, server) = database.url().split_once('@').unwrap();
    let limited = Postgres::at(format!("postgres://tester:word@{server}"));
    let (one, two) = (
        limited.create_database().unwrap(),
        limited.create_database().unwrap(),
    );
    // The second database has a table of the same name, but in its own schema.
    execute(one.url(), "CREATE TABLE orders (id int)");
    execute(two.url(), "CREATE TABLE orders (id int)");
    let tables = "SELECT count(*) AS n FROM pg_class WHERE relname = 'orders'";
    assert_eq!(count(database.url(), tables), 2);
    drop((one, two));
    assert_eq!(count(database.url(), tables), 0);
}

#[test]
fn a_pooler_shares_few_connections_between_many_clients() {
    let postgres = Postgres::start().unwrap();
    let pooler = match Pooler::start(&postgres) {
        Ok(pooler) => pooler,
        Err(missing @ TestkitError::NoPooler) => return skip("pgbouncer", missing),
        Err(error) => panic!("{error}"),
    };
    let url = postgres.url("postgres");
    let (login, _) = url.rsplit_once('@').unwrap();
    let url = format!("{login}@{}/postgres", pooler.address());
    let mut clients: Vec<PgConnection> = (0..20).map(|_| connect(&url)).collect();
    for client in &mut clients {
        client.batch_execute("SELECT 1").unwrap();
    }
    // The pool has five connections per database.
    let servers = "SELECT count(*) AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    assert!(count(&postgres.url("postgres"), servers) <= 5);
}

#[test]
fn a_stopped_server_refuses_connections_and_comes_back_at_the_same_address() {
    let postgres = Postgres::start().unwrap();
    let database = postgres.create_database().unwrap();
    execute(
        database.url(),
        "CREATE TABLE orders (id int); INSERT INTO orders VALUES (1)",
    );
    postgres.stop().unwrap();
    assert!(PgConnection::establish(database.url()).is_err());
    postgres.restart().unwrap();
    assert_eq!(count(database.url(), "SELECT count(*) AS n FROM orders"), 1);
}

#[test]
fn a_killed_server_restarts_with_committed_data() {
    // Only a durable cluster is guaranteed to keep the commit.
    let postgres = Postgres::options().durable().start().unwrap();
    assert_eq!(setting(&postgres.url("postgres"), "fsync"), "on");
    let database = postgres.create_database().unwrap();
    execute(database.url(), "CREATE TABLE orders (id int)");
    let mut open = connect(database.url());
    open.batch_execute("INSERT INTO orders VALUES (1)").unwrap();
    // Not committed before the kill.
    open.batch_execute("BEGIN; INSERT INTO orders VALUES (2)")
        .unwrap();
    postgres.kill().unwrap();
    postgres.restart().unwrap();
    assert!(open.batch_execute("COMMIT").is_err());
    assert_eq!(count(database.url(), "SELECT count(*) AS n FROM orders"), 1);
}

#[test]
fn settings_reach_the_server_and_the_last_value_counts() {
    let postgres = Postgres::options()
        .setting("work_mem", "1MB")
        .setting("work_mem", "2MB")
        .start()
        .unwrap();
    let url = postgres.url("postgres");
    assert_eq!(setting(&url, "work_mem"), "2MB");
    assert_eq!(setting(&url, "fsync"), "off");
    assert_eq!(setting(&url, "server_encoding"), "UTF8");
}

#[test]
fn a_wrong_password_is_refused() {
    let postgres = Postgres::start().unwrap();
    let url = postgres.url("postgres");
    let (before, host) = url.split_once('@').unwrap();
    let (user, _) = before.rsplit_once(':').unwrap();
    assert!(PgConnection::establish(&format!("{user}:wrong@{host}")).is_err());
}
