//! Imports, exports, definitions and module declarations of a Rust file, read from its tokens.

use std::collections::HashSet;
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A file as a module of its crate.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// Declared modules that have their own file.
    pub(super) modules: Vec<Declaration>,
    pub(super) imports: Vec<Import>,
    /// Paths of at least two names outside imports.
    pub(super) paths: Vec<Path>,
    /// Names of the defined items.
    pub(super) defined: HashSet<String>,
    /// All names outside imports.
    pub(super) names: HashSet<String>,
}

/// A declaration `mod name;`.
#[derive(Debug)]
pub(super) struct Declaration {
    /// Enclosing inline modules.
    pub(super) inline: Vec<String>,
    pub(super) name: String,
    /// Value of `#[path = "…"]`.
    pub(super) file: Option<String>,
}

/// A single name of a `use` item.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) path: Path,
    /// Local name of the import; `*` for a glob import.
    pub(super) name: String,
    /// Whether the import is a re-export (`pub use`).
    pub(super) exported: bool,
}

/// A path as written, and its enclosing inline modules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) inline: Vec<String>,
    pub(super) names: Vec<String>,
}

/// Keywords that precede the name of an item.
const ITEMS: [&str; 9] = [
    "fn", "struct", "enum", "trait", "type", "const", "static", "union", "mod",
];

