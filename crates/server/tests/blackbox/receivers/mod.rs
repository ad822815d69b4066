//! The receivers' recipes in `docs/guides/receive-events.md`, run unchanged.

#[expect(unreachable_pub, reason = "the recipe is shown as it is")]
mod feed;
#[expect(unreachable_pub, reason = "the recipe is shown as it is")]
mod verify;

use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use pressline_testkit::tool;
use serde_json::{Value, json};
use sha2::Sha256;
use tempfile::TempDir;

use crate::common::{Client, Finished, Site, TIMEOUT, order, wait_for, workspace};
use crate::events::EVENTS;
use crate::recipes::recipes;

/// A runtime of recipes: tool group, program, its arguments before the files, and the file
/// extension.
type Runtime = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
);

const RUNTIMES: [Runtime; 4] = [
    ("python", "python3", &[], "py"),
    ("node", "node", &[], "cjs"),
    ("php", "php", &[], "php"),
    ("go", "go", &["run"], "go"),
];

/// Programs that call the recipes for signature checks, by file extension.
const CHECKS: [(&str, &str); 4] = [
    ("py", include_str!("check.py")),
    ("cjs", include_str!("check.cjs")),
    ("php", include_str!("check.php")),
    ("go", include_str!("check.go")),
];

const BODY: &[u8] = "{\"type\":\"order.created\",\n \"note\":\"Grüße\"}".as_bytes();

fn guide() -> String {
    fs::read_to_string(workspace().join("docs/guides/receive-events.md")).unwrap()
}

/// Writes `files` to `folder`. Returns the command that runs them; `None` if the program is not
/// installed.
fn program(runtime: Runtime, files: &[(&str, &str)], folder: &Path) -> Option<Command> {
    let (group, name, arguments, extension) = runtime;
    let mut command = Command::new(tool(group, name)?);
    command.args(arguments).current_dir(folder);
    for (file, text) in files {
        let path = folder.join(format!("{file}.{extension}"));
        fs::write(&path, text).unwrap();
        // Go gets all files, the other programs only the first.
        if name == "go" || *file == files[0].0 {
            command.arg(path);
        }
    }
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-cache");
    command.env("GOCACHE", cache);
    Some(command)
}

