//! The master key: configuration, refused keys, and rotation while stores call.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::json;

use crate::common::{
    Client, Finished, MASTER_KEY, Server, Site, TIMEOUT, assert_error, on_both_databases, sign,
    try_get, wait_for,
};

/// The master key that replaces [`MASTER_KEY`].
const NEW_KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

on_both_databases!(
    a_mistyped_master_key_changes_nothing,
    a_server_with_another_master_key_refuses_to_start,
    one_of_two_concurrent_first_master_keys_wins,
    a_rotation_under_load_accepts_all_valid_signatures,
);

/// Returns a command with the master key `key` and the optional `previous` key.
fn with_keys(site: &Site, key: &str, previous: Option<&str>) -> Command {
    let mut command = site.command();
    command.env("PRESSLINE__AUTH__MASTER_KEY", key);
    command.envs(previous.map(|key| ("PRESSLINE__AUTH__PREVIOUS_MASTER_KEY", key)));
    command
}

fn run(mut command: Command, arguments: &[&str]) -> Finished {
    command.args(arguments).output().unwrap().into()
}

fn serve(mut command: Command) -> Server {
    command.arg("serve");
    Server::start(command)
}

/// Asserts that a command was refused because of its master key, with exit code `2` and two key ids
/// in the message.
#[track_caller]
fn refused(ended: &Finished) {
    ended.fails(2, &["another master key (id ", "configured one (id "]);
}

fn ready(server: &Server) -> u16 {
    try_get(server.address, "/readyz").unwrap().status
}

fn a_mistyped_master_key_changes_nothing(site: &Site) {
    let (server, client) = site.open();
    let stores = || site.run(&["--json", "store", "list"]).json();
    let before = stores();
    for arguments in [
        ["store", "create", "--name", "Typo"].as_slice(),
        &["store", "rotate-key", &client.store],
        &["master-key", "rotate"],
    ] {
        refused(&run(with_keys(site, NEW_KEY, None), arguments));
    }
    assert_eq!(stores(), before);
    // Longer than a server caches its readiness.
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(1500) {
        assert_eq!(ready(&server), 200);
        client.call("search", &json!({})).ok();
    }
}

fn a_server_with_another_master_key_refuses_to_start(site: &Site) {
    let (_server, _client) = site.open();
    refused(&run(with_keys(site, NEW_KEY, None), &["serve"]));
}

fn one_of_two_concurrent_first_master_keys_wins(site: &Site) {
    site.run(&["migrate"]).ok();
    let create = |key| {
        run(
            with_keys(site, key, None),
            &["store", "create", "--name", "First"],
        )
    };
    let ended = thread::scope(|scope| {
        let calls = [MASTER_KEY, NEW_KEY].map(|key| scope.spawn(move || create(key)));
        calls.map(|call| call.join().unwrap())
    });
    let (made, other) = if ended[0].code == 0 {
        (&ended[0], &ended[1])
    } else {
        (&ended[1], &ended[0])
    };
    assert_eq!(made.code, 0, "{ended:?}");
    refused(other);
    assert_eq!(site.run(&["--json", "store", "list"]).code, 0);
}

/// Creates a store with `command`.
fn store(command: Command, server: &Server) -> Client {
    let made = run(
        command,
        &["--json", "store", "create", "--name", "Printery"],
    )
    .json();
    let text = |key: &str| made[key].as_str().unwrap().to_owned();
    Client {
        address: server.address,
        store: text("storeId"),
        key: text("secretKey"),
    }
}

/// Calls of stores that continue until stopped. After a wrong signature the server reloads the
/// store's keys, up to once a second, so that the next call is checked with the keys as then
/// stored.
#[derive(Default)]
struct Load {
    clients: Mutex<Vec<Client>>,
    rounds: AtomicUsize,
    stopped: AtomicBool,
    statuses: Mutex<BTreeMap<u16, usize>>,
}

