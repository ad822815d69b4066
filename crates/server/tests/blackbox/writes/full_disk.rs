//! Full disks: by a limit on the size of files for SQLite, by a small file system for PostgreSQL.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use pressline_testkit::{Postgres, runs_as_root};
use rustix::process::{Resource, Rlimit, prlimit};
use tempfile::TempDir;

use super::{becomes, database_name, not_ready_while_writes_fail};
use crate::common::{
    Client, Finished, Server, Site, TIMEOUT, assert_error, order, try_get, wait_for,
};
use crate::large_orders::widest;

/// Asserts for some seconds that no order fits, and that the server is not ready.
fn stays_not_ready(server: &Server, client: &Client) {
    let refused = || assert_error(&client.call("create", &widest("large")), 503, "unavailable");
    refused();
    becomes(server, 503);
    for _ in 0..5 {
        refused();
        // Longer than the result of a write probe is cached.
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_millis(1_200) {
            let ready = try_get(server.address, "/readyz").unwrap().status;
            assert_eq!(ready, 503, "although no order fits");
        }
    }
}

/// Serves on SQLite. The returned function sets `RLIMIT_FSIZE` of the server, which works like a
/// full disk.
fn limited() -> (Site, Server, impl Fn(Option<u64>)) {
    let site = Site::sqlite();
    site.import_catalog();
    let service = site.command();
    let mut command = Command::new("sh");
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
#[test]
fn sqlite_stays_not_ready_while_the_files_cannot_grow_by_an_order() {
    let (site, server, limit) = limited();
    let client = site.store(&server, &[]);
    client.create(&order("before"));
    let files = fs::read_dir(site.folder()).unwrap();
    let sizes = files.map(|file| file.unwrap().metadata().unwrap().len());
    limit(Some(sizes.max().unwrap() + 400_000));
    stays_not_ready(&server, &client);
    limit(None);
    becomes(&server, 200);
    client.create(&widest("large"));
}

/// A small file system in memory for the tables of a cluster.
struct SmallDisk(TempDir);

impl SmallDisk {
    /// Mounts it with the owner of `cluster`. Only root may do so.
    fn mount(cluster: &Postgres) -> Option<Self> {
        if !runs_as_root("mounting a small file system needs it") {
            return None;
        }
        let disk = Self(tempfile::tempdir().unwrap());
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]);
        let mounted: Finished = command.arg(disk.0.path()).output().unwrap().into();
        mounted.ok();
        let process = format!("/proc/{}", cluster.process_id().unwrap());
        let owner = fs::metadata(process).unwrap();
        chown(disk.0.path(), Some(owner.uid()), Some(owner.gid())).unwrap();
        Some(disk)
    }

    fn ballast(&self) -> PathBuf {
        self.0.path().join("ballast")
    }

    /// Fills the disk to its last page.
    fn fill(&self) {
        let mut file = File::create(self.ballast()).unwrap();
        let error = loop {
            if let Err(error) = file.write_all(&[1; 4096]) {
                break error;
            }
        };
        assert_eq!(error.kind(), ErrorKind::StorageFull);
    }

    fn free(&self) {
        fs::remove_file(self.ballast()).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, because the server may still be stopping.
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

/// All tables and indexes are on the disk that becomes full; the write-ahead log is not.
#[test]
fn postgresql_is_not_ready_while_the_disk_is_full() {
    let cluster = Postgres::start().unwrap();
    let Some(disk) = SmallDisk::mount(&cluster) else {
        return;
    };
    let site = Site::in_cluster(&cluster);
    let location = disk.0.path().display();
    site.sql(&format!("CREATE TABLESPACE small LOCATION '{location}'"));
    let name = database_name(&site);
    site.sql(&format!(
        "ALTER DATABASE {name} SET default_tablespace = small"
    ));
    site.run(&["migrate"]).ok();
    let (server, client) = site.open();
    let mut created = 0;
    for round in 0..2 {
        disk.fill();
        // Orders fit as long as their tables have free pages.
        let refused = wait_for("an order that does not fit", TIMEOUT, || {
            let order = widest(&format!("{round}-{created}"));
            created += 1;
            let response = client.call("create", &order);
            (response.status != 200).then_some(response)
        });
        assert_error(&refused, 503, "unavailable");
        stays_not_ready(&server, &client);
        disk.free();
        becomes(&server, 200);
        // Probes leave room in their table, which orders cannot use.
        for bytes in [8 << 20, 16] {
            site.sql(&format!(
                "UPDATE write_probe SET content = decode(repeat('00', {bytes}), 'hex')"
            ));
        }
        // Pages that the first run takes out of an index can be used again after the second, if
        // transactions ran between them.
        for _ in 0..3 {
            site.sql("VACUUM (TRUNCATE false) write_probe");
            client.create(&order(&format!("after-{round}-{created}")));
            created += 1;
        }
    }
}
