//! Reads files of all formats in real child processes, good and hostile ones, also as an ordinary
//! user: some limits do not hold for root.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "what goes wrong fails the test"
)]

// Not the harness of the compiler: the child process is this program.
mod child;
mod corpus;
mod picture;

mod mutated;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use child::{decode, decode_within};
use corpus::Case;
use libtest_mimic::{Arguments, Failed, Trial};
use pressline_backoffice::media::{Decoded, FileImage};
use pressline_domain::media::UnreadableReason;
use pressline_media::{Bounds, run_child};
use serde_json::Value;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Longest time in which a file is settled: the parent ends a child after 60 s, however busy the
/// machine is.
const SETTLED: Duration = Duration::from_secs(75);

fn main() -> ExitCode {
    if let Some(code) = run_child() {
        return code;
    }
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = corpus::cases()
        .into_iter()
        .map(|case| Trial::test(case.name, move || check(&case)))
        .collect();
    trials.push(Trial::test("all_limits_are_in_force", limits_are_in_force));
    trials.push(Trial::test("too_little_memory_is_named", memory_is_named));
    trials.push(Trial::test(
        "mutated_files_are_settled",
        mutated::each_one_is_settled,
    ));
    trials.push(Trial::test(
        "files_are_read_as_an_ordinary_user",
        as_ordinary_user,
    ));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(case: &Case) -> Result<(), Failed> {
    let began = Instant::now();
    let decoded = decode(&case.bytes)?;
    if began.elapsed() > SETTLED {
        return Err(format!("settled after {:?}", began.elapsed()).into());
    }
    let facts = serde_json::to_value(&decoded.facts)?;
    let expected: Value = serde_json::from_str(case.facts)?;
    if let Some(difference) = difference("", &expected, &facts) {
        return Err(format!("{difference}\nall facts: {facts}").into());
    }
    check_images(case, &decoded)
}

fn check_images(case: &Case, decoded: &Decoded) -> Result<(), Failed> {
    // Built with the feature `pdf`, pages are drawn.
    if cfg!(feature = "pdf") && case.name.ends_with(".pdf") {
        let is_readable = decoded.facts.unreadable.is_none();
        return match decoded.preview.is_some() == is_readable {
            true => Ok(()),
            false => Err("a page is drawn exactly if the file is readable".into()),
        };
    }
    let images = [
        (
            &decoded.preview,
            FileImage::PREVIEW,
            FileImage::PREVIEW_BYTES,
        ),
        (
            &decoded.thumbnail,
            FileImage::THUMBNAIL,
            FileImage::THUMBNAIL_BYTES,
        ),
    ];
    for (image, side, bytes) in images {
        let (Some(image), Some(colours)) = (image, case.colours) else {
            if image.is_some() || case.colours.is_some() {
                return Err(format!("image of {side} pixels: {}", image.is_some()).into());
            }
            continue;
        };
        let picture = picture::read(image);
        if picture.width.max(picture.height) > side || image.bytes.len() > bytes {
            return Err(format!("the image of {side} pixels is too large").into());
        }
        for (colour, expected) in picture.halves().into_iter().zip(colours) {
            let is_near = colour.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 4);
            // The colour of transparent pixels does not matter.
            let is_hidden = expected[3] == 0 && colour[3] == 0;
            if !is_near && !is_hidden {
                return Err(format!("{colour:?} instead of {expected:?}").into());
            }
        }
    }
    Ok(())
}

/// Returns the first fact in `expected` that differs in `actual`, with its path.
fn difference(path: &str, expected: &Value, actual: &Value) -> Option<String> {
    if let Value::Object(fields) = expected {
        return fields.iter().find_map(|(key, expected)| {
            let actual = actual.get(key).unwrap_or(&Value::Null);
            difference(&format!("{path}.{key}"), expected, actual)
        });
    }
    (expected != actual).then(|| format!("{path}: {actual} instead of {expected}"))
}

fn limits_are_in_force() -> Result<(), Failed> {
    let missing = decode(b"")?.missing_limits;
    match cfg!(target_os = "linux") && !missing.is_empty() {
        true => Err(format!("not limited: {missing:?}").into()),
        false => Ok(()),
    }
}

/// 49 megapixels take 147 MB, before any pixel is read.
fn memory_is_named() -> Result<(), Failed> {
    let bounds = Bounds {
        memory_mb: 64,
        ..Bounds::default()
    };
    let decoded = decode_within(bounds, &corpus::claim_webp(7000, 7000))?;
    let reason = decoded.facts.unreadable;
    // Other systems do not limit memory.
    let is_limited = cfg!(target_os = "linux");
    match !is_limited || reason == Some(UnreadableReason::Memory { limit: 64 }) {
        true => Ok(()),
        false => Err(format!("unreadable because of {reason:?}").into()),
    }
}

/// Runs all other tests once more as user `nobody`, from a copy of this program that the user can
/// read, if this user is root.
fn as_ordinary_user() -> Result<(), Failed> {
    if !rustix::process::getuid().is_root() {
        return Ok(());
    }
    const NOBODY: u32 = 65_534;
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("decode");
    fs::copy(std::env::current_exe()?, &program)?;
    for path in [folder.path(), &program] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    let output = Command::new(&program)
        .args(["--test-threads=2", "--skip=ordinary_user"].map(OsStr::new))
        .current_dir("/")
        .uid(NOBODY)
        .gid(NOBODY)
        .output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stdout).into_owned().into()),
    }
}
