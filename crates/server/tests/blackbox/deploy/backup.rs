//! `deploy/backup/`: a backup is made while orders are written, and restored.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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
    // As the README says.
    restored.run(&["after-restore"]).ok();
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

/// Puts a program `pg_dump` into a folder, which runs the shell `script`, and a `pg_restore` that
/// accepts every file. Returns the folder.
fn programs(script: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, script) in [("pg_dump", script), ("pg_restore", "")] {
        let file = folder.path().join(name);
        fs::write(&file, format!("#!/bin/bash\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

/// Returns a command that backs up `url` with the `programs`.
fn backup_by(programs: &TempDir, url: &str, folder: &Path) -> Command {
    let path = std::env::var("PATH").unwrap();
    let mut command = Command::new(files().join("pressline-backup"));
    command
        .env("PATH", format!("{}:{path}", programs.path().display()))
        .env("PRESSLINE__DATABASE__URL", url)
        .env("BACKUP_FOLDER", folder);
    command
}

#[test]
fn no_form_of_a_password_reaches_the_process_list() {
    // Prints the last argument, the URL, and the environment.
    let programs = programs(
        "echo \"${@: -1} [$PGPASSWORD]\" >&2; [ -z \"$PGSERVICEFILE\" ] || cat \"$PGSERVICEFILE\" >&2",
    );
    let folder = TempDir::new().unwrap();
    for (url, shown) in [
        ("postgres://u:p%40%25w@h/d", "postgres://u@h/d [p@%w]"),
        (
            "postgres://u:p?w@h:5/d?sslmode=prefer",
            "postgres://u@h:5/d?sslmode=prefer [p?w]",
        ),
        ("postgresql://:pw@/d", "postgresql:///d [pw]"),
        ("postgres://u@h/d?password=p%26w", "postgres://u@h/d [p&w]"),
        (
            "postgres://h/d?user=u&password=p@w&port=5",
            "postgres://h/d?user=u&port=5 [p@w]",
        ),
        (
            "postgres://u:other@h/d?p%61ssword=pw",
            "postgres://u@h/d [pw]",
        ),
        (
            "postgres://u:p\\x41%5Cn%0A@h/d",
            "postgres://u@h/d [p\\x41\\n\n]",
        ),
        (
            "postgres://u@h/d?sslpassword=p%20w&a=b",
            "postgres://u@h/d?a=b []\n[pressline-backup]\nsslpassword=p w",
        ),
        ("postgres://u@h/d", "postgres://u@h/d []"),
    ] {
        let ended = Finished::from(backup_by(&programs, url, folder.path()).output().unwrap());
        let err = ended.ok().err;
        assert_eq!(err.trim_end(), format!("--dbname={shown}"), "{url}");
    }
    for url in [
        "postgres://u:hid%den%@h/d",
        "postgres://u:x@hidden@h/d",
        "postgres://u:1/hidden@h/d",
        "postgres://h/d?password=x&hidden",
        "postgres://h/d?password=x=hidden",
        "postgres://h/d?service=s&sslpassword=hidden",
    ] {
        let ended = Finished::from(backup_by(&programs, url, folder.path()).output().unwrap());
        ended.fails(2, &["PRESSLINE__DATABASE__URL"]);
        assert!(!ended.err.contains("hid"), "{url}: {ended:?}");
    }
}

#[test]
fn a_killed_backup_leaves_nothing_after_the_next_but_a_running_one_does() {
    if tool("deploy", "sqlite3").is_none() {
        return;
    }
    let (site, folder) = (Site::sqlite(), TempDir::new().unwrap());
    let sqlite = format!("sqlite://{}", site.folder().join("pressline.db").display());
    // Runs until its standard input is closed.
    let programs = programs("read -r || true");
    let start = || {
        let before = names(folder.path());
        let mut command = backup_by(&programs, "postgres://h/d", folder.path());
        let run = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let partial = wait_for("the backup's file", TIMEOUT, || {
            let mut names = names(folder.path()).into_iter();
            names.find(|name| !before.contains(name))
        });
        (run, partial)
    };
    let (mut killed, left) = start();
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(left.starts_with(".partial."), "{left}");

    let (mut running, partial) = start();
    assert_eq!(names(folder.path()), std::slice::from_ref(&partial));
    backup(&sqlite, folder.path()).ok();
    assert!(names(folder.path()).contains(&partial));
    drop(running.stdin.take());
    assert!(running.wait().unwrap().success());
    let names = names(folder.path());
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(
        names.iter().all(|name| name.starts_with("pressline-")),
        "{names:?}"
    );
}

#[test]
fn the_folder_of_backups_may_have_any_name() {
    if tool("deploy", "sqlite3").is_none() {
        return;
    }
    let (site, parent) = (Site::sqlite(), TempDir::new().unwrap());
    let file = site.folder().join("pressline.db");
    for name in [
        "it's",
        "-rf",
        "two words",
        "line\nbreak",
        "$(id)",
        "*?[a]",
        "\"",
        "\\n",
        "~",
        "-",
    ] {
        let folder = parent.path().join(name);
        fs::create_dir(&folder).unwrap();
        let database = folder.join("the database.db");
        fs::copy(&file, &database).unwrap();
        let url = format!("sqlite://{}", database.display());
        // Named by its absolute path, and from the folder above.
        for folder in [folder.as_path(), Path::new(name)] {
            let mut command = Command::new(files().join("pressline-backup"));
            command
                .current_dir(parent.path())
                .env("PRESSLINE__DATABASE__URL", &url)
                .env("BACKUP_FOLDER", folder);
            Finished::from(command.output().unwrap()).ok();
        }
        assert_eq!(names(&folder).len(), 3, "{name}");
    }
}

#[test]
fn shellcheck_accepts_the_scripts() {
    let Some(shellcheck) = tool("deploy", "shellcheck") else {
        return;
    };
    for script in [
        "backup/pressline-backup",
        "debian/postinst",
        "debian/prerm",
        "debian/postrm",
    ] {
        let mut command = Command::new(&shellcheck);
        command.arg(workspace().join("deploy").join(script));
        Finished::from(command.output().unwrap()).ok();
    }
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
