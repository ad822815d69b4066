//! Paragraphs of comments and documents, string literals, and declared names of source files.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

/// Kind of text, as in the `where` of a rule.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    /// Doc comment.
    Doc,
    /// Comment of Rust, SQL or TOML.
    Comment,
    /// String literal of three words or more.
    String,
    /// Paragraph of a document, outside tables and code.
    Markdown,
    /// Name of a test, with spaces.
    TestName,
}

/// Text to check, joined into one line.
#[derive(Debug, PartialEq)]
pub(super) struct Passage {
    pub(super) kind: Kind,
    pub(super) line: usize,
    pub(super) text: String,
}

/// Consecutive comment lines with the same marker.
pub(super) struct Block<'a> {
    pub(super) marker: &'a str,
    pub(super) paragraphs: Vec<(usize, String)>,
}

/// A function, type or module: line, keyword and name.
pub(super) type Declared<'a> = (usize, &'a str, &'a str);

/// Compiles a pattern of this program.
#[expect(
    clippy::expect_used,
    reason = "every pattern of the program is compiled by a test"
)]
pub(super) fn pattern(find: &str) -> Regex {
    Regex::new(find).expect("a valid pattern")
}

/// Joins the lines of paragraphs, and leaves out headings, tables and fenced code.
#[derive(Default)]
struct Paragraphs {
    fenced: bool,
    in_paragraph: bool,
    found: Vec<(usize, String)>,
}

impl Paragraphs {
    fn add(&mut self, number: usize, line: &str) {
        let line = line.trim();
        let fence = line.starts_with("```");
        self.fenced ^= fence;
        if fence || self.fenced || line.is_empty() || line.starts_with(['#', '|']) {
            self.in_paragraph = false;
            return;
        }
        match self.found.last_mut() {
            Some((_, text)) if self.in_paragraph && !is_list_item(line) => {
                text.push(' ');
                text.push_str(line);
            }
            _ => self.found.push((number, line.to_owned())),
        }
        self.in_paragraph = true;
    }
}

fn is_list_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ")
        || line.starts_with("* ")
        || rest.len() < line.len() && rest.starts_with(". ")
}

/// Returns how comments begin in the file at `path`.
fn markers(path: &str) -> &'static [&'static str] {
    match path.rsplit('.').next() {
        Some("sql") => &["--"],
        Some("toml") => &["#"],
        _ => &["///", "//!", "//"],
    }
}

/// Returns the comment blocks of a source file, whose comments begin with one of `markers`.
pub(super) fn blocks<'a>(text: &'a str, markers: &[&'a str]) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, Paragraphs)> = None;
    // An empty line at the end closes the last block.
    for (number, line) in (1..).zip(text.lines().chain([""])) {
        let line = line.trim_start();
        let marker = markers.iter().find(|marker| line.starts_with(**marker));
        if let Some((previous, paragraphs)) =
            open.take_if(|(previous, _)| marker.is_none_or(|marker| marker != previous))
        {
            blocks.push(Block {
                marker: previous,
                paragraphs: paragraphs.found,
            });
        }
        if let Some(marker) = marker {
            let (_, paragraphs) = open.get_or_insert_with(|| (marker, Paragraphs::default()));
            paragraphs.add(number, line.get(marker.len()..).unwrap_or_default());
        }
    }
    blocks
}

/// Returns the paragraphs and strings of a file, by the ending of `path`.
pub(super) fn passages(path: &str, text: &str) -> Vec<Passage> {
    if path.ends_with(".md") {
        return markdown(text);
    }
    let comments = blocks(text, markers(path)).into_iter();
    let mut passages: Vec<_> = comments
        .flat_map(|block| {
            let doc = ["///", "//!"].contains(&block.marker);
            let kind = if doc { Kind::Doc } else { Kind::Comment };
            let passage = move |(line, text)| Passage { kind, line, text };
            block.paragraphs.into_iter().map(passage)
        })
        .collect();
    if path.ends_with(".rs") {
        passages.extend(strings(text));
    }
    passages
}

fn markdown(text: &str) -> Vec<Passage> {
    let mut paragraphs = Paragraphs::default();
    for (number, line) in (1..).zip(text.lines()) {
        let indented = line.starts_with("    ") && !paragraphs.in_paragraph;
        let skipped = indented || line.trim_start().starts_with('<');
        paragraphs.add(number, if skipped { "" } else { line });
    }
    let passage = |(line, text)| Passage {
        kind: Kind::Markdown,
        line,
        text,
    };
    paragraphs.found.into_iter().map(passage).collect()
}

/// Comments and characters are matched too, because they may contain quotes.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r##"(?s)//[^\n]*|'(?:\\[^']+|\\'|[^'\\\n])'|b?r"[^"]*"|r#".*?"#"##,
        r##"|"(?:[^"\\]|\\.)*""##
    ))
});

