//! Sources of settings: embedded defaults, a file and the environment. Each key gets one value.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::Path;

use config::{Config, Environment, File, FileFormat, Map, Source, Value, ValueKind};
use serde::de::DeserializeOwned;

use super::keys::{self, PREFIX};
use super::origin::{Origin, Origins};
use super::problem::{Problem, SettingsError};
use super::schema::Schema;

impl Schema {
    /// Reads the defaults, then `file`, then the environment `variables`; a later source overrides
    /// an earlier one. A setting with a wrong value has its default, and its problem is added to
    /// `problems`.
    ///
    /// # Errors
    /// Returns an error if `T` lacks a setting or has a setting without a default.
    pub fn read<T: DeserializeOwned>(
        &self,
        file: Option<&Path>,
        variables: HashMap<String, String>,
        problems: &mut Vec<Problem>,
    ) -> Result<(T, Origins), SettingsError> {
        let unusable = |error: config::ConfigError| SettingsError::new("", error);
        let values = read(self, file, variables, problems).map_err(unusable)?;
        let settings = sections(&values).try_deserialize();
        let origins = values.into_iter().map(|(key, (_, origin))| (key, origin));
        Ok((settings.map_err(unusable)?, Origins(origins.collect())))
    }
}

/// Keyed by the setting's full name, such as `http.listen`.
type Values = BTreeMap<String, (Value, Origin)>;

/// Adds each unknown key and each value of the wrong type to `problems`, and continues without it.
fn read(
    schema: &Schema,
    file: Option<&Path>,
    variables: HashMap<String, String>,
    problems: &mut Vec<Problem>,
) -> Result<Values, config::ConfigError> {
    let defaults = leaves(
        &Config::builder()
            .add_source(File::from_str(schema.defaults, FileFormat::Toml))
            .build()?,
    )?;
    let mut chosen: Values = BTreeMap::new();
    if let Some(path) = file {
        let origin = Origin::File(path.display().to_string());
        match read_file(path) {
            Ok(values) => chosen.extend(
                values
                    .into_iter()
                    .map(|(key, value)| (key, (value, origin.clone()))),
            ),
            Err(problem) => problems.push(problem),
        }
    }
    let known: Vec<&str> = defaults.keys().map(String::as_str).collect();
    // Reported here, because `read_environment` ignores variables with a single underscore.
    keys::single_underscores(&variables, &known, problems);
    chosen.extend(read_environment(variables)?);

    let default = |(key, value): (&String, &Value)| (key.clone(), (value.clone(), Origin::Default));
    let mut values: Values = defaults.iter().map(default).collect();
    for (key, (value, origin)) in chosen {
        // A section is empty if all its settings are commented out.
        let is_empty = matches!(&value.kind, ValueKind::Table(table) if table.is_empty());
        if is_empty && keys::first_of_section(&key, &known).is_some() {
            continue;
        }
        // A key without a default is not a setting; see `keys::unknown`.
        let Some(default) = defaults.get(&key) else {
            problems.push(
                Problem::new("", keys::unknown(&key, &known, schema.removed)).set_in(&origin),
            );
            continue;
        };
        match schema.checked(&key, &default.kind, value.kind) {
            Ok(kind) => drop(values.insert(key, (Value::new(None, kind), origin))),
            Err(problem) => problems.push(Problem::new(&key, problem).set_in(&origin)),
        }
    }
    Ok(values)
}

/// Returns `values` as nested tables: `http.listen` becomes the entry `listen` of the table `http`.
fn sections(values: &Values) -> Value {
    let mut root = Map::new();
    for (key, (value, _)) in values {
        insert(&mut root, key, value.clone());
    }
    Value::new(None, root)
}

fn insert(table: &mut Map<String, Value>, key: &str, value: Value) {
    let Some((section_name, rest)) = key.split_once('.') else {
        table.insert(key.to_owned(), value);
        return;
    };
    let section = table
        .entry(section_name.to_owned())
        .or_insert_with(|| Value::new(None, Map::<String, Value>::new()));
    if let ValueKind::Table(section) = &mut section.kind {
        insert(section, rest, value);
    }
}

/// Returns an error that does not quote the file, because the file may contain a password.
fn read_file(path: &Path) -> Result<BTreeMap<String, Value>, Problem> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| Problem::new(&name, error))?;
    // Parsed here first: the message of the config crate quotes the line.
    if let Err(error) = text.parse::<toml::Table>() {
        let number = error
            .span()
            .map(|Range { start, .. }| line_of(&text, start));
        let line = number
            .map(|line| format!("line {line}: "))
            .unwrap_or_default();
        return Err(Problem::new(&name, format!("{line}{}", error.message())));
    }
    let read = Config::builder()
        .add_source(File::from_str(&text, FileFormat::Toml))
        .build();
    read.and_then(|read| leaves(&read))
        .map_err(|error| Problem::new(&name, error))
}

/// Returns the number, from 1, of the line of `text` that contains the byte at the offset `byte`.
fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte).unwrap_or_default();
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

fn read_environment(variables: HashMap<String, String>) -> Result<Values, config::ConfigError> {
    let names: HashMap<String, String> = variables
        .keys()
        .filter_map(|name| Some((keys::of_variable(name)?, name.clone())))
        .collect();
    let environment = Environment::with_prefix(PREFIX)
        .prefix_separator("__")
        .separator("__")
        // Types come from the defaults: guessing would turn a key of digits into a number.
        .try_parsing(false)
        .source(Some(variables));
    let read = leaves(&Config::builder().add_source(environment).build()?)?;
    let value_of_name = |(key, value): (String, Value)| {
        let name = names
            .get(&key)
            .cloned()
            .unwrap_or_else(|| keys::variable(&key));
        (key, (value, Origin::Variable(name)))
    };
    Ok(read.into_iter().map(value_of_name).collect())
}

/// Returns values by full names such as `http.listen`. An empty table counts as a value.
fn leaves(config: &Config) -> Result<BTreeMap<String, Value>, config::ConfigError> {
    let mut leaves = BTreeMap::new();
    for (name, value) in config.collect()? {
        collect(name, value, &mut leaves);
    }
    Ok(leaves)
}

fn collect(path: String, value: Value, leaves: &mut BTreeMap<String, Value>) {
    match value.kind {
        ValueKind::Table(table) if !table.is_empty() => {
            for (name, value) in table {
                collect(format!("{path}.{name}"), value, leaves);
            }
        }
        _ => drop(leaves.insert(path, value)),
    }
}

/// Returns the environment variables with UTF-8 values, and a problem for each setting with a value
/// that is not UTF-8.
pub fn environment() -> (HashMap<String, String>, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut variables = HashMap::new();
    for (name, value) in std::env::vars_os() {
        // A name that is not UTF-8 is not the name of a setting.
        let Ok(name) = name.into_string() else {
            continue;
        };
        match value.into_string() {
            Ok(value) => drop(variables.insert(name, value)),
            Err(_) if keys::of_variable(&name).is_some() => {
                problems.push(Problem::new(&name, "the value is not UTF-8"));
            }
            Err(_) => {}
        }
    }
    (variables, problems)
}
