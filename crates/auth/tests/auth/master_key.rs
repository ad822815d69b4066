//! Master key files: created once, never replaced, and rejected if other users can read them.

use std::error::Error;
use std::fs;
use std::sync::Barrier;
use std::thread;

use pressline_auth::{KeyFiles, MasterKey, MasterKeyError};
use pressline_domain::store::MasterKeyId;

const DIGITS: &str = "00112233445566778899aabbccddeeffFFEEDDCCBBAA99887766554433221100";

/// Returns `error` with all its sources, as a log shows it.
fn chain(error: &dyn Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", chain(source)),
        None => error.to_string(),
    }
}

#[test]
fn white_space_around_a_key_is_ignored() {
    let key = MasterKey::from_hex(DIGITS).unwrap();
    assert_eq!(
        MasterKey::from_hex(&format!(" {DIGITS}\r\n")).unwrap().id(),
        key.id()
    );
    assert_eq!(
        MasterKey::from_hex(&DIGITS.to_lowercase()).unwrap().id(),
        key.id()
    );
    assert_eq!(key.id().to_string().len(), 16);
}

#[test]
fn an_invalid_master_key_is_described_and_never_shown() {
    for (text, wanted) in [
        ("", "not 0 characters"),
        (&DIGITS[1..], "not 63 characters"),
        (
            &DIGITS.replace("11", "xy"),
            "not 64 characters with others among them",
        ),
        (&"é".repeat(32), "not 32 characters with others among them"),
    ] {
        let error = MasterKey::from_hex(text).unwrap_err().to_string();
        assert!(
            error.ends_with(wanted) && error.contains("64 hexadecimal digits"),
            "{text}: {error}"
        );
        assert!(!error.contains("2233"), "{error}");
    }
}

#[test]
fn a_created_key_stays_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.key");
    let created = MasterKey::create(&path).unwrap();
    assert_eq!(MasterKey::create(&path).unwrap().id(), created.id());
    assert_eq!(MasterKey::load(&path).unwrap().id(), created.id());
    let text = fs::read_to_string(&path).unwrap();
    // 64 digits and a line end.
    assert_eq!((text.len(), text.ends_with('\n')), (65, true));
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "something is left over"
    );
    let another = MasterKey::create(&folder.path().join("another.key")).unwrap();
    assert_ne!(another.id(), created.id());
}

#[test]
fn concurrently_started_processes_get_the_same_key() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..20 {
        let path = folder.path().join(format!("{round}.key"));
        let start = Barrier::new(8);
        let ids: Vec<MasterKeyId> = thread::scope(|scope| {
            let create = || {
                start.wait();
                MasterKey::create(&path).unwrap().id()
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(create)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    }
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        20,
        "something is left over"
    );
}

/// The owner may still be able to repair a damaged file, so `create` must not overwrite it.
#[cfg(unix)]
#[test]
fn an_existing_file_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    for content in ["", "not a key", &DIGITS[2..]] {
        let path = folder.path().join("master.key");
        fs::write(&path, content).unwrap();
        set_mode(&path, 0o600);
        let error = MasterKey::create(&path).unwrap_err();
        assert!(matches!(error, MasterKeyError::File { .. }), "{error:?}");
        assert!(
            chain(&error).contains("master.key does not hold a master key: a master key is 64")
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
}

#[test]
fn a_missing_file_or_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = MasterKey::load(&folder.path().join("none.key")).unwrap_err();
    assert!(matches!(error, MasterKeyError::Read { .. }), "{error:?}");
    let error = MasterKey::create(&folder.path().join("none").join("master.key")).unwrap_err();
    assert!(matches!(error, MasterKeyError::Create { .. }), "{error:?}");
    assert!(
        chain(&error).contains("master.key cannot be created: "),
        "{}",
        chain(&error)
    );
}

#[cfg(unix)]
#[test]
fn a_created_file_is_private_and_a_readable_file_is_refused() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("master.key");
    MasterKey::create(&path).unwrap();
    assert_eq!(
        fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    for mode in [0o644, 0o604, 0o660, 0o666] {
        set_mode(&path, mode);
        let error = MasterKey::load(&path).unwrap_err();
        assert!(
            matches!(error, MasterKeyError::Exposed { mode: found, .. } if found == mode),
            "{error:?}"
        );
        assert!(
            error
                .to_string()
                .contains(&format!("(mode {mode:04o}): run `chmod 600`")),
            "{error}"
        );
        assert!(MasterKey::create(&path).is_err());
    }
    // A file that only its owner can read is private enough.
    set_mode(&path, 0o400);
    MasterKey::load(&path).unwrap();
}

/// Checks the loaded keys in each state of a rotation. It may stop there and be restarted.
#[test]
fn an_interrupted_rotation_of_the_file_loses_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let files = KeyFiles::new(&folder.path().join("db.master-key"));
    let ids = || {
        files
            .load()
            .unwrap()
            .iter()
            .map(MasterKey::id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(), []);
    let old = MasterKey::create(files.path()).unwrap().id();
    assert_eq!((ids(), files.is_begun()), (vec![old], false));
    // A begun rotation loads both keys.
    let new = files.begin().unwrap().id();
    assert_eq!((ids(), files.is_begun()), (vec![old, new], true));
    assert_eq!(
        files.begin().unwrap().id(),
        new,
        "the next key is made once"
    );
    let kept = files.finish(new).unwrap().unwrap();
    assert_eq!((ids(), files.is_begun()), (vec![new], false));
    assert_eq!(MasterKey::load(&kept).unwrap().id(), old);
    assert_eq!(
        files.finish(new).unwrap(),
        None,
        "another process was faster"
    );
    assert_eq!(
        (ids(), MasterKey::load(&kept).unwrap().id()),
        (vec![new], old)
    );
}

#[cfg(unix)]
fn set_mode(path: &std::path::Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;

    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}
