//! SQL texts with named parameters.

use std::borrow::Cow;
use std::sync::OnceLock;

/// SQL text of a statement. It is parsed once, on first use.
#[derive(Debug, Clone)]
pub struct Sql {
    text: Cow<'static, str>,
    pieces: OnceLock<Vec<Piece>>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Sql(String),
    Parameter(String),
}

impl Sql {
    /// Creates the text of a statement, for a `static`. Each connection prepares the text once.
    pub const fn new(text: &'static str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            pieces: OnceLock::new(),
        }
    }

    /// Returns `text` with the parts `parts` in the places of their names, such as `{direction}`.
    /// Prefer a text without parts, which can be pasted into psql or sqlite3; use a part for a word
    /// of SQL that cannot be a parameter, if the whole text would otherwise be written twice.
    pub fn with_parts(text: &str, parts: &[(&str, &str)]) -> Self {
        let fill = |text: String, (name, part): &(&str, &str)| text.replace(name, part);
        Self::from(parts.iter().fold(text.to_owned(), fill))
    }

    /// Returns the text as written, with comments and names of parameters.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        self.pieces.get_or_init(|| pieces(&self.text))
    }

    /// Returns the text without comments, with the name of each parameter replaced by the result of
    /// `parameter`.
    pub fn with_parameters(&self, mut parameter: impl FnMut(&str) -> String) -> String {
        let pieces = self.pieces().iter();
        pieces
            .map(|piece| match piece {
                Piece::Parameter(name) => parameter(name),
                Piece::Sql(sql) => sql.clone(),
            })
            .collect()
    }
}

impl From<&'static str> for Sql {
    fn from(text: &'static str) -> Self {
        Self::new(text)
    }
}

/// A text made at run time. Prefer a constant text, which can be found and read.
impl From<String> for Sql {
    fn from(text: String) -> Self {
        Self {
            text: Cow::Owned(text),
            pieces: OnceLock::new(),
        }
    }
}

impl From<&String> for Sql {
    fn from(text: &String) -> Self {
        Self::from(text.clone())
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let text = without_comments(text);
    let mut pieces = Vec::new();
    let mut rest = text.as_str();
    while let Some((before, name, after)) = next_parameter(rest) {
        pieces.push(Piece::Sql(before.to_owned()));
        pieces.push(Piece::Parameter(name.to_owned()));
        rest = after;
    }
    pieces.push(Piece::Sql(rest.to_owned()));
    pieces
}

/// Returns `text` without comments and line breaks: both would be sent, and stored in the logs of
/// the database, with each statement.
fn without_comments(text: &str) -> String {
    // Assumes that no string literal contains `--`.
    let lines = text
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default().trim());
    lines
        .filter(|line| !line.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Splits `text` at the first parameter: text before the parameter, its name, text after it. `::`
/// is a cast; a colon is not a parameter unless a lower-case letter or `_` follows.
fn next_parameter(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let colon = from + text.get(from..)?.find(':')?;
        let (before, after) = (text.get(..colon)?, text.get(colon + 1..)?);
        let end = after
            .find(|c: char| !c.is_ascii_lowercase() && c != '_')
            .unwrap_or(after.len());
        if end > 0 && !before.ends_with(':') {
            return Some((before, after.get(..end)?, after.get(end..)?));
        }
        from = colon + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_its_parameters() {
        let sql = |sql: &str| Piece::Sql(sql.to_owned());
        let parameter = |name: &str| Piece::Parameter(name.to_owned());
        assert_eq!(
            pieces("SELECT 'a:' || :key::text -- why: not\n    FROM t\nLIMIT :limit -- rows"),
            [
                sql("SELECT 'a:' || "),
                parameter("key"),
                sql("::text FROM t LIMIT "),
                parameter("limit"),
                sql("")
            ]
        );
    }
}
