//! Finds the SQL statements of the stores in their source files.
//!
//! A statement is a file `*.sql` in a folder `src`, or a string literal that begins like a statement.
//! Files and literals for one database name it: `heads.sqlite.sql`, or the field `sqlite` of a
//! struct. All others in `store-kit` are for both databases.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// Words with which a statement begins.
const VERBS: [&str; 6] = ["SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"];

/// Statement of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceStatement {
    /// Name, for example `store-kit/webhook/search/heads`: crate, folders, file without extension,
    /// and function or constant. Further statements of a function have a number.
    pub name: String,
    /// Whether PostgreSQL runs the statement.
    pub postgres: bool,
    /// Whether SQLite runs the statement.
    pub sqlite: bool,
    /// Text with comments and the names of the parameters.
    pub text: String,
}

/// Returns the statements of the crates `store-kit`, `store-postgres` and `store-sqlite` in the
/// folder `crates`, sorted by name.
///
/// # Errors
/// Returns an error if a source file cannot be read or is not Rust.
pub fn source_statements(crates: &Path) -> io::Result<Vec<SourceStatement>> {
    let mut found = Vec::new();
    for (name, postgres, sqlite) in [
        ("store-kit", true, true),
        ("store-postgres", true, false),
        ("store-sqlite", false, true),
    ] {
        let mut files = Vec::new();
        add_files(&crates.join(name).join("src"), &mut files)?;
        files.sort();
        for file in files {
            let source = fs::read_to_string(&file)?;
            let mut finder = Finder {
                place: place(name, &crates.join(name).join("src"), &file),
                postgres,
                sqlite,
                found: Vec::new(),
            };
            match file.extension().and_then(|extension| extension.to_str()) {
                Some("sql") => finder.add_file(source),
                _ => finder.add_literals(&source)?,
            }
            found.append(&mut finder.found);
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            add_files(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|kind| kind == "rs" || kind == "sql")
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns crate, folders and name of `file`, without `sql/`, `mod` and the extension.
fn place(name: &str, root: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(root).unwrap_or(file).with_extension("");
    let parts = inside
        .iter()
        .filter_map(|part| part.to_str())
        .filter(|part| !matches!(*part, "sql" | "mod" | "lib"));
    [name]
        .into_iter()
        .chain(parts)
        .collect::<Vec<_>>()
        .join("/")
}

struct Finder {
    place: String,
    postgres: bool,
    sqlite: bool,
    found: Vec<SourceStatement>,
}

impl Finder {
    fn add_file(&mut self, text: String) {
        let of = |database: &str| self.place.strip_suffix(database).map(str::to_owned);
        let (name, postgres, sqlite) = match (of(".postgres"), of(".sqlite")) {
            (Some(name), _) => (name, true, false),
            (_, Some(name)) => (name, false, true),
            (None, None) => (self.place.clone(), self.postgres, self.sqlite),
        };
        self.found.push(SourceStatement {
            name,
            postgres,
            sqlite,
            text,
        });
    }

    fn add_literals(&mut self, source: &str) -> io::Result<()> {
        let tokens: TokenStream = source
            .parse()
            .map_err(|error| io::Error::other(format!("{}: {error}", self.place)))?;
        self.walk(tokens, &mut String::new());
        Ok(())
    }

    /// Adds the statements in `tokens`. `item` is the last named function or constant.
    fn walk(&mut self, tokens: TokenStream, item: &mut String) {
        let mut words = [String::new(), String::new()];
        for token in tokens {
            let word = match token {
                TokenTree::Group(group) => {
                    // Tests have statements of their own.
                    if words[1] != "tests" {
                        self.walk(group.stream(), item);
                    }
                    continue;
                }
                TokenTree::Ident(ident) => ident.to_string(),
                // The colon between the name of a field and its value.
                TokenTree::Punct(_) => continue,
                TokenTree::Literal(literal) => {
                    let text = unescaped(&literal.to_string());
                    // The tokens of a comment are an attribute `doc`.
                    if words[1] != "doc" && is_statement(&text) {
                        self.add(text, item, &words[1]);
                    }
                    continue;
                }
            };
            words.swap(0, 1);
            words[1] = word;
            // A lifetime `'static` comes before a type.
            let is_constant = words[1].starts_with(|letter: char| letter.is_ascii_uppercase());
            if words[0] == "fn" || matches!(words[0].as_str(), "const" | "static") && is_constant {
                item.clone_from(&words[1]);
            }
        }
    }

    fn add(&mut self, text: String, item: &str, field: &str) {
        let base = format!("{}/{item}", self.place);
        let (postgres, sqlite) = match field {
            "postgres" => (true, false),
            "sqlite" => (false, true),
            _ => (self.postgres, self.sqlite),
        };
        let is_other = |other: &&SourceStatement| {
            other.name.split('#').next() == Some(&base)
                && (other.postgres && postgres || other.sqlite && sqlite)
        };
        let others = self.found.iter().filter(is_other).count();
        self.found.push(SourceStatement {
            name: match others {
                0 => base,
                others => format!("{base}#{}", others + 1),
            },
            postgres,
            sqlite,
            text,
        });
    }
}

/// Returns the content of a string literal; empty for other literals.
fn unescaped(literal: &str) -> String {
    let inside = literal
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let Some(inside) = inside else {
        return String::new();
    };
    let mut text = String::new();
    let mut rest = inside.chars().peekable();
    while let Some(letter) = rest.next() {
        match (letter, rest.peek()) {
            ('\\', Some('\n')) => while rest.next_if(|next| next.is_whitespace()).is_some() {},
            ('\\', Some('n')) => {
                rest.next();
                text.push('\n');
            }
            ('\\', Some(_)) => text.extend(rest.next()),
            _ => text.push(letter),
        }
    }
    text
}

fn is_statement(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let verb = words.next();
    // A sentence that begins with such a word has no second word in capitals or list of columns.
    verb.is_some_and(|verb| VERBS.contains(&verb)) && words.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_found_in_functions_constants_and_fields() {
        let mut finder = Finder {
            place: "store-kit/task".to_owned(),
            postgres: true,
            sqlite: true,
            found: Vec::new(),
        };
        let source = r#"
            const BOTH: Texts = Texts { postgres: "SELECT 1", sqlite: "SELECT 2" };
            fn find() { load("SELECT \"a\"
                FROM t", "no statement"); run("DELETE FROM t"); }
        "#;
        finder.add_literals(source).unwrap();
        let found = finder.found.iter();
        let found: Vec<_> = found
            .map(|found| (found.name.as_str(), found.postgres, found.sqlite))
            .collect();
        assert_eq!(
            found,
            [
                ("store-kit/task/BOTH", true, false),
                ("store-kit/task/BOTH", false, true),
                ("store-kit/task/find", true, true),
                ("store-kit/task/find#2", true, true),
            ]
        );
        assert!(finder.found[2].text.starts_with("SELECT \"a\"\n"));
    }
}
