//! Terminal output: colors and a moving progress bar only if the terminal can show them.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::{CATALOG, Site, terminal};

/// Returns the standard error of `command`, run on a terminal, until it ends or contains `last`.
fn shown(mut command: Command, variables: &[(&str, &str)], last: &str) -> String {
    let (mut screen, program) = terminal();
    command
        .env_remove("NO_COLOR")
        .envs(variables.iter().copied());
    let mut process = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(program)
        .spawn()
        .unwrap();
    // The command also holds the program's end of the terminal.
    drop(command);
    let mut text = Vec::new();
    let mut bytes = [0; 1024];
    // Reading fails when the last program has closed its end.
    while let Ok(length @ 1..) = screen.read(&mut bytes) {
        text.extend_from_slice(&bytes[..length]);
        if String::from_utf8_lossy(&text).contains(last) {
            break;
        }
    }
    let _ = process.kill();
    process.wait().unwrap();
    String::from_utf8(text).unwrap()
}

const XTERM: (&str, &str) = ("TERM", "xterm");

#[test]
fn the_log_has_colors_only_on_a_capable_terminal() {
    let site = Site::sqlite();
    let log = |variables: &[(&str, &str)]| {
        let mut command = site.command();
        command.arg("serve");
        shown(command, variables, "listening")
    };
    assert!(log(&[XTERM]).contains('\u{1b}'));
    for variable in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let log = log(&[XTERM, variable]);
        assert!(
            log.contains("listening") && !log.contains('\u{1b}'),
            "{variable:?}: {log:?}"
        );
    }
}

#[test]
fn a_progress_bar_is_drawn_only_on_a_capable_terminal() {
    let site = Site::sqlite();
    let file = site.file("catalog.csv", CATALOG);
    let import = |variables: &[(&str, &str)]| {
        let mut command = site.command();
        command.args(["catalog", "import"]).arg(&file);
        shown(command, variables, "no such text")
    };
    let drawn = import(&[XTERM]);
    // At the end the line is cleared for the next message.
    assert!(
        drawn.contains("Importing [") && drawn.ends_with("\r\u{1b}[2K"),
        "{drawn:?}"
    );
    assert_eq!(import(&[XTERM, ("NO_COLOR", "1")]), "");
    assert_eq!(import(&[("TERM", "dumb")]), "");
}
