//! SQLite files that are deleted or replaced while the service runs.

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Client, Server, Site, TIMEOUT, order, try_get, wait_for};

/// Time limit until the service must notice.
const NOTICED: Duration = Duration::from_secs(1);

fn becomes(server: &Server, status: u16) {
    wait_for(&format!("/readyz to response {status}"), TIMEOUT, || {
        (try_get(server.address, "/readyz").unwrap().status == status).then_some(())
    });
}

/// Creates orders while `happens` runs. Returns the send times of the creates that got 200.
fn acknowledged(client: &Client, prefix: &str, happens: impl FnOnce()) -> Vec<Instant> {
    let (moments, stopped) = (Mutex::new(Vec::new()), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0.. {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let sent = Instant::now();
                match client
                    .call("create", &order(&format!("{prefix}-{number}")))
                    .status
                {
                    200 => moments.lock().unwrap().push(sent),
                    status => assert_eq!(status, 503),
                }
            }
        });
        wait_for("some orders", TIMEOUT, || {
            (moments.lock().unwrap().len() >= 5).then_some(())
        });
        happens();
        stopped.store(true, Ordering::SeqCst);
    });
    moments.into_inner().unwrap()
}

/// Returns the number of log lines about the problem. It is logged when it begins, not per request.
fn complaints(server: &Server) -> usize {
    server
        .log_up_to_now()
        .matches("nothing is written any more")
        .count()
}

#[test]
fn writes_fail_a_second_after_the_file_was_removed() {
    let site = Site::sqlite();
    let (server, client) = site.open();
    for (round, name) in ["pressline.db", "pressline.db-wal", "pressline.db-shm"]
        .into_iter()
        .enumerate()
    {
        let (path, away) = (site.folder().join(name), site.folder().join("away"));
        let mut taken = Instant::now();
        let moments = acknowledged(&client, &format!("taken-{round}"), || {
            fs::rename(&path, &away).unwrap();
            taken = Instant::now();
            becomes(&server, 503);
            let until = taken + 2 * NOTICED;
            wait_for("calls after that", TIMEOUT, || {
                (Instant::now() > until).then_some(())
            });
        });
        let late = moments
            .iter()
            .filter(|sent| **sent > taken + NOTICED)
            .count();
        assert_eq!(late, 0, "{name}: of {}", moments.len());
        assert_eq!(complaints(&server), round + 1, "{name}");
        fs::rename(&away, &path).unwrap();
        becomes(&server, 200);
        client.create(&order(&format!("back-{round}")));
    }
    server.kill();
    // The files are the original ones, so no acknowledged order is lost.
    let server = site.serve();
    let client = Client {
        address: server.address,
        ..client
    };
    for round in 0..3 {
        client.stored(&format!("back-{round}"));
        client.stored(&format!("taken-{round}-0"));
    }
}

#[test]
fn a_file_that_replaces_the_database_is_not_written_to() {
    let site = Site::sqlite();
    let (server, client) = site.open();
    client.create(&order("before"));
    let (path, away) = (
        site.folder().join("pressline.db"),
        site.folder().join("away"),
    );
    fs::rename(&path, &away).unwrap();
    fs::copy(&away, &path).unwrap();
    let replaced = fs::read(&path).unwrap();
    becomes(&server, 503);
    let response = client.call("create", &order("during"));
    assert_eq!(response.status, 503, "{response}");
    assert_eq!(fs::read(&path).unwrap(), replaced);
    let log = server.log_up_to_now();
    assert!(
        log.contains("was deleted or replaced while the service runs"),
        "{log}"
    );
    fs::rename(&away, &path).unwrap();
    becomes(&server, 200);
    client.create(&order("after"));
    assert_eq!(client.found("before"), ["before"]);
}
