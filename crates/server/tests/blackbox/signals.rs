//! Signals, core dumps and other process attributes.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use rustix::process::Signal;

use crate::common::{Server, Site, try_get};
use crate::failure::finishes_what_runs;

#[test]
fn a_hangup_stops_the_server_as_sigterm_does() {
    if ignores_hangup(std::process::id()) {
        // Processes inherit the ignored signal, and no shell can undo it.
        println!("skipped: the tests were started with SIGHUP ignored, as nohup does");
        return;
    }
    finishes_what_runs(&Site::sqlite(), Signal::HUP);
}

#[test]
fn user_signals_are_ignored() {
    let site = Site::sqlite();
    let mut server = site.serve();
    for signal in [Signal::USR1, Signal::USR2] {
        server.signal(signal);
        assert_eq!(
            try_get(server.address, "/livez").unwrap().status,
            200,
            "{signal:?}"
        );
    }
    server.terminate();
    assert_eq!(server.wait().code(), Some(0));
}

/// Starts the server from a shell that runs `before` first.
fn serve_after(site: &Site, before: &str) -> Server {
    let inner = site.command();
    let mut command = Command::new("sh");
    command.current_dir(site.folder());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
        .args(["-c", &format!("{before}; exec \"$0\" serve")])
        .arg(inner.get_program());
    Server::start(command)
}

#[test]
fn an_initially_ignored_hangup_stays_ignored() {
    // As `nohup` does.
    let server = serve_after(&Site::sqlite(), "trap '' HUP");
    assert!(ignores_hangup(server.id()));
}

fn ignores_hangup(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1
}

#[test]
fn a_crash_leaves_no_core_dump() {
    let site = Site::sqlite();
    let mut server = serve_after(&site, "ulimit -c unlimited");
    // The memory file of a process that must not be dumped belongs to root. If the tests run as
    // root, only the crash shows a difference.
    let owner = fs::metadata(format!("/proc/{}/mem", server.id()))
        .unwrap()
        .uid();
    assert_eq!(owner, 0);
    server.signal(Signal::ABORT);
    let ended = server.wait();
    assert!(
        ended.signal().is_some() && !ended.core_dumped(),
        "{ended:?}"
    );
}
