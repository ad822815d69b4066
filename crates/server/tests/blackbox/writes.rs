//! `/readyz` reports whether writes work.

use std::time::Duration;

use crate::common::{Client, Server, Site, assert_error, order, try_get, wait_for};
use crate::large_orders::widest;

/// Time limit until `/readyz` must notice that writes fail or work again.
const NOTICED: Duration = Duration::from_secs(10);

fn becomes(server: &Server, status: u16) {
    wait_for(&format!("/readyz to response {status}"), NOTICED, || {
        (try_get(server.address, "/readyz").unwrap().status == status).then_some(())
    });
}

/// Asserts that the server is not ready while writes fail, between `fail` and `mend`. If `calls` is
/// false, no store calls meanwhile.
fn not_ready_while_writes_fail(
    server: &Server,
    client: &Client,
    calls: bool,
    fail: impl Fn(),
    mend: impl Fn(),
) {
    becomes(server, 200);
    let name = |what: &str| format!("{what}-{calls}");
    client.create(&order(&name("before")));
    fail();
    if calls {
        let refused = client.call("create", &order(&name("during"))).status;
        assert!([500, 503].contains(&refused), "{refused}");
    }
    becomes(server, 503);
    mend();
    becomes(server, 200);
    client.create(&order(&name("after")));
}

/// Serves on SQLite. The returned function sets `RLIMIT_FSIZE` of the server, which works like a
/// full disk.
#[cfg(target_os = "linux")]
fn limited() -> (Site, Server, impl Fn(Option<u64>)) {
    use rustix::process::{Resource, Rlimit, prlimit};

    let site = Site::sqlite();
    site.import_catalog();
    let service = site.command();
    let mut command = std::process::Command::new("sh");
    // The signal that the limit raises would kill the process, so the shell ignores it.
    command
        .args(["-c", "trap '' XFSZ; exec \"$0\" serve"])
        .arg(service.get_program());
    command.current_dir(site.folder());
    for (name, value) in service.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let server = Server::start(command);
    let pid = server.pid();
    let limit = move |bytes: Option<u64>| {
        let limit = Rlimit {
            current: bytes,
            maximum: None,
        };
        prlimit(Some(pid), Resource::Fsize, limit).unwrap();
    };
    (site, server, limit)
}

/// Every write to a file fails with `EFBIG`, like on a full disk.
#[cfg(target_os = "linux")]
#[test]
fn sqlite_is_not_ready_while_the_disk_is_full() {
    let (site, server, limit) = limited();
    let client = site.store(&server, &[]);
    for calls in [false, true] {
        not_ready_while_writes_fail(&server, &client, calls, || limit(Some(0)), || limit(None));
    }
    limit(Some(0));
    assert_error(&client.call("create", &order("full")), 503, "unavailable");
    limit(None);
    assert_eq!(client.found("full"), Vec::<String>::new());
}

/// The files have room for small writes but not for the order.
#[cfg(target_os = "linux")]
#[test]
fn sqlite_stays_not_ready_while_the_files_cannot_grow_by_an_order() {
    let (site, server, limit) = limited();
    let client = site.store(&server, &[]);
    client.create(&order("before"));
    let files = std::fs::read_dir(site.folder()).unwrap();
    let sizes = files.map(|file| file.unwrap().metadata().unwrap().len());
    limit(Some(sizes.max().unwrap() + 400_000));
    assert_error(&client.call("create", &widest("large")), 503, "unavailable");
    becomes(&server, 503);
    for _ in 0..5 {
        assert_error(&client.call("create", &widest("large")), 503, "unavailable");
        // Longer than the result of a write probe is cached.
        let begin = std::time::Instant::now();
        while begin.elapsed() < Duration::from_millis(1_200) {
            let ready = try_get(server.address, "/readyz").unwrap().status;
            assert_eq!(ready, 503, "although no order fits");
        }
    }
    limit(None);
    becomes(&server, 200);
    client.create(&widest("large"));
}

#[test]
fn postgresql_is_not_ready_while_it_is_read_only() {
    let site = Site::postgres();
    let (server, client) = site.open();
    let name = site.url().rsplit_once('/').unwrap().1;
    let name = name.split('?').next().unwrap();
    // New settings of the database apply to new connections only.
    let reconnect = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                     WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let read_only = || {
        site.sql(&format!(
            "ALTER DATABASE {name} SET default_transaction_read_only = on"
        ));
        site.sql(reconnect);
    };
    let writable = || {
        site.sql(&format!(
            "BEGIN READ WRITE; ALTER DATABASE {name} RESET default_transaction_read_only; COMMIT"
        ));
    };
    for calls in [false, true] {
        not_ready_while_writes_fail(&server, &client, calls, read_only, writable);
    }
}

#[test]
fn postgresql_is_not_ready_while_orders_cannot_be_written() {
    let site = Site::postgres();
    let (server, client) = site.open();
    let away = || site.sql("ALTER TABLE line_items RENAME TO line_items_away");
    let back = || site.sql("ALTER TABLE line_items_away RENAME TO line_items");
    for calls in [false, true] {
        not_ready_while_writes_fail(&server, &client, calls, away, back);
    }
}
