//! `pressline sign` makes the signatures of the test vectors.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::{Finished, Site, compact, sign, workspace};

/// How `pressline sign` gets the secret key.
enum SecretBy<'a> {
    File(&'a Path),
    Environment(&'a str),
}

/// Returns the signature that the command prints for `body`. For a timestamped signature, `stamp`
/// contains the seconds and the path.
fn signature(site: &Site, body: &str, secret: &SecretBy<'_>, stamp: Option<(i64, &str)>) -> String {
    let mut command = site.bare();
    command.arg("sign");
    if let Some((seconds, path)) = stamp {
        command.arg(format!("--timestamp={seconds}"));
        command.arg(format!("--path={path}"));
    }
    match secret {
        SecretBy::File(file) => command.arg("--secret-file").arg(file),
        SecretBy::Environment(key) => command.env("PRESSLINE_SECRET_KEY", key),
    };
    pipe(command, body).ok().out.trim_end().to_owned()
}

/// Asserts that the command makes the signature of `vector`. Returns whether the service accepts
/// the vector's signature.
fn is_accepted(site: &Site, vector: &Value) -> bool {
    let text = |key: &str| vector[key].as_str().unwrap();
    let (secret, body) = (text("secret"), text("body"));
    let file = site.file("secret", format!("{secret}\n"));
    let stamp = vector["timestamp"]
        .as_i64()
        .map(|seconds| (seconds, text("path")));
    let by_file = |body: &str| signature(site, body, &SecretBy::File(&file), stamp);

    let as_sent = by_file(body);
    assert_eq!(
        as_sent,
        signature(site, body, &SecretBy::Environment(secret), stamp)
    );
    let prefix = stamp.map(|(seconds, path)| format!("{seconds}.{path}."));
    let signed = format!("{}{body}", prefix.unwrap_or_default());
    assert_eq!(as_sent, sign(secret, signed.as_bytes()), "{vector}");
    // Without a timestamp, the signature of the compact body is accepted as well.
    let of_compact = stamp.is_none().then(|| by_file(&compact(body)));
    let accepted = as_sent == text("base64") || of_compact.as_deref() == Some(text("base64"));
    assert_eq!(vector["accepted"], accepted, "{vector}");
    accepted
}

#[test]
fn signatures_agree_with_the_vectors() {
    let site = Site::without_database();
    let vectors = fs::read(workspace().join("crates/contract/vectors/signatures.json")).unwrap();
    let vectors: Vec<Value> = serde_json::from_slice(&vectors).unwrap();
    let accepted = vectors
        .iter()
        .filter(|vector| is_accepted(&site, vector))
        .count();
    assert!(
        accepted >= 5,
        "only {accepted} of {} vectors are of good signatures",
        vectors.len()
    );

    let run = |arguments: &[&str], key: Option<&str>| {
        let mut command = site.bare();
        command.args(arguments);
        command.envs(key.map(|key| ("PRESSLINE_SECRET_KEY", key)));
        pipe(command, "{}")
    };
    let document = run(&["--json", "sign"], Some("k")).json();
    assert_eq!(document["signature"], sign("k", b"{}"));
    run(&["sign"], None).fails(2, &["--secret-file", "PRESSLINE_SECRET_KEY"]);
    run(&["sign"], Some("")).fails(2, &["empty"]);
    assert!(
        !site.folder().join("pressline.db").exists(),
        "signing needs no database"
    );
}

/// Runs `command` with `text` on its standard input.
fn pipe(mut command: Command, text: &str) -> Finished {
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Some commands fail before they read, which breaks the pipe.
    let _ = process.stdin.take().unwrap().write_all(text.as_bytes());
    process.wait_with_output().unwrap().into()
}
