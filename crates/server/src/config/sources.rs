//! Where settings come from: embedded defaults, a file and the environment, one value for each key.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Range;
use std::path::Path;

use toml::{Table, Value};

use super::keys;
use super::{DEFAULTS, Problem, types};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    File(String),
    Variable(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => f.write_str(path),
            Self::Variable(name) => f.write_str(name),
        }
    }
}

/// The value of each key, such as `http.listen`, with where it comes from.
pub(super) type Values = BTreeMap<String, (Value, Origin)>;

/// Reads all sources. Later ones win: defaults, file, environment. A key that is not known and a
/// value of the wrong type become problems, and are left out, so that the others are checked as
/// well.
pub(super) fn read(
    file: Option<&Path>,
    variables: &HashMap<String, String>,
    problems: &mut Vec<Problem>,
) -> Result<Values, toml::de::Error> {
    let defaults = leaves(DEFAULTS.parse()?);
    let mut chosen = Values::new();
    if let Some(path) = file {
        let origin = Origin::File(path.display().to_string());
        match read_file(path) {
            Ok(table) => chosen.extend(
                leaves(table)
                    .into_iter()
                    .map(|(key, value)| (key, (value, origin.clone()))),
            ),
            Err(problem) => problems.push(problem),
        }
    }
    let known: Vec<&str> = defaults.keys().map(String::as_str).collect();
    keys::single_underscores(variables, &known, problems);
    chosen.extend(variables.iter().filter_map(|(name, value)| {
        let value = Value::String(value.clone());
        Some((
            keys::of_variable(name)?,
            (value, Origin::Variable(name.clone())),
        ))
    }));

    let default = |(key, value): (&String, &Value)| (key.clone(), (value.clone(), Origin::Default));
    let mut values: Values = defaults.iter().map(default).collect();
    for (key, (value, origin)) in chosen {
        // A key without a default is not a setting; see `keys::unknown`.
        let Some(default) = defaults.get(&key) else {
            problems.push(Problem::new("", keys::unknown(&key, &known)).set_in(&origin));
            continue;
        };
        match types::checked(&key, default, value) {
            Ok(value) => drop(values.insert(key, (value, origin))),
            Err(problem) => problems.push(Problem::new(&key, problem).set_in(&origin)),
        }
    }
    Ok(values)
}

pub(super) fn sections(values: &Values) -> Table {
    let mut sections = Table::new();
    for (key, (value, _)) in values {
        let (section, name) = key.split_once('.').unwrap_or(("", key));
        let section = sections
            .entry(section)
            .or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(section) = section {
            section.insert(name.to_owned(), value.clone());
        }
    }
    sections
}

/// Reads a file. The message about a file that is not TOML names the line and does not
/// repeat it: it may hold a password.
fn read_file(path: &Path) -> Result<Table, Problem> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| Problem::new(&name, error))?;
    text.parse().map_err(|error: toml::de::Error| {
        let line = error
            .span()
            .map(|Range { start, .. }| format!("line {}: ", line_of(&text, start)));
        let line = line.unwrap_or_default();
        Problem::new(&name, format!("{line}{}", error.message()))
    })
}

fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte).unwrap_or_default();
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

/// Returns all values by their whole keys. A section without values is one itself.
fn leaves(table: Table) -> BTreeMap<String, Value> {
    let mut leaves = BTreeMap::new();
    for (name, value) in table {
        match value {
            Value::Table(table) if !table.is_empty() => {
                let inner = self::leaves(table);
                leaves.extend(
                    inner
                        .into_iter()
                        .map(|(key, value)| (format!("{name}.{key}"), value)),
                );
            }
            value => drop(leaves.insert(name, value)),
        }
    }
    leaves
}