fn strings(text: &str) -> Vec<Passage> {
    let (mut line, mut end) = (1, 0);
    let mut passages = Vec::new();
    for token in TOKEN.find_iter(text) {
        let between = text.get(end..token.start()).unwrap_or_default();
        line += between.matches('\n').count();
        let literal = token.as_str();
        if !literal.starts_with(['/', '\'']) {
            let literal = literal
                .trim_start_matches(['b', 'r', '#'])
                .trim_matches('#')
                .trim_matches('"')
                .replace("\\\n", " ");
            let words: Vec<_> = literal.split_whitespace().collect();
            if words.len() >= 3 {
                let (kind, text) = (Kind::String, words.join(" "));
                passages.push(Passage { kind, line, text });
            }
        }
        line += literal.matches('\n').count();
        end = token.end();
    }
    passages
}

/// `let` with a plain name.
static LOCAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"\blet (?:mut )?([a-z_0-9]+)\b"));

/// Returns lines and names of the variables that `let` declares in the source file `text`.
pub(super) fn locals(text: &str) -> Vec<(usize, &str)> {
    let lines = (1..).zip(text.lines());
    lines
        .flat_map(|(number, line)| {
            let names = LOCAL.captures_iter(line).filter_map(|found| found.get(1));
            names.map(move |name| (number, name.as_str()))
        })
        .collect()
}

/// Keywords of declarations whose names are checked.
const DECLARES: [&str; 8] = [
    "fn", "struct", "enum", "trait", "type", "mod", "const", "static",
];

/// Returns the declarations of the source file `text`.
pub(super) fn declarations(text: &str) -> Vec<Declared<'_>> {
    let lines = (1..).zip(text.lines());
    lines
        .filter_map(|(number, line)| {
            let qualifies = |word: &&str| word.starts_with("pub") || *word == "async";
            let mut words = line.split_whitespace().skip_while(qualifies);
            let mut keyword = words.next()?;
            if keyword == "const" && words.clone().next() == Some("fn") {
                keyword = words.next()?;
            }
            if !DECLARES.contains(&keyword) {
                return None;
            }
            let name = words
                .next()?
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()?;
            Some((number, keyword, name))
        })
        .collect()
}

/// Returns the lines of a document over `limit` characters, outside tables and code.
pub(super) fn long_lines(text: &str, limit: usize) -> Vec<(usize, &str)> {
    let mut fenced = false;
    let lines = (1..).zip(text.lines());
    lines
        .filter(|(_, line)| {
            let fence = line.trim_start().starts_with("```");
            fenced ^= fence;
            let code = fenced || fence || line.starts_with("    ");
            !code && !line.starts_with('|') && line.chars().count() > limit
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<(Kind, usize, String)> {
        let passages = passages(path, text).into_iter();
        passages
            .map(|passage| (passage.kind, passage.line, passage.text))
            .collect()
    }

    #[test]
    fn comment_lines_are_joined_into_paragraphs_without_headings_and_code() {
        let text = "/// First\n/// line.\n///\n/// # Errors\n/// Second.\n/// ```\n/// code\n/// ```\n\
                    fn f() {}\n    // A\n    // note.\n// - item\n// - item\n";
        let expected = [
            (Kind::Doc, 1, "First line."),
            (Kind::Doc, 5, "Second."),
            (Kind::Comment, 10, "A note."),
            (Kind::Comment, 12, "- item"),
            (Kind::Comment, 13, "- item"),
        ];
        assert_eq!(
            found("a.rs", text),
            expected.map(|(kind, line, text)| (kind, line, text.to_owned()))
        );
        assert_eq!(
            found("a.sql", "-- Rows\n-- of a store.\nSELECT 1;\n"),
            [(Kind::Comment, 1, "Rows of a store.".to_owned())]
        );
    }

    #[test]
    fn strings_of_three_words_are_found_after_quotes_in_characters_and_comments() {
        let text = "let a = '\"'; // \"no string here\"\nlet b = \"two words\";\n\
                    let c = f('\\'', \"three \\\n    words here\");\nlet d = r#\"raw \"text\" too\"#;\n";
        assert_eq!(
            found("a.rs", text),
            [
                (Kind::String, 3, "three words here".to_owned()),
                (Kind::String, 5, "raw \"text\" too".to_owned())
            ]
        );
    }

    #[test]
    fn documents_have_paragraphs_without_tables_and_code() {
        let text = "# Title\n\nOne\ntwo.\n- item\n\n| a |\n\n    code\n\n```sh\ncode\n```\n<img>\n";
        let line = |line, text: &str| (Kind::Markdown, line, text.to_owned());
        assert_eq!(
            found("a.md", text),
            [line(3, "One two."), line(5, "- item")]
        );
        let text = "| 12345 |\n```\n123456\n```\n123456\n";
        assert_eq!(long_lines(text, 5), [(5, "123456")]);
    }

    #[test]
    fn declarations_have_keyword_and_name() {
        let text = "pub(crate) async fn read() {}\nimpl A {\n    const fn b() {}\n}\nmod tests;\n";
        assert_eq!(
            declarations(text),
            [(1, "fn", "read"), (3, "fn", "b"), (5, "mod", "tests")]
        );
    }
}
