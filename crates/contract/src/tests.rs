//! Tests of the suite: each MUST of a port has a case, and a failing case shows the difference.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::*;

fn names() -> BTreeSet<&'static str> {
    let of_repositories = REPOSITORIES.into_iter().flatten().map(|case| case.name);
    let of_webhooks = WEBHOOKS.into_iter().flatten().map(|case| case.name);
    let of_signers = store::SIGNER.iter().map(|case| case.name);
    let of_sources = ids::CASES.iter().map(|case| case.name);
    of_repositories
        .chain(of_webhooks)
        .chain(of_signers)
        .chain(of_sources)
        .collect()
}

/// Returns the case names in the documentation of the ports.
fn promised() -> BTreeSet<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let subjects = ["domain/src", "backoffice/src"]
        .map(|folder| crates.join(folder))
        .into_iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let ports = subjects.map(|subject| subject.unwrap().path().join("port.rs"));
    let others = [
        "backoffice/src/note.rs",
        "backoffice/src/operator/form.rs",
        "backoffice/src/operator/session/port.rs",
        "backoffice/src/operator/upload.rs",
        "domain/src/runtime/mod.rs",
        "domain/src/store/auth.rs",
    ]
    .map(|file| crates.join(file));
    ports
        .filter(|file| file.exists())
        .chain(others)
        .flat_map(|file| names_in(&fs::read_to_string(file).unwrap()))
        .collect()
}

/// Returns the case names in the doc comments of a source file.
fn names_in(text: &str) -> Vec<String> {
    let docs: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("///"))
        .collect();
    let docs = docs.join(" ");
    // A MUST names its case in parentheses: `(`case`)`, or `(`one`, `other`)`.
    let parentheses = docs
        .split('(')
        .skip(1)
        .filter_map(|part| part.split_once(')'));
    parentheses
        .flat_map(|(inside, _)| inside.split('`').skip(1).step_by(2))
        .filter(|name| {
            name.contains('_') && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_must_of_the_ports_has_a_case_and_every_case_is_named_there() {
    let (names, promised) = (names(), promised());
    let missing: Vec<_> = promised
        .iter()
        .filter(|name| !names.contains(name.as_str()))
        .collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
    let unnamed: Vec<_> = names
        .iter()
        .filter(|name| !promised.contains(**name))
        .collect();
    assert!(
        unnamed.is_empty(),
        "no port's documentation names {unnamed:?}"
    );
}

#[test]
fn a_difference_is_shown_by_its_line() {
    let failure = check::same("it", &vec![1, 2, 3], &vec![1, 5, 3]).unwrap_err();
    assert_eq!(failure.text(), "it: line 3\n     got: 2,\n  wanted: 5,");
    assert!(check::same("it", "a", "a").is_ok());
}