/// A received webhook, and whether it is genuine.
struct Case {
    secret: String,
    headers: [(&'static str, String); 3],
    body: Vec<u8>,
    genuine: bool,
}

fn secret(byte: u8) -> String {
    format!("whsec_{}", STANDARD.encode([byte; 32]))
}

fn signature(secret: &str, id: &str, timestamp: i64, body: &[u8]) -> String {
    let key = STANDARD
        .decode(secret.trim_start_matches("whsec_"))
        .unwrap();
    let mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    let mac = mac
        .chain_update(format!("{id}.{timestamp}."))
        .chain_update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

fn cases() -> Vec<Case> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let now = i64::try_from(now.as_secs()).unwrap();
    let (id, live, old) = ("evt_0197f3c2_1", secret(7), secret(8));
    let good = signature(&live, id, now, BODY);
    let case = |genuine: bool, timestamp: String, signatures: String| Case {
        secret: live.clone(),
        headers: [
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", timestamp),
            ("webhook-signature", signatures),
        ],
        body: BODY.to_vec(),
        genuine,
    };
    let at = |genuine, moved: i64| {
        let then = now + moved;
        case(genuine, then.to_string(), signature(&live, id, then, BODY))
    };
    let with = |genuine, signatures: String| case(genuine, now.to_string(), signatures);
    let by_old = signature(&old, id, now, BODY);
    let mut changed = with(false, good.clone());
    changed.body[3] ^= 1;
    let mut longer = with(false, good.clone());
    longer.body.push(b' ');
    let mut renamed = with(false, good.clone());
    renamed.headers[0].1.push('1');
    vec![
        with(true, good.clone()),
        at(true, -240),
        at(true, 240),
        at(false, -400),
        at(false, 400),
        // While two secrets are valid, there are two signatures.
        with(true, format!("{by_old} {good}")),
        with(true, format!("v2,AAAA {good} v1,AAAA")),
        with(false, by_old),
        with(false, good.replace("v1,", "v2,")),
        with(false, good.trim_start_matches("v1,").to_owned()),
        with(false, String::new()),
        with(false, "v1,".to_owned()),
        case(false, String::new(), good.clone()),
        case(false, "soon".to_owned(), good),
        changed,
        longer,
        renamed,
    ]
}

#[test]
fn a_signature_is_checked_by_each_recipe() {
    let cases = cases();
    let wanted: Vec<bool> = cases.iter().map(|case| case.genuine).collect();
    let found = cases.iter().map(|case| {
        let header = |name: &str| {
            let mut headers = case.headers.iter();
            headers
                .find(|header| header.0 == name)
                .map(|header| header.1.as_str())
        };
        verify::verify(&case.secret, header, &case.body)
    });
    assert_eq!(found.collect::<Vec<bool>>(), wanted, "Rust");
    let given = cases.iter().map(|case| {
        let headers: serde_json::Map<String, Value> = case
            .headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        json!({ "secret": case.secret, "headers": headers, "body": STANDARD.encode(&case.body) })
    });
    let given = Value::from_iter(given).to_string();
    let guide = guide();
    let recipes = recipes(&guide);
    for runtime in RUNTIMES {
        let folder = TempDir::new().unwrap();
        let check = CHECKS.iter().find(|check| check.0 == runtime.3).unwrap().1;
        let recipe = recipes[format!("verify.{}", runtime.3).as_str()];
        let files = [("check", check), ("verify", recipe)];
        let Some(mut command) = program(runtime, &files, folder.path()) else {
            continue;
        };
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(given.as_bytes())
            .unwrap();
        let ended = Finished::from(child.wait_with_output().unwrap()).ok();
        let found: Vec<bool> = serde_json::from_str(&ended.out).unwrap();
        assert_eq!(found, wanted, "{}", runtime.1);
    }
}

struct Reader<'a> {
    child: Child,
    folder: &'a Path,
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        // `go run` starts a child process, so the whole process group is killed.
        let group = rustix::process::Pid::from_child(&self.child);
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        let _ = self.child.wait();
    }
}

impl<'a> Reader<'a> {
    fn start(mut command: Command, client: &Client, folder: &'a Path) -> Self {
        use std::os::unix::process::CommandExt;

        let out = File::options()
            .create(true)
            .append(true)
            .open(folder.join("out"));
        command
            .env("PRESSLINE", format!("http://{}", client.address))
            .env("STORE", &client.store)
            .env("KEY", &client.key)
            .stdout(out.unwrap())
            .process_group(0);
        Self {
            child: command.spawn().unwrap(),
            folder,
        }
    }

    /// Waits until the reader has handled all events up to `sequence`. Returns all lines that it
    /// has printed.
    fn handled(&mut self, sequence: u64) -> Vec<String> {
        wait_for("the reader", TIMEOUT * 4, || {
            let ended = self.child.try_wait().unwrap();
            assert!(ended.is_none(), "{ended:?}");
            let cursor = fs::read_to_string(self.folder.join("cursor")).unwrap_or_default();
            (cursor == sequence.to_string()).then_some(())
        });
        let out = fs::read_to_string(self.folder.join("out")).unwrap();
        out.lines().map(str::to_owned).collect()
    }
}

/// Returns the expected lines of the first `count` events, all of created orders.
fn created(client: &Client, count: u64) -> Vec<String> {
    let line = |sequence| format!("evt_{}_{sequence} order.created", client.store);
    (1..=count).map(line).collect()
}

