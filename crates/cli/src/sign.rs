//! `pressline sign`: prints the signature of a request body, for scripts and experiments.

use std::io::{Read, stdin};
use std::path::Path;

use pressline_domain::store::{SecretKey, SignedText};

use crate::arguments::SignArgs;
use crate::error::{CommandError, Result};
use crate::output::Output;
use crate::services::Program;

const VARIABLE: &str = "PRESSLINE_SECRET_KEY";

pub(super) fn run(program: &Program, arguments: &SignArgs, output: &Output) -> Result {
    let key = secret(arguments)?;
    let mut body = Vec::new();
    stdin()
        .lock()
        .read_to_end(&mut body)
        .map_err(|error| CommandError::other("standard input", error))?;
    let timestamp = arguments.timestamp.map(|seconds| seconds.to_string());
    let text = match (&timestamp, &arguments.path) {
        (Some(timestamp), Some(path)) => SignedText::Timestamped {
            timestamp,
            path,
            body: &body,
        },
        _ => SignedText::Body(&body),
    };
    let signature = program.signer.sign(&key, &text);
    output.print(&serde_json::json!({ "signature": signature }), || {
        signature.clone()
    })
}

fn secret(arguments: &SignArgs) -> Result<SecretKey> {
    let text = match &arguments.secret_file {
        // Editors end files with a line break, which is not part of the key.
        Some(path) => read_text(path)?.trim_end_matches(['\r', '\n']).to_owned(),
        None => std::env::var(VARIABLE).map_err(|_| {
            CommandError::Usage(format!(
                "no secret key: name a file with --secret-file, or set {VARIABLE}"
            ))
        })?,
    };
    if text.is_empty() {
        Err(CommandError::Usage("the secret key is empty".into()))
    } else {
        Ok(SecretKey::new(text))
    }
}

fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| CommandError::configuration(path.display().to_string(), error))
}
