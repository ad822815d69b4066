//! What a command prints on standard output.

use serde::Serialize;

use crate::error::CommandError;
use crate::stdout::write_out;
use crate::terminal::{escape_json, escape_lines};

/// Prints results as text, or as JSON if the command line asks for it.
pub struct Output {
    pub(crate) json: bool,
}

impl Output {
    /// Prints a result: the document where JSON was asked for, else the text. Nothing in it can
    /// steer a terminal.
    pub fn print<T: Serialize>(
        &self,
        document: &T,
        text: impl FnOnce() -> String,
    ) -> Result<(), CommandError> {
        print_line(&self.render(document, text)?)
    }

    pub(crate) fn render<T: Serialize>(
        &self,
        document: &T,
        text: impl FnOnce() -> String,
    ) -> Result<String, CommandError> {
        if !self.json {
            return Ok(escape_lines(&text()).into_owned());
        }
        let document = serde_json::to_string_pretty(document)
            .map_err(|e| CommandError::other("the result cannot be shown", e))?;
        Ok(escape_json(&document).into_owned())
    }
}

pub(crate) fn print_line(text: &str) -> Result<(), CommandError> {
    write_out(format!("{}\n", text.trim_end()).as_bytes())
        .map(drop)
        .map_err(|error| CommandError::other("standard output", error))
}
