//! Decides which facts about a file and its folder are deficiencies. Pure.

use pressline_store_kit::{Deficiency, Severity};

use super::facts::{DatabaseFile, Facts, HEADER};

/// First bytes of every database file.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// File systems of networks: the processes of several machines do not share the index of the
/// write-ahead log, and locks are unreliable.
///
/// Source: <https://www.sqlite.org/wal.html>, section 1
const NETWORK: [&str; 14] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "afs",
    "ceph",
    "lustre",
    "gfs2",
    "ocfs2",
    "beegfs",
    "glusterfs",
    "davfs",
    "ncpfs",
];
/// File systems of FUSE that reach over a network.
const NETWORK_BY_FUSE: [&str; 10] = [
    "fuse.sshfs",
    "fuse.glusterfs",
    "fuse.s3fs",
    "fuse.rclone",
    "fuse.davfs",
    "fuse.davfs2",
    "fuse.ceph",
    "fuse.ceph-fuse",
    "fuse.smbnetfs",
    "fuse.gcsfuse",
];
/// File systems that pass a folder of another system through, such as of a virtual machine's host.
const PASSED_THROUGH: [&str; 6] = [
    "9p",
    "virtiofs",
    "vboxsf",
    "prl_fs",
    "fuse.vmhgfs-fuse",
    "fuse.grpcfuse",
];
/// File systems in memory.
const IN_MEMORY: [&str; 2] = ["tmpfs", "ramfs"];

/// Returns the deficiencies of a file, refusals first.
pub(super) fn deficiencies(facts: &Facts) -> Vec<Deficiency> {
    let mut deficiencies = Vec::new();
    deficiencies.extend(mount(facts));
    deficiencies.extend(facts.file.as_ref().and_then(|file| contents(facts, file)));
    deficiencies.extend(facts.file.as_ref().and_then(|file| access(facts, file)));
    deficiencies.extend(facts.file.as_ref().and_then(|file| links(facts, file)));
    deficiencies.extend(permissions(facts));
    deficiencies.sort_by_key(|deficiency| deficiency.severity == Severity::Warning);
    deficiencies
}

fn mount(facts: &Facts) -> Option<Deficiency> {
    let (path, mount) = (facts.path.display(), facts.mount.as_ref()?);
    let kind = mount.kind.as_str();
    if NETWORK.contains(&kind) || NETWORK_BY_FUSE.contains(&kind) {
        return Some(Deficiency::refusal(format!(
            "{path} is on {kind}, a file system of a network, on which SQLite's write-ahead log does not work and \
             orders can be damaged; use a local disk, or PostgreSQL"
        )));
    }
    if mount.is_read_only {
        return Some(Deficiency::refusal(format!(
            "{path} is on a file system that is mounted read-only; mount it for writing"
        )));
    }
    if PASSED_THROUGH.contains(&kind) {
        return Some(Deficiency::warning(format!(
            "{path} is on {kind}, which passes a folder of another system through: locks and syncs may not reach its \
             disk, so that orders can be lost; use a disk of this system, such as a volume"
        )));
    }
    IN_MEMORY.contains(&kind).then(|| {
        Deficiency::warning(format!(
            "{path} is on {kind}, in memory: a restart of the machine loses all orders; use a disk"
        ))
    })
}

/// Returns the problem of the header, which is cheap to check. An empty file is a new database.
fn contents(facts: &Facts, file: &DatabaseFile) -> Option<Deficiency> {
    let path = facts.path.display();
    if file.bytes == 0 || file.unusable.is_some() {
        return None;
    }
    if file.header.len() < HEADER || !file.header.starts_with(MAGIC) {
        return Some(Deficiency::refusal(format!(
            "{path} is not a database of SQLite, or is encrypted or damaged; name another file, or restore a backup"
        )));
    }
    // 1 is UTF-8; 0 is a database without content yet.
    if number(file, 56) > 1 {
        return Some(Deficiency::refusal(format!(
            "{path} stores texts in UTF-16, which sorts them in another order; let `pressline migrate` create the file"
        )));
    }
    // A log may have the rest. The number of pages is right only if both counters of changes agree.
    let page = match number(file, 16) >> 16 {
        1 => 65_536,
        page => u64::from(page),
    };
    let expected = u64::from(number(file, 28)) * page;
    let is_known = number(file, 24) == number(file, 92);
    (is_known && !file.has_log && file.bytes < expected).then(|| {
        Deficiency::refusal(format!(
            "{path} is cut off: it has {} of {expected} bytes; it may be an incomplete copy: restore a backup",
            file.bytes
        ))
    })
}

/// Returns the big-endian number at the byte `at` of the header.
fn number(file: &DatabaseFile, at: usize) -> u32 {
    let bytes = file
        .header
        .get(at..at + 4)
        .and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(0, u32::from_be_bytes)
}

fn access(facts: &Facts, file: &DatabaseFile) -> Option<Deficiency> {
    let error = file.unusable.as_ref()?;
    Some(Deficiency::refusal(format!(
        "{} cannot be read and written by the user of the service: {error}; give the file and its folder to that user",
        facts.path.display()
    )))
}

/// The names of the log and of its index come from the name by which the file was opened.
fn links(facts: &Facts, file: &DatabaseFile) -> Option<Deficiency> {
    (file.links > 1).then(|| {
        Deficiency::warning(format!(
            "{} has {} names (hard links): a program that opens it by another name does not see the write-ahead log \
             and damages the database; keep one name",
            facts.path.display(),
            file.links
        ))
    })
}

