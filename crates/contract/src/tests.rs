//! The suite itself: it has a case for every MUST of the ports, and tells a wrong adapter from a
//! right one.

use std::collections::BTreeSet;
use std::path::Path;

use super::*;

fn names() -> BTreeSet<&'static str> {
    let of_repositories = REPOSITORIES.into_iter().flatten().map(|case| case.name);
    let of_signers = store::SIGNER.iter().map(|case| case.name);
    let of_sources = ids::CASES.iter().map(|case| case.name);
    of_repositories
        .chain(of_signers)
        .chain(of_sources)
        .collect()
}

/// The names in backticks in the documentation of the ports: `port.rs` of each subject, and
/// `runtime.rs`.
fn promised() -> BTreeSet<String> {
    let domain = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../domain/src"));
    let mut files = vec![domain.join("runtime.rs")];
    for entry in std::fs::read_dir(domain).unwrap() {
        let port = entry.unwrap().path().join("port.rs");
        files.extend(port.exists().then_some(port));
    }
    assert!(files.len() >= 4, "{files:?}");
    files.iter().flat_map(|file| names_in(file)).collect()
}

fn names_in(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let docs: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("///"))
        .collect();
    let is_name = |part: &&str| {
        part.contains('_') && part.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    };
    let docs = docs.join(" ");
    docs.split('`').filter(is_name).map(str::to_owned).collect()
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
