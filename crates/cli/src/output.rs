//! Results of commands on standard output.

use pressline_host::terminal::{escape_json, escape_lines};
use serde::Serialize;

use crate::error::{CommandError, Result};
use crate::stdout::write_out;

/// Prints results as text, or as JSON with `--json`.
pub struct Output {
    pub(crate) json: bool,
}

impl Output {
    /// Prints `document` as JSON with `--json`, else `text`. Escapes characters that could steer a
    /// terminal.
    pub fn print<T: Serialize>(&self, document: &T, text: impl FnOnce() -> String) -> Result {
        print_line(&self.render(document, text)?)
    }

    pub(crate) fn render<T: Serialize>(
        &self,
        document: &T,
        text: impl FnOnce() -> String,
    ) -> Result<String> {
        if !self.json {
            return Ok(escape_lines(&text()).into_owned());
        }
        let document = serde_json::to_string_pretty(document)
            .map_err(|e| CommandError::other("the result cannot be shown", e))?;
        Ok(escape_json(&document).into_owned())
    }
}

pub(crate) fn print_line(text: &str) -> Result {
    // Some texts, such as the OpenAPI documents, already end with a line break.
    write_out(format!("{}\n", text.trim_end()).as_bytes())
        // A reader that closes the output early, as `head` does, causes no error.
        .map(drop)
        .map_err(|error| CommandError::other("standard output", error))
}