#[test]
fn the_feed_is_read_once_by_each_recipe() {
    let site = Site::sqlite();
    let (_server, client) = site.open();
    let guide = guide();
    let recipes = recipes(&guide);
    let mut count = 0;
    let mut create = || {
        count += 1;
        client.create(&order(&format!("R-{count}")));
        count
    };
    create();
    for runtime in RUNTIMES {
        let folder = TempDir::new().unwrap();
        let recipe = recipes[format!("feed.{}", runtime.3).as_str()];
        let command = || program(runtime, &[("feed", recipe)], folder.path());
        let Some(first) = command() else { continue };
        create();
        let mut reader = Reader::start(first, &client, folder.path());
        let last = create();
        assert_eq!(
            reader.handled(last),
            created(&client, last),
            "{}",
            runtime.1
        );
        drop(reader);
        // The reader continues after its cursor, and skips events that it has handled.
        create();
        let mut reader = Reader::start(command().unwrap(), &client, folder.path());
        let last = create();
        assert_eq!(
            reader.handled(last),
            created(&client, last),
            "{}",
            runtime.1
        );
    }
}

#[test]
fn a_cursor_above_the_feed_is_read_again_from_the_beginning_by_each_recipe() {
    let site = Site::sqlite();
    let (_server, client) = site.open();
    for number in 1..=3 {
        client.create(&order(&format!("R-{number}")));
    }
    let guide = guide();
    let recipes = recipes(&guide);
    for runtime in RUNTIMES {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("cursor"), "7").unwrap();
        let recipe = recipes[format!("feed.{}", runtime.3).as_str()];
        let Some(command) = program(runtime, &[("feed", recipe)], folder.path()) else {
            continue;
        };
        let mut reader = Reader::start(command, &client, folder.path());
        assert_eq!(reader.handled(3), created(&client, 3), "{}", runtime.1);
    }
    let folder = TempDir::new().unwrap();
    let cursor = folder.path().join("cursor");
    fs::write(&cursor, "7").unwrap();
    let (calls, handled) = (Cell::new(0), RefCell::new(Vec::new()));
    let post = |body: &str, now: u64, signature: &str| -> io::Result<Value> {
        if calls.replace(calls.get() + 1) == 2 {
            return Err(io::Error::other("all was read"));
        }
        let request = client.signed_by(EVENTS, body, signature);
        let request = request.header("X-Service-Timestamp", &now.to_string());
        Ok(client.send(&request).json())
    };
    let handle = |event: &Value| handled.borrow_mut().push(event["sequence"].clone());
    feed::follow(&cursor, &client.key, post, handle).unwrap_err();
    assert_eq!(*handled.borrow(), [1, 2, 3]);
}

#[test]
fn the_feed_is_read_once_by_the_recipe_in_rust() {
    let site = Site::sqlite();
    let (_server, client) = site.open();
    let folder = TempDir::new().unwrap();
    let cursor = folder.path().join("cursor");
    let handled = RefCell::new(Vec::new());
    for number in 0..5 {
        client.create(&order(&format!("R-{number}")));
        // The second call of each run would wait for another event.
        let calls = Cell::new(0);
        let post = |body: &str, now: u64, signature: &str| -> io::Result<Value> {
            if calls.replace(calls.get() + 1) == 1 {
                return Err(io::Error::other("all was read"));
            }
            let request = client.signed_by(EVENTS, body, signature);
            let request = request.header("X-Service-Timestamp", &now.to_string());
            Ok(client.send(&request).ok())
        };
        let handle = |event: &Value| handled.borrow_mut().push(event["sequence"].clone());
        let ended = feed::follow(&cursor, &client.key, post, handle);
        assert_eq!(ended.unwrap_err().to_string(), "all was read");
    }
    assert_eq!(*handled.borrow(), [1, 2, 3, 4, 5]);
}

#[test]
fn the_guide_shows_the_compiled_rust_recipes() {
    let guide = guide();
    let recipes = recipes(&guide);
    let compiled = [
        ("verify.rs", include_str!("verify.rs")),
        ("feed.rs", include_str!("feed.rs")),
    ];
    for (name, text) in compiled {
        assert_eq!(recipes[name], text.trim_end(), "{name}");
    }
}
