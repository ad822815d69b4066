//! `/readyz` reports whether writes work.

#[cfg(target_os = "linux")]
mod full_disk;

use std::time::Duration;

use crate::common::{Client, Server, Site, order, try_get, wait_for};

/// Time limit until `/readyz` must notice that writes fail or work again.
const NOTICED: Duration = Duration::from_secs(10);

fn database_name(site: &Site) -> &str {
    let name = site.url().rsplit_once('/').unwrap().1;
    name.split('?').next().unwrap()
}

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

#[test]
fn postgresql_is_not_ready_while_it_is_read_only() {
    let site = Site::postgres();
    let (server, client) = site.open();
    let name = database_name(&site);
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
