//! `cargo xtask prose`: counts sentences and names that are hard to understand, against budgets
//! that only shrink.

use std::collections::BTreeMap;
use std::fs;

use crate::error::{TaskError, refuse};
use crate::{cargo, tidy};

mod budget;
mod glossary;
mod text;

use budget::{Budgets, Patterns, Settings};
use glossary::Glossary;
use text::{Declared, Kind, Passage};

const SETTINGS: &str = "xtask/prose.toml";
const GLOSSARY: &str = "docs/CONTRIBUTING.md";
/// Maximum number of characters of a line of a document, outside tables and code.
const LINE_LIMIT: usize = 120;
/// Minimum number of words in a function's name that is checked as the name of a test.
const TEST_NAME_WORDS: usize = 4;
/// Maximum number of characters of a reported paragraph.
const REPORT_LIMIT: usize = 300;
/// Functions whose names come from traits of dependencies.
const FOREIGN_NAMES: [&str; 4] = ["visit_map", "visit_seq", "visit_str", "walk_ast"];

/// Checks besides the rules of `prose.toml`, each with advice.
const NAMES: (&str, &str) = ("glossary", "use the term of the glossary");
const PARTICIPLES: (&str, &str) = ("participle", "a type or a constant is named by a noun");
const LOCALS: (&str, &str) = (
    "vague local",
    "give a local the name of its value, such as `order`",
);
const LONG_LINES: (&str, &str) = ("long line", "wrap the paragraph at 100 characters");

/// Text that matches a rule.
struct Hit {
    area: String,
    rule: String,
    /// `file:line: rule: text`.
    report: String,
}

/// Counts the hits in all files. `update` lowers the budgets to the measured values.
pub(crate) fn run(update: bool) -> Result<(), TaskError> {
    let path = cargo::root().join(SETTINGS);
    let content = fs::read_to_string(&path)?;
    let settings = Settings::parse(&content)?;
    let (measured, hits) = measure(&settings)?;
    let mut budgets = settings.budgets();
    if update {
        budgets = budgets.tightened(&measured);
        fs::write(&path, budgets.written_to(&content))?;
    }
    let count: usize = measured.hits.values().flat_map(BTreeMap::values).sum();
    eprintln!("prose: {count} hits in {} areas", measured.hits.len());
    refuse("prose", &findings(&settings, &budgets, &measured, &hits))
}

/// Returns the numbers of hits, and the hits.
fn measure(settings: &Settings) -> Result<(Budgets, Vec<Hit>), TaskError> {
    let glossary = Glossary::parse(&fs::read_to_string(cargo::root().join(GLOSSARY))?);
    let patterns = Patterns::new(&settings.rules)?;
    let (mut measured, mut hits) = (Budgets::default(), Vec::new());
    for path in tidy::files()? {
        if ![".rs", ".sql", ".toml", ".md"]
            .iter()
            .any(|end| path.ends_with(end))
        {
            continue;
        }
        let Some(content) = tidy::read(&path)? else {
            continue;
        };
        let text = String::from_utf8(content)?;
        hits.extend(File::new(&path, &text).hits(&patterns, &glossary));
    }
    for hit in &hits {
        measured.add(&hit.area, &hit.rule, 1);
    }
    Ok((measured, hits))
}

/// Returns the name of the crate's folder in `path`, or the folder at the top.
fn crate_of(path: &str) -> &str {
    let mut folders = path.strip_prefix("crates/").unwrap_or(path).split('/');
    folders.next().unwrap_or(path)
}

/// A file to check.
struct File<'a> {
    path: &'a str,
    text: &'a str,
    /// Number of the line where the module of unit tests begins.
    tests_begin: usize,
}

impl<'a> File<'a> {
    fn new(path: &'a str, text: &'a str) -> Self {
        let tests = text.lines().position(|line| line == "mod tests {");
        Self {
            path,
            text,
            tests_begin: tests.map_or(usize::MAX, |index| index + 1),
        }
    }

