//! The server's operating system user: PostgreSQL refuses to run as root.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::TestkitError;

/// User that owns a cluster's folder and processes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ServerUser {
    /// The user that runs the tests.
    Caller,
    /// Another user, because the tests run as root.
    Other { uid: u32, gid: u32 },
}

impl ServerUser {
    /// Returns the caller; for root, the user `postgres`, else `nobody`.
    pub(crate) fn find() -> Result<Self, TestkitError> {
        if !rustix::process::geteuid().is_root() {
            return Ok(Self::Caller);
        }
        let passwd =
            fs::read_to_string("/etc/passwd").map_err(TestkitError::io("reading /etc/passwd"))?;
        ["postgres", "nobody"]
            .into_iter()
            .find_map(|name| entry(&passwd, name))
            .ok_or(TestkitError::NoUser)
    }

    /// Command that runs as this user, detached from the terminal and without settings of another
    /// cluster.
    pub(crate) fn command(self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir("/")
            .stdin(Stdio::null())
            .env("LC_ALL", "C");
        for name in [
            "PGDATA",
            "PGHOST",
            "PGPORT",
            "PGUSER",
            "PGPASSWORD",
            "PGOPTIONS",
            "PGTZ",
        ] {
            command.env_remove(name);
        }
        if let Self::Other { uid, gid } = self {
            // The standard library also drops root's supplementary groups when it changes the user.
            command.uid(uid).gid(gid);
        }
        command
    }

    /// Makes this user the owner of `path`.
    pub(crate) fn own(self, path: &Path) -> Result<(), TestkitError> {
        match self {
            Self::Caller => Ok(()),
            Self::Other { uid, gid } => chown(path, Some(uid), Some(gid)).map_err(
                TestkitError::io(format!("giving {} to the server's user", path.display())),
            ),
        }
    }

    /// Returns whether this user can access the contents of `folder`.
    pub(crate) fn reaches(self, folder: &Path) -> bool {
        self.command("test")
            .arg("-x")
            .arg(folder)
            .status()
            .is_ok_and(|status| status.success())
    }
}

/// Finds the ids of user `name` in a password file. An entry with uid 0 does not count.
fn entry(passwd: &str, name: &str) -> Option<ServerUser> {
    passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next() != Some(name) {
            return None;
        }
        let uid = fields.nth(1)?.parse().ok().filter(|uid| *uid != 0)?;
        let gid = fields.next()?.parse().ok()?;
        Some(ServerUser::Other { uid, gid })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ids_by_whole_name() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\npostgresql:x:7:8::/:/bin/sh\npostgres:x:101:104::/:/bin/sh\n";
        assert!(matches!(
            entry(passwd, "postgres"),
            Some(ServerUser::Other { uid: 101, gid: 104 })
        ));
        assert!(entry(passwd, "nobody").is_none());
        assert!(entry(passwd, "root").is_none());
    }
}
