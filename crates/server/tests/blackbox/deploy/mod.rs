//! The files in `deploy/`, each checked and run by the programs that its users have.

mod backup;
mod compose;
mod container;
mod debian;
mod kubernetes;
mod proxy;
mod rolling;
mod systemd;
mod workflow;

use std::fs;
use std::net::TcpListener;
use std::process::Command;

use crate::common::{Finished, workspace};

#[track_caller]
fn text(path: &str) -> String {
    let file = workspace().join(path);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns `text` with each first string of `values` replaced by the second. Each must occur.
#[track_caller]
fn replaced(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "no `{from}` in {text}");
        text.replace(from, to)
    })
}

#[track_caller]
fn run(command: &mut Command) -> Finished {
    let output = command.output();
    output
        .unwrap_or_else(|error| panic!("{command:?}: {error}"))
        .into()
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