fn permissions(facts: &Facts) -> Vec<Deficiency> {
    let (path, mut deficiencies) = (facts.path.display(), Vec::new());
    if let Some(file) = facts.file.as_ref().filter(|file| file.mode & 0o007 != 0) {
        deficiencies.push(Deficiency::warning(format!(
            "{path} is open to every user of the machine (mode {:04o}), and has the addresses of customers; run chmod \
             600 on it and on the files beside it with its name",
            file.mode & 0o7777
        )));
    }
    // With the sticky bit, only the owner of a file can replace it.
    let is_open = |mode: &u32| mode & 0o002 != 0 && mode & 0o1000 == 0;
    if let Some(mode) = facts.folder_mode.filter(is_open) {
        deficiencies.push(Deficiency::warning(format!(
            "every user of the machine may replace files in the folder of {path} (mode {:04o}); run chmod o-w on it",
            mode & 0o7777
        )));
    }
    deficiencies
}

#[cfg(test)]
mod tests {
    use super::super::mounts::Mount;
    use super::*;

    type Change = fn(&mut DatabaseFile);

    fn good() -> Facts {
        let mut header = MAGIC.to_vec();
        header.resize(HEADER, 0);
        header[16..18].copy_from_slice(&4096_u16.to_be_bytes());
        header[28..32].copy_from_slice(&10_u32.to_be_bytes());
        header[56..60].copy_from_slice(&1_u32.to_be_bytes());
        Facts {
            path: "/data/pressline.db".into(),
            file: Some(DatabaseFile {
                mode: 0o100_600,
                links: 1,
                bytes: 40_960,
                header,
                ..DatabaseFile::default()
            }),
            folder_mode: Some(0o040_700),
            mount: on("ext4"),
        }
    }

    fn on(kind: &str) -> Option<Mount> {
        Some(Mount {
            kind: kind.to_owned(),
            is_read_only: false,
        })
    }

    #[test]
    fn a_missing_an_empty_and_a_new_file_are_fine() {
        assert_eq!(deficiencies(&good()), []);
        let mut facts = good();
        facts.file = None;
        assert_eq!(deficiencies(&facts), []);
        facts = good();
        facts.mount = None;
        let file = facts.file.as_mut().unwrap();
        (file.bytes, file.header) = (0, Vec::new());
        assert_eq!(deficiencies(&facts), []);
    }

    #[test]
    fn every_file_system_that_cannot_hold_a_database_is_named() {
        let kinds = NETWORK.iter().chain(&NETWORK_BY_FUSE);
        for (kinds, severity) in [
            (kinds.copied().collect::<Vec<_>>(), Severity::Refusal),
            (
                [PASSED_THROUGH.as_slice(), &IN_MEMORY].concat(),
                Severity::Warning,
            ),
        ] {
            for kind in kinds {
                let mut facts = good();
                facts.mount = on(kind);
                let found = deficiencies(&facts);
                assert_eq!(found.len(), 1);
                assert_eq!(found[0].severity, severity, "{kind}");
                assert!(found[0].text.contains(kind), "{}", found[0]);
            }
        }
    }

    #[test]
    fn what_would_fail_or_lose_orders_has_its_deficiency() {
        use Severity::{Refusal, Warning};
        let cases: [(Change, Severity, &str); 9] = [
            (
                |file| file.header = b"-- a dump of tables".to_vec(),
                Refusal,
                "not a database",
            ),
            (|file| file.header[0] = b'x', Refusal, "not a database"),
            (|file| file.header[59] = 2, Refusal, "UTF-16"),
            (|file| file.bytes = 36_864, Refusal, "cut off"),
            (
                |file| file.unusable = Some("Permission denied".to_owned()),
                Refusal,
                "Permission denied",
            ),
            (|file| file.links = 2, Warning, "hard links"),
            (|file| file.mode = 0o100_644, Warning, "mode 0644"),
            (|file| file.mode = 0o100_602, Warning, "mode 0602"),
            (
                |file| (file.mode, file.links) = (0o100_640, 3),
                Warning,
                "3 names",
            ),
        ];
        for (change, severity, said) in cases {
            let mut facts = good();
            change(facts.file.as_mut().unwrap());
            let found = deficiencies(&facts);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].severity, severity);
            assert!(found[0].text.contains(said), "{}", found[0]);
        }
        let mut facts = good();
        facts.folder_mode = Some(0o040_777);
        assert!(deficiencies(&facts)[0].text.contains("chmod o-w"));
        facts.folder_mode = Some(0o041_777);
        assert_eq!(deficiencies(&facts), [], "like /tmp");
        facts.mount.as_mut().unwrap().is_read_only = true;
        assert!(deficiencies(&facts)[0].text.contains("read-only"));
    }

    #[test]
    fn a_file_with_a_log_may_be_shorter_than_its_header_says() {
        let mut facts = good();
        let file = facts.file.as_mut().unwrap();
        (file.bytes, file.has_log) = (4096, true);
        assert_eq!(deficiencies(&facts), []);
        let file = facts.file.as_mut().unwrap();
        (file.has_log, file.header[95]) = (false, 7);
        assert_eq!(deficiencies(&facts), [], "the number of pages is unknown");
    }
}