impl Source {
    /// Parses the text of a file.
    ///
    /// # Errors
    /// Returns an error if `text` is not a sequence of Rust tokens.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let tokens = TokenStream::from_str(text).map_err(|error| error.to_string())?;
        let mut source = Self::default();
        source.walk(tokens, &[]);
        Ok(source)
    }

    fn walk(&mut self, tokens: TokenStream, inline: &[String]) {
        let mut reader = Reader::new(tokens);
        let mut file = None;
        while let Some(token) = reader.next() {
            match token {
                TokenTree::Ident(name) if name == "use" && !reader.at_punct('<') => {
                    let exported = reader.exported;
                    self.read_use(&mut reader, inline, exported);
                }
                TokenTree::Ident(name) if name == "mod" => {
                    self.read_mod(&mut reader, inline, file.take());
                }
                TokenTree::Ident(name) => self.read_name(name.to_string(), &mut reader, inline),
                // `pub(in path)` is not an import.
                TokenTree::Group(group)
                    if reader.exported && group.delimiter() == Delimiter::Parenthesis => {}
                TokenTree::Group(group) => {
                    file = path_attribute(&group.stream()).or(file);
                    self.walk(group.stream(), inline);
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn read_mod(&mut self, reader: &mut Reader, inline: &[String], file: Option<String>) {
        let Some(name) = reader.name() else { return };
        self.defined.insert(name.clone());
        match reader.next() {
            Some(TokenTree::Group(group)) => {
                self.walk(group.stream(), &[inline, &[name]].concat());
            }
            _ => self.modules.push(Declaration {
                inline: inline.to_vec(),
                name,
                file,
            }),
        }
    }

    /// Reads a name, or the path that begins with it.
    fn read_name(&mut self, name: String, reader: &mut Reader, inline: &[String]) {
        if ITEMS.contains(&name.as_str()) {
            if let Some(item) = reader.peek_name() {
                self.defined.insert(item);
            }
            return;
        }
        self.names.insert(name.clone());
        let mut names = vec![name];
        while reader.skip_colons() {
            let Some(next) = reader.name() else { break };
            names.push(next);
        }
        if names.len() > 1 {
            self.paths.push(Path {
                inline: inline.to_vec(),
                names,
            });
        }
    }

    fn read_use(&mut self, reader: &mut Reader, inline: &[String], exported: bool) {
        let mut imports = Vec::new();
        read_tree(reader, &[], &mut imports);
        self.imports
            .extend(imports.into_iter().map(|(names, name)| Import {
                path: Path {
                    inline: inline.to_vec(),
                    names,
                },
                name,
                exported,
            }));
    }
}

/// Reads a `use` tree after `prefix`; adds its paths and their local names to `found`.
fn read_tree(reader: &mut Reader, prefix: &[String], found: &mut Vec<(Vec<String>, String)>) {
    let mut names = prefix.to_vec();
    loop {
        match reader.next() {
            Some(TokenTree::Ident(name)) => names.push(name.to_string()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let mut inner = Reader::new(group.stream());
                while !inner.is_at_end() {
                    read_tree(&mut inner, &names, found);
                }
                return reader.skip_to_comma();
            }
            Some(TokenTree::Punct(star)) if star.as_char() == '*' => {
                found.push((names, "*".to_owned()));
                return reader.skip_to_comma();
            }
            Some(TokenTree::Punct(colon)) if colon.as_char() == ':' => continue,
            _ => return,
        }
        if reader.skip_colons() {
            continue;
        }
        if names.last().is_some_and(|last| last == "self") {
            names.pop();
        }
        let renamed = reader.peek_name().is_some_and(|name| name == "as");
        let name = if renamed {
            reader.next();
            reader.name()
        } else {
            names.last().cloned()
        };
        found.push((names, name.unwrap_or_default()));
        return reader.skip_to_comma();
    }
}

/// Returns the value of an attribute `path = "…"`.
fn path_attribute(tokens: &TokenStream) -> Option<String> {
    let mut reader = Reader::new(tokens.clone());
    if reader.name()? != "path" || !reader.at_punct('=') {
        return None;
    }
    reader.next();
    let literal = reader.next()?.to_string();
    Some(literal.trim_matches('"').to_owned())
}

/// Tokens with a look-ahead of one.
struct Reader {
    tokens: std::iter::Peekable<proc_macro2::token_stream::IntoIter>,
    /// Whether the preceding tokens are a visibility.
    exported: bool,
}

impl Reader {
    fn new(tokens: TokenStream) -> Self {
        Self {
            tokens: tokens.into_iter().peekable(),
            exported: false,
        }
    }

    fn next(&mut self) -> Option<TokenTree> {
        let token = self.tokens.next();
        match &token {
            Some(TokenTree::Ident(name)) if name == "pub" => self.exported = true,
            // The scope of a visibility, and its keyword.
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {}
            Some(TokenTree::Ident(name)) if name == "use" => {}
            _ => self.exported = false,
        }
        token
    }

    fn is_at_end(&mut self) -> bool {
        self.tokens.peek().is_none()
    }

    fn at_punct(&mut self, wanted: char) -> bool {
        matches!(self.tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
    }

    fn peek_name(&mut self) -> Option<String> {
        match self.tokens.peek() {
            Some(TokenTree::Ident(name)) => Some(name.to_string()),
            _ => None,
        }
    }

    fn name(&mut self) -> Option<String> {
        let name = self.peek_name()?;
        self.next();
        Some(name)
    }

    /// Skips `::` and returns whether it was there.
    fn skip_colons(&mut self) -> bool {
        if !self.at_punct(':') {
            return false;
        }
        let mut ahead = self.tokens.clone();
        ahead.next();
        let doubled =
            matches!(ahead.next(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
        if doubled {
            self.next();
            self.next();
        }
        doubled
    }

    /// Skips the rest of a `use` tree and the comma or semicolon after it.
    fn skip_to_comma(&mut self) {
        if self.at_punct(',') || self.at_punct(';') {
            self.next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(text: &str) -> Vec<(String, String, bool)> {
        let source = Source::read(text).unwrap();
        let import = |import: &Import| {
            let path = import.path.names.join("::");
            (path, import.name.clone(), import.exported)
        };
        source.imports.iter().map(import).collect()
    }

    #[test]
    fn use_trees_are_expanded() {
        let found = imports("pub(crate) use a::{self, b::{C, D as E}, f::*}; use super::g;");
        let wanted = [
            ("a", "a", true),
            ("a::b::C", "C", true),
            ("a::b::D", "E", true),
            ("a::f", "*", true),
            ("super::g", "g", false),
        ]
        .map(|(path, name, exported)| (path.into(), name.into(), exported));
        assert_eq!(found, wanted);
    }

    #[test]
    fn captured_lifetimes_are_not_imports() {
        assert!(imports("fn all(&self) -> impl Iterator<Item = u8> + use<'_> {}").is_empty());
    }

    #[test]
    fn paths_and_modules_have_the_inline_modules_around_them() {
        let text = "#[path = \"../x.rs\"] mod x; mod tests { mod y; fn f() { super::g::<u8>(); } }";
        let source = Source::read(text).unwrap();
        let [x, y] = &source.modules[..] else {
            panic!()
        };
        assert_eq!((x.name.as_str(), x.file.as_deref()), ("x", Some("../x.rs")));
        assert_eq!(
            (y.name.as_str(), &y.inline[..]),
            ("y", &["tests".to_owned()][..])
        );
        let [path] = &source.paths[..] else { panic!() };
        assert_eq!(path.names, ["super", "g"]);
        assert!(source.defined.contains("f"));
    }
}
