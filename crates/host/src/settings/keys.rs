//! Names of settings. An unknown name is most likely misspelled, so it is never ignored.

use std::collections::HashMap;

use pressline_kit::nearest::nearest;

use super::problem::Problem;

/// Prefix of the environment variables for settings: `PRESSLINE__HTTP__LISTEN` sets `http.listen`.
pub(super) const PREFIX: &str = "PRESSLINE";

/// Returns the first key of `known` that belongs to the section `key`; `None` if no key does.
pub(super) fn first_of_section<'a>(key: &str, known: &[&'a str]) -> Option<&'a str> {
    let mut inside = known.iter();
    let in_section = |known: &&&str| {
        known
            .strip_prefix(key)
            .is_some_and(|rest| rest.starts_with('.'))
    };
    inside.find(in_section).copied()
}

pub(super) fn unknown(key: &str, known: &[&str], removed: &[(&str, &str)]) -> String {
    if let Some((_, hint)) = removed.iter().find(|(removed, _)| *removed == key) {
        return format!("`{key}` is no longer a setting: {hint}");
    }
    if let Some(inside) = first_of_section(key, known) {
        return format!("`{key}` is a section; its settings have names such as `{inside}`");
    }
    match nearest(key, known.iter().copied(), 1).first() {
        Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
        None => format!("unknown key `{key}`; `pressline config print` shows all keys"),
    }
}

pub(super) fn variable(key: &str) -> String {
    format!("{PREFIX}__{}", key.to_ascii_uppercase().replace('.', "__"))
}

pub(super) fn of_variable(name: &str) -> Option<String> {
    let key = name.to_ascii_lowercase();
    Some(
        key.strip_prefix(&format!("{}__", PREFIX.to_ascii_lowercase()))?
            .replace("__", "."),
    )
}

/// Adds a problem for each variable with single underscores, such as `PRESSLINE_HTTP_LISTEN`: its
/// value would be ignored. Accepts other variables with the prefix, such as `PRESSLINE_PORT`, which
/// Kubernetes sets for a service named `pressline`.
pub(super) fn single_underscores(
    variables: &HashMap<String, String>,
    known: &[&str],
    problems: &mut Vec<Problem>,
) {
    let flat = |name: &str| name.to_ascii_uppercase().replace("__", "_");
    let right: HashMap<String, String> = known
        .iter()
        .map(|key| (flat(&variable(key)), variable(key)))
        .collect();
    let mut names: Vec<&String> = variables
        .keys()
        .filter(|name| of_variable(name).is_none())
        .collect();
    // In a stable order, which a map does not have.
    names.sort();
    for name in names {
        let Some(right) = right.get(&flat(name)) else {
            continue;
        };
        let remedy = if variables.contains_key(right) {
            format!("remove it, because `{right}` is set")
        } else {
            format!("set `{right}` instead")
        };
        let text = format!("two underscores separate the parts of a setting's name: {remedy}");
        problems.push(Problem::new(name, text));
    }
}
