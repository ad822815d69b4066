//! The file system of a folder, from the system's table of mounts.

use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mount {
    /// Name of the file system, such as `ext4` or `fuse.sshfs`.
    pub(super) kind: String,
    pub(super) is_read_only: bool,
}

/// Returns the mount of `folder`, which must be canonical. `None` on systems without
/// `/proc/self/mountinfo`.
pub(super) fn mount_of(folder: &Path) -> Option<Mount> {
    let table = fs::read_to_string("/proc/self/mountinfo").ok()?;
    find(&table, folder)
}

/// The table has a line per mount: id, parent, device, root, mount point, options, optional fields,
/// `-`, file system, source and options of the file system (proc_pid_mountinfo(5)).
fn find(table: &str, folder: &Path) -> Option<Mount> {
    let mounts = table.lines().filter_map(|line| {
        let (mount_fields, file_system_fields) = line.split_once(" - ")?;
        let mut mount = mount_fields.split(' ').skip(4);
        let point = PathBuf::from(unescaped(mount.next()?));
        let mut file_system = file_system_fields.split(' ');
        let kind = file_system.next()?.to_owned();
        let options = [mount.next()?, file_system.nth(1).unwrap_or_default()];
        let is_read_only = options
            .iter()
            .any(|list| list.split(',').any(|option| option == "ro"));
        folder
            .starts_with(&point)
            .then(|| (point.components().count(), Mount { kind, is_read_only }))
    });
    // The deepest mount point; of two mounts on one point, the later one hides the earlier one.
    mounts
        .max_by_key(|(depth, _)| *depth)
        .map(|(_, mount)| mount)
}

/// Decodes spaces and other characters that the table writes as three octal digits.
fn unescaped(text: &str) -> String {
    ["\\040", "\\011", "\\012", "\\134"]
        .iter()
        .zip([" ", "\t", "\n", "\\"])
        .fold(text.to_owned(), |text, (escape, character)| {
            text.replace(escape, character)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro
40 22 0:45 / /srv/shop rw,relatime shared:20 - nfs4 nas:/shop rw,vers=4.2
41 22 0:46 / /mnt/my\\040disk ro,relatime shared:21 - cifs //nas/x rw
42 40 0:47 / /srv/shop/local rw - xfs /dev/sdb rw
43 22 0:48 / /ro rw - ext4 /dev/sdc ro
44 42 0:49 / /srv/shop/local rw - tmpfs none rw
";

    #[test]
    fn the_deepest_and_latest_mount_counts() {
        for (folder, kind, is_read_only) in [
            ("/var/lib/pressline", "ext4", false),
            ("/srv/shop", "nfs4", false),
            ("/srv/shop/data", "nfs4", false),
            ("/srv/shopping", "ext4", false),
            ("/srv/shop/local/data", "tmpfs", false),
            ("/mnt/my disk/data", "cifs", true),
            ("/ro/data", "ext4", true),
        ] {
            let mount = find(TABLE, Path::new(folder)).unwrap();
            assert_eq!(
                (mount.kind.as_str(), mount.is_read_only),
                (kind, is_read_only),
                "{folder}"
            );
        }
        assert_eq!(find("", Path::new("/")), None);
    }
}
