//! `deploy/backup/`: a backup is made while orders are written, and restored.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use pressline_testkit::{Postgres, tool};
use tempfile::TempDir;

use crate::common::{Client, Finished, Server, Site, TIMEOUT, order, wait_for, workspace};
use crate::failure::stored_numbers;

fn files() -> PathBuf {
    workspace().join("deploy/backup")
}

fn backup(url: &str, folder: &Path) -> Finished {
    let mut command = Command::new(files().join("pressline-backup"));
    command
        .env("PRESSLINE__DATABASE__URL", url)
        .env("BACKUP_FOLDER", folder)
        .env("BACKUP_KEEP", "2");
    command.output().unwrap().into()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Makes three backups of `url` while `client` creates orders; two of them are kept. Returns the
/// last backup and the number of orders stored before it began.
fn backup_of_busy(client: &Client, url: &str, folder: &Path) -> (PathBuf, usize) {
    let (created, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                client.create(&order(&format!(
                    "order-{}",
                    created.load(Ordering::Relaxed)
                )));
                created.fetch_add(1, Ordering::Relaxed);
            }
        });
        let finished = (0..3).map(|_| {
            let known = created.load(Ordering::Relaxed);
            wait_for("more orders", TIMEOUT, || {
                (created.load(Ordering::Relaxed) > known + 5).then_some(())
            });
            let before = created.load(Ordering::Relaxed);
            (backup(url, folder), before)
        });
        let last = finished.last().unwrap();
        thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
        (PathBuf::from(last.0.ok().out.trim()), last.1)
    })
}

#[track_caller]
fn check(restored: &Site, client: &Client, backup: &(PathBuf, usize)) {
    let server: Server = restored.serve();
    let client = Client {
        address: server.address,
        ..client.clone()
    };
    let stored = stored_numbers(&client);
    let missing: Vec<usize> = (0..backup.1)
        .filter(|number| !stored.contains_key(&format!("order-{number}")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    client.create(&order("order-after-the-restore"));
}

/// Asserts that a failed run has a nonzero exit code and leaves the folder unchanged.
#[track_caller]
fn check_failure(url: &str, folder: &Path) {
    let before = names(folder);
    assert_eq!(before.len(), 2, "{before:?}");
    for name in &before {
        let mode = fs::metadata(folder.join(name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
    let ended = backup(url, folder);
    assert!(ended.code != 0 && !ended.err.is_empty(), "{ended:?}");
    assert_eq!(names(folder), before);
}

#[test]
fn a_backup_of_sqlite_has_the_orders() {
    if tool("deploy", "sqlite3").is_none() {
        return;
    }
    let (site, folder) = (Site::sqlite(), TempDir::new().unwrap());
    let (server, client) = site.open();
    let url = format!("sqlite://{}", site.folder().join("pressline.db").display());
    let made = backup_of_busy(&client, &url, folder.path());
    drop(server);
    let restored = Site::without_database();
    fs::copy(&made.0, restored.folder().join("pressline.db")).unwrap();
    check(&restored, &client, &made);
    check_failure("sqlite:///nowhere/pressline.db", folder.path());
    site.file("text.db", "this is not a database".repeat(100));
    let damaged = format!("sqlite://{}", site.folder().join("text.db").display());
    check_failure(&damaged, folder.path());
}

#[test]
fn a_backup_of_postgresql_has_the_orders() {
    if tool("deploy", "pg_dump").is_none() || tool("deploy", "pg_restore").is_none() {
        return;
    }
    let (site, folder) = (Site::postgres(), TempDir::new().unwrap());
    let (server, client) = site.open();
    let made = backup_of_busy(&client, site.url(), folder.path());
    drop(server);
    let restored = Site::in_cluster(Postgres::shared().unwrap());
    let mut command = Command::new("pg_restore");
    command.args(["--exit-on-error", "--no-owner", "--dbname", restored.url()]);
    Finished::from(command.arg(&made.0).output().unwrap()).ok();
    check(&restored, &client, &made);
    // Nothing listens on port 1.
    check_failure(
        "postgres://user:%70assword@127.0.0.1:1/pressline",
        folder.path(),
    );
}

#[test]
fn systemd_accepts_the_units_of_backups() {
    let Some(analyze) = tool("deploy", "systemd-analyze") else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let units = ["pressline-backup.service", "pressline-backup.timer"].map(|name| {
        let text = fs::read_to_string(files().join(name)).unwrap();
        // The program is not installed where the unit expects it.
        let program = files().join("pressline-backup");
        let text = text.replace("/usr/local/bin/pressline-backup", program.to_str().unwrap());
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file
    });
    let mut command = Command::new(analyze);
    let ended = Finished::from(command.arg("verify").args(units).output().unwrap()).ok();
    assert_eq!((ended.out.as_str(), ended.err.as_str()), ("", ""));
}
