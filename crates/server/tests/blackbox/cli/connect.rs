//! Connecting to PostgreSQL: a mistake ends a command immediately, and a starting server is awaited.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use pressline_testkit::Postgres;

use crate::common::{Finished, MASTER_KEY, Site};

/// Less than the minute for which commands wait, and more than a busy machine needs.
const IMMEDIATELY: Duration = Duration::from_secs(20);

fn list(site: &Site, url: &str) -> Finished {
    let mut command = site.command();
    command
        .env("PRESSLINE__DATABASE__URL", url)
        .env("PRESSLINE__AUTH__MASTER_KEY", MASTER_KEY);
    command.args(["store", "list"]).output().unwrap().into()
}

#[test]
fn a_mistake_in_the_database_url_ends_a_command_immediately() {
    let cluster = Postgres::options()
        .file(
            "pg_hba.conf",
            "host all postgres all trust\nhost all all all scram-sha-256\n",
        )
        .start()
        .unwrap();
    let site = Site::in_cluster(&cluster);
    let (_, location) = site.url().split_once('@').unwrap();
    let (server, database) = location.split_once('/').unwrap();
    for (url, reason) in [
        (
            format!("postgres://nobody:hidden@{server}/{database}"),
            "authentication failed",
        ),
        (
            format!("postgres://nobody@{server}/{database}"),
            "no password supplied",
        ),
        (
            format!("postgres://postgres@{server}/nothing"),
            "\"nothing\" does not exist",
        ),
        (
            format!("{}&sslmode=always", with_query(site.url())),
            "invalid sslmode value",
        ),
        (
            format!("{}&connect_timeout=soon", with_query(site.url())),
            "connect_timeout",
        ),
        (
            format!("{}&sslmode=require", with_query(site.url())),
            "does not support SSL",
        ),
        (
            format!("postgres://postgres@nowhere.invalid/{database}"),
            "nowhere.invalid",
        ),
    ] {
        let started = Instant::now();
        let ended = list(&site, &url);
        let took = started.elapsed();
        ended.fails(3, &[reason]);
        assert!(took < IMMEDIATELY, "{url}: {took:?}");
        assert!(!ended.err.contains("hidden"), "{ended:?}");
        assert!(!ended.err.contains("trying again"), "{ended:?}");
    }
}

fn with_query(url: &str) -> String {
    match url.contains('?') {
        true => url.to_owned(),
        false => format!("{url}?application_name=test"),
    }
}

/// Refuses each connection with the next message of `refusals`, as PostgreSQL does, and all further
/// connections with the last message: a command may connect again after it.
fn refusing(refusals: &'static [&'static str]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let further = refusals
            .iter()
            .chain(refusals.iter().last().into_iter().cycle());
        for (refusal, connection) in further.zip(listener.incoming()) {
            refuse(connection.unwrap(), refusal);
        }
    });
    address
}

fn refuse(mut connection: TcpStream, message: &str) {
    // The startup message begins with its length.
    let mut length = [0; 4];
    connection.read_exact(&mut length).unwrap();
    let mut rest = vec![0; usize::try_from(u32::from_be_bytes(length)).unwrap() - 4];
    connection.read_exact(&mut rest).unwrap();
    let fields = format!("SFATAL\0VFATAL\0C57P03\0M{message}\0\0");
    let mut response = vec![b'E'];
    response.extend(u32::try_from(fields.len() + 4).unwrap().to_be_bytes());
    response.extend(fields.as_bytes());
    connection.write_all(&response).unwrap();
}

#[test]
fn a_command_waits_for_a_server_that_is_not_up_yet_and_says_so() {
    const STARTING: &str = "the database system is starting up";
    let address = refusing(&[
        STARTING,
        STARTING,
        "too many clients already",
        "last refusal",
    ]);
    let site = Site::elsewhere("postgres://127.0.0.1:1/none");
    let url = format!("postgres://someone:hidden@{address}/shop?sslmode=disable");
    let ended = list(&site, &url);
    ended.fails(3, &["last refusal", STARTING]);
    let lines = ended
        .err
        .matches("PostgreSQL does not accept connections yet; trying again");
    assert_eq!(lines.count(), 1, "{ended:?}");
    assert!(!ended.err.contains("hidden"), "{ended:?}");
}

#[test]
fn migrate_waits_for_a_server_that_is_not_up_yet() {
    let address = refusing(&["the database system is starting up", "last refusal"]);
    let site = Site::elsewhere(&format!(
        "postgres://someone@{address}/shop?sslmode=disable"
    ));
    site.run(&["migrate"])
        .fails(3, &["trying again", "last refusal"]);
}
