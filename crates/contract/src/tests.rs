//! The suite itself: it has a case for every MUST of the ports, and tells a wrong adapter from a
//! right one.

use std::collections::BTreeSet;

use super::*;

fn names() -> BTreeSet<&'static str> {
    let of_repositories = REPOSITORIES.into_iter().flatten().map(|case| case.name);
    let of_signers = signer::CASES.iter().map(|case| case.name);
    let of_sources = ids::CASES.iter().map(|case| case.name);
    of_repositories
        .chain(of_signers)
        .chain(of_sources)
        .collect()
}

/// The names that stand in parentheses and backticks in the documentation of the ports.
fn promised() -> BTreeSet<String> {
    let mut promised = BTreeSet::new();
    let ports = concat!(env!("CARGO_MANIFEST_DIR"), "/../domain/src/ports");
    for file in std::fs::read_dir(ports).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let docs: Vec<&str> = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("///"))
            .collect();
        let docs = docs.join(" ");
        let is_name = |part: &&str| {
            part.contains('_') && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        };
        promised.extend(docs.split('`').filter(is_name).map(str::to_owned));
    }
    promised
}

#[test]
fn every_must_of_the_ports_has_a_case() {
    let (names, promised) = (names(), promised());
    assert!(promised.len() >= 20, "{promised:?}");
    let missing: Vec<&String> = promised
        .iter()
        .filter(|name| !names.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

#[test]
fn a_difference_is_shown_by_its_line() {
    let failure = check::same("it", &vec![1, 2, 3], &vec![1, 5, 3]).unwrap_err();
    assert_eq!(failure.text(), "it: line 3\n     got: 2,\n  wanted: 5,");
    assert!(check::same("it", "a", "a").is_ok());
}