impl Load {
    fn call(&self) {
        while !self.stopped.load(Ordering::SeqCst) {
            let clients = self.clients.lock().unwrap().clone();
            for client in &clients {
                let wrong =
                    client.signed_by("/app/v1/orders/search", "{}", &sign("another key", b"{}"));
                let wrong = client.send(&wrong).status;
                let right = client.call("search", &json!({})).status;
                let mut statuses = self.statuses.lock().unwrap();
                // For a wrong signature, 401 is the right response; it is counted as 200.
                let wrong = if wrong == 401 { 200 } else { wrong };
                for status in [wrong, right] {
                    *statuses.entry(status).or_default() += 1;
                }
            }
            self.rounds.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Waits until all stores have called twice more.
    fn go_on(&self) {
        let from = self.rounds.load(Ordering::SeqCst);
        wait_for("calls", TIMEOUT, || {
            (self.rounds.load(Ordering::SeqCst) >= from + 2).then_some(())
        });
    }

    fn send_to(&self, server: &Server) {
        self.clients
            .lock()
            .unwrap()
            .iter_mut()
            .for_each(|client| client.address = server.address);
    }

    fn add(&self, client: Client) {
        self.clients.lock().unwrap().push(client);
    }

    /// Runs the load during `scenario`. Every valid signature must be accepted.
    fn while_called(&self, scenario: impl FnOnce(&Self)) {
        thread::scope(|scope| {
            let calls = scope.spawn(|| self.call());
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| scenario(self)));
            self.stopped.store(true, Ordering::SeqCst);
            calls.join().unwrap();
            outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        });
        let statuses = self.statuses.lock().unwrap();
        assert_eq!(statuses.keys().collect::<Vec<_>>(), [&200], "{statuses:?}");
    }
}

fn a_rotation_under_load_accepts_all_valid_signatures(site: &Site) {
    let old = || with_keys(site, MASTER_KEY, None);
    let both = || with_keys(site, NEW_KEY, Some(MASTER_KEY));
    let new = || with_keys(site, NEW_KEY, None);
    let first = serve(old());
    let load = Load::default();
    load.add(store(old(), &first));
    let mut last = None;
    load.while_called(|load| {
        // While servers are replaced, stores are created with either configuration, and all servers
        // can open their keys.
        let second = serve(both());
        load.add(store(both(), &first));
        load.add(store(old(), &second));
        load.go_on();
        load.send_to(&second);
        load.go_on();
        first.kill();

        let rotated = run(both(), &["--json", "master-key", "rotate"]).json();
        assert_eq!(
            (&rotated["resealed"], &rotated["unreadable"]),
            (&json!(3), &json!(0)),
            "{rotated}"
        );
        load.add(store(both(), &second));
        refused(&run(old(), &["store", "create", "--name", "Late"]));
        load.go_on();
        // An operator repeats the command after an interruption.
        let again = run(both(), &["--json", "master-key", "rotate"]).json();
        assert_eq!(
            (&again["resealed"], &again["unchanged"]),
            (&json!(0), &json!(4)),
            "{again}"
        );

        let third = serve(new());
        load.send_to(&third);
        load.add(store(new(), &third));
        load.go_on();
        second.kill();
        assert_eq!(ready(&third), 200);
        refused(&run(old(), &["serve"]));
        load.go_on();
        last = Some(third);
    });
    assert!(last.is_some(), "the server must outlive the load");
}

/// Returns a command without `PRESSLINE__AUTH__MASTER_KEY`: the key is in a file next to the SQLite
/// database.
fn with_key_file(site: &Site) -> Command {
    let mut command = site.command();
    command.env_remove("PRESSLINE__AUTH__MASTER_KEY");
    command
}