    /// Returns whose budget counts the text in a line: `docs`, `tests` or a crate.
    fn area(&self, line: usize) -> &'a str {
        let mut parts = self.path.split('/');
        if self.path.ends_with(".md") {
            "docs"
        } else if line >= self.tests_begin
            || parts.any(|part| part == "tests" || part == "tests.rs")
        {
            "tests"
        } else {
            crate_of(self.path)
        }
    }

    fn is_product(&self, line: usize) -> bool {
        !["tests", "contract", "testkit"].contains(&self.area(line))
    }

    fn hit(&self, line: usize, rule: &str, text: &str) -> Hit {
        let text: String = text.chars().take(REPORT_LIMIT).collect();
        Hit {
            area: self.area(line).to_owned(),
            rule: rule.to_owned(),
            report: format!("{}:{line}: {rule}: {text}", self.path),
        }
    }

    fn hits(&self, patterns: &Patterns<'_>, glossary: &Glossary) -> Vec<Hit> {
        let mut passages = text::passages(self.path, self.text);
        let mut hits = Vec::new();
        if self.path.ends_with(".rs") {
            let declarations = text::declarations(self.text);
            passages.extend(self.test_names(&declarations));
            hits.extend(self.names(&declarations, glossary));
            let locals = text::locals(self.text)
                .into_iter()
                .filter(|(line, name)| glossary::is_vague_local(name) && self.is_product(*line));
            hits.extend(locals.map(|(line, name)| self.hit(line, LOCALS.0, name)));
        }
        if self.path.ends_with(".md") {
            let lines = text::long_lines(self.text, LINE_LIMIT).into_iter();
            hits.extend(lines.map(|(line, text)| self.hit(line, LONG_LINES.0, text)));
        }
        for passage in &passages {
            for (rule, count) in patterns.hits(passage) {
                let hit = || self.hit(passage.line, &rule.name, &passage.text);
                hits.extend((0..count).map(|_| hit()));
            }
        }
        hits
    }

    /// Returns the names of tests and of the cases of the contract suite.
    fn test_names(&self, declarations: &[Declared<'_>]) -> Vec<Passage> {
        declarations
            .iter()
            .filter(|(line, keyword, _)| {
                *keyword == "fn" && ["tests", "contract"].contains(&self.area(*line))
            })
            .map(|(line, _, name)| (*line, glossary::words(name).trim().to_owned()))
            .filter(|(_, text)| text.split(' ').count() >= TEST_NAME_WORDS)
            .map(|(line, text)| Passage {
                kind: Kind::TestName,
                line,
                text,
            })
            .collect()
    }

    /// Finds product names in `declarations` that contain a word replaced by `glossary`.
    fn names(&self, declarations: &[Declared<'_>], glossary: &Glossary) -> Vec<Hit> {
        let mut hits = Vec::new();
        for declared in declarations {
            let (line, keyword, name) = *declared;
            if glossary::is_participle(declared) {
                hits.push(self.hit(line, PARTICIPLES.0, name));
            }
            let checked = self.path.starts_with("crates/")
                && !FOREIGN_NAMES.contains(&name)
                && self.is_product(line);
            if let Some(word) = glossary.replaced_word(name).filter(|_| checked) {
                let text = format!("{keyword} {name} (`{word}`)");
                hits.push(self.hit(line, NAMES.0, &text));
            }
        }
        hits
    }
}

/// Returns a finding for each budget that differs from the number in `measured`. The finding lists
/// the `hits` if there are too many.
fn findings(
    settings: &Settings,
    budgets: &Budgets,
    measured: &Budgets,
    hits: &[Hit],
) -> Vec<String> {
    let mut findings = Vec::new();
    for (area, rules) in &measured.hits {
        for (rule, count) in rules {
            let budget = budgets.of(area, rule);
            if *count > budget {
                let matching = hits
                    .iter()
                    .filter(|hit| hit.area == *area && hit.rule == *rule);
                let reports: Vec<_> = matching.map(|hit| hit.report.as_str()).collect();
                findings.push(format!(
                    "{area}: {count} x {rule}, budget {budget}; {}\n    {}",
                    advice(settings, rule),
                    reports.join("\n    ")
                ));
            }
        }
    }
    for (area, rules) in &budgets.hits {
        for (rule, budget) in rules {
            let count = measured.of(area, rule);
            if count < *budget {
                findings.push(format!(
                    "{area}: {count} x {rule}, budget {budget}; `cargo xtask prose --update` lowers the budget"
                ));
            }
        }
    }
    findings
}

fn advice(settings: &Settings, rule: &str) -> String {
    let built_in = [NAMES, PARTICIPLES, LOCALS, LONG_LINES];
    if let Some((_, advice)) = built_in.iter().find(|(name, _)| *name == rule) {
        return (*advice).to_owned();
    }
    let example = settings.rules.iter().find(|known| known.name == rule);
    example.map_or_else(String::new, |example| {
        format!("instead of \"{}\" write \"{}\"", example.bad, example.good)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_within_its_budgets() {
        run(false).unwrap();
    }

    #[test]
    fn text_counts_for_documents_tests_or_a_crate() {
        let area =
            |path, line| File::new(path, "fn f() {}\n#[cfg(test)]\nmod tests {\n}\n").area(line);
        assert_eq!(area("crates/api/README.md", 1), "docs");
        assert_eq!(area("crates/api/tests/api/main.rs", 1), "tests");
        assert_eq!(area("crates/api/src/tests.rs", 1), "tests");
        assert_eq!(area("crates/api/src/lib.rs", 1), "api");
        assert_eq!(area("crates/api/src/lib.rs", 3), "tests");
        assert_eq!(area("xtask/src/main.rs", 1), "xtask");
    }

    #[test]
    fn hits_over_and_under_the_budget_are_reported() {
        let rule = "[[rule]]\nname = \"walrus\"\nfind = 'walrus'\nwhere = [\"doc\", \"test-name\"]\n\
                    bad = \"walrus\"\ngood = \"seal\"\n[hits.api]\n\"walrus\" = 1\n";
        let check = |text: &str| {
            let settings = Settings::parse(rule).unwrap();
            let file = File::new("crates/api/src/lib.rs", text);
            let hits = file.hits(
                &Patterns::new(&settings.rules).unwrap(),
                &Glossary::parse(""),
            );
            let mut measured = Budgets::default();
            for hit in &hits {
                measured.add(&hit.area, &hit.rule, 1);
            }
            findings(&settings, &settings.budgets(), &measured, &hits)
        };
        assert_eq!(check("/// A walrus.\n"), Vec::<String>::new());
        assert_eq!(
            check("/// A walrus and\n/// a walrus.\n"),
            [
                "api: 2 x walrus, budget 1; instead of \"walrus\" write \"seal\"\n    \
              crates/api/src/lib.rs:1: walrus: A walrus and a walrus.\n    \
              crates/api/src/lib.rs:1: walrus: A walrus and a walrus."
            ]
        );
        let found =
            check("/// A seal.\n#[cfg(test)]\nmod tests {\n    fn a_walrus_swims_far() {}\n}\n");
        assert!(
            found[0].starts_with("tests: 1 x walrus, budget 0; "),
            "{found:?}"
        );
        assert!(
            found[1].ends_with("`cargo xtask prose --update` lowers the budget"),
            "{found:?}"
        );
    }
}
