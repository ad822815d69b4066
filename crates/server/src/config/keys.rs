//! The names of settings. One that is not known is most likely misspelled, so it is never ignored.

use std::collections::HashMap;

use pressline_kit::nearest::nearest;

use super::{PREFIX, Problem};

/// What is wrong with a key that is not known.
pub(super) fn unknown(key: &str, known: &[&str]) -> String {
    let section = format!("{key}.");
    if let Some(inside) = known.iter().find(|known| known.starts_with(&section)) {
        return format!("`{key}` is a section; its settings have names such as `{inside}`");
    }
    match nearest(key, known.iter().copied(), 1).first() {
        Some(near) => format!("unknown key `{key}`; did you mean `{near}`?"),
        None => format!("unknown key `{key}`; `pressline config print` shows all keys"),
    }
}

/// The environment variable of a key.
pub(super) fn variable(key: &str) -> String {
    format!("{PREFIX}__{}", key.to_ascii_uppercase().replace('.', "__"))
}

/// The key of an environment variable.
pub(super) fn of_variable(name: &str) -> Option<String> {
    let key = name.to_ascii_lowercase();
    Some(
        key.strip_prefix(&format!("{}__", PREFIX.to_ascii_lowercase()))?
            .replace("__", "."),
    )
}

/// Refuses variables such as `PRESSLINE_HTTP_LISTEN`, which would be a setting if it had two
/// underscores. Other variables that begin with `PRESSLINE_` belong to other programs: Kubernetes
/// sets `PRESSLINE_PORT` for a service of this name. So does one whose right name is set as well.
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
    names.sort();
    for name in names {
        let right = right.get(&flat(name));
        if let Some(right) = right.filter(|right| !variables.contains_key(*right)) {
            let text = format!(
                "two underscores separate the parts of a setting's name: set `{right}` instead"
            );
            problems.push(Problem::new(name, text));
        }
    }
}