fn key_file(site: &Site, ending: &str) -> PathBuf {
    site.folder()
        .join(format!("pressline.db.master-key{ending}"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn the_key_file_next_to_a_database_is_rotated_under_load() {
    let site = Site::sqlite();
    let server = serve(with_key_file(&site));
    let load = Load::default();
    let client = store(with_key_file(&site), &server);
    load.add(client.clone());
    let old = read(&key_file(&site, ""));
    let mut kept = PathBuf::new();
    load.while_called(|load| {
        load.go_on();
        for _ in 0..3 {
            let rotated = run(with_key_file(&site), &["--json", "master-key", "rotate"]).json();
            assert_eq!(rotated["unreadable"], 0, "{rotated}");
            if kept.as_os_str().is_empty() {
                kept = site
                    .folder()
                    .join(rotated["previousKeyFile"].as_str().unwrap());
            }
            load.add(store(with_key_file(&site), &server));
            load.go_on();
        }
    });
    assert_eq!(read(&kept), old, "backups made before need the old key");
    assert_ne!(read(&key_file(&site, "")), old);
    assert!(!key_file(&site, ".next").exists());
    server.kill();

    let server = serve(with_key_file(&site));
    let client = Client {
        address: server.address,
        ..client
    };
    client.call("search", &json!({})).ok();
}

/// The rotation was killed between database and file: all keys are sealed with the next master key,
/// but the file still contains the old key.
#[test]
fn an_interrupted_rotation_is_finished_by_the_next() {
    let site = Site::sqlite();
    let server = serve(with_key_file(&site));
    let client = store(with_key_file(&site), &server);
    let rotated = run(with_key_file(&site), &["--json", "master-key", "rotate"]).json();
    server.kill();
    let kept = site
        .folder()
        .join(rotated["previousKeyFile"].as_str().unwrap());
    fs::rename(key_file(&site, ""), key_file(&site, ".next")).unwrap();
    fs::rename(&kept, key_file(&site, "")).unwrap();

    let server = serve(with_key_file(&site));
    let client = Client {
        address: server.address,
        ..client
    };
    client.call("search", &json!({})).ok();
    assert_eq!(ready(&server), 200);
    let again = run(with_key_file(&site), &["--json", "master-key", "rotate"]).json();
    assert_eq!(
        (&again["resealed"], &again["masterKeyId"]),
        (&json!(0), &rotated["masterKeyId"]),
        "{again}"
    );
    assert!(kept.exists() && !key_file(&site, ".next").exists());
    client.call("search", &json!({})).ok();
}

#[test]
fn a_missing_key_file_is_reported_and_not_created_again() {
    let site = Site::sqlite();
    let server = serve(with_key_file(&site));
    store(with_key_file(&site), &server);
    server.kill();
    fs::remove_file(key_file(&site, "")).unwrap();
    run(with_key_file(&site), &["serve"])
        .fails(2, &["pressline.db.master-key is missing", "the id "]);
    assert!(!key_file(&site, "").exists());
}

#[test]
fn an_unreadable_key_affects_only_its_store() {
    let site = Site::postgres();
    let (server, broken) = site.open();
    let healthy = site.store(&server, &[]);
    site.sql(&format!(
        "UPDATE store_keys SET sealed = '\\x0102' WHERE store_id = '{}'",
        broken.store
    ));
    assert_error(&broken.call("search", &json!({})), 503, "unavailable");
    healthy.call("search", &json!({})).ok();
    let response = wait_for("the notice", TIMEOUT, || {
        let response = try_get(server.address, "/readyz").unwrap();
        assert_eq!(response.status, 200, "{response}");
        response.text().contains("notice").then_some(response)
    });
    assert!(
        response.text().contains("cannot be opened: 1"),
        "{response}"
    );
    for _ in 0..3 {
        assert_error(&broken.call("search", &json!({})), 503, "unavailable");
    }
    let log = server.log_up_to_now();
    assert_eq!(
        log.matches("a secret key cannot be opened; its store")
            .count(),
        1,
        "not each call"
    );
    // A new key works, whatever the old key is.
    let made = site
        .run(&["--json", "store", "rotate-key", &broken.store])
        .json();
    let repaired = Client {
        key: made["secretKey"].as_str().unwrap().to_owned(),
        ..broken
    };
    wait_for("the new key", TIMEOUT, || {
        (repaired.call("search", &json!({})).status == 200).then_some(())
    });
}
