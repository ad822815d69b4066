//! systemd: the units, and the program as systemd starts it.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use pressline_testkit::tool;
use rustix::process::Signal;
use tempfile::TempDir;

use crate::common::{Finished, Site, TIMEOUT, try_get, wait_for, workspace};

/// The service manager's side of sd_notify(3).
struct Manager {
    socket: UnixDatagram,
    path: PathBuf,
}

impl Manager {
    fn new(folder: &Path) -> Self {
        let path = folder.join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        socket.set_read_timeout(Some(TIMEOUT)).unwrap();
        Self { socket, path }
    }

    fn hear(&self) -> String {
        let mut text = [0; 1024];
        let length = self.socket.recv(&mut text).unwrap();
        String::from_utf8(text[..length].to_vec()).unwrap()
    }

    /// Returns the number of watchdog messages within `time`.
    fn signs_of_life(&self, time: Duration) -> usize {
        let end = Instant::now() + time;
        let mut signs = 0;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return signs;
            }
            self.socket.set_read_timeout(Some(left)).unwrap();
            let mut text = [0; 1024];
            if let Ok(length) = self.socket.recv(&mut text) {
                assert_eq!(&text[..length], b"WATCHDOG=1");
                signs += 1;
            }
        }
    }
}

/// Starts a server with the stores' and the operators' sockets as file descriptors 3 and 4.
fn with_sockets(site: &Site, names: &str) -> (Command, SocketAddr, SocketAddr) {
    let inner = site.command();
    let mut command = Command::new("sh");
    command
        .current_dir(site.folder())
        .env("LISTEN_FDNAMES", names);
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let script = "exec 3<&0 4>&1 0</dev/null 1>&2; LISTEN_PID=$$ WATCHDOG_PID=$$ LISTEN_FDS=2 exec \"$0\" serve";
    command.args(["-c", script]).arg(inner.get_program());
    let (stores, operators) = (
        TcpListener::bind("127.0.0.1:0").unwrap(),
        TcpListener::bind("127.0.0.1:0").unwrap(),
    );
    let addresses = (
        stores.local_addr().unwrap(),
        operators.local_addr().unwrap(),
    );
    command.stdin(Stdio::from(OwnedFd::from(stores)));
    command.stdout(Stdio::from(OwnedFd::from(operators)));
    (command, addresses.0, addresses.1)
}

#[test]
fn the_server_takes_sockets_and_reports_its_state() {
    let site = Site::sqlite();
    let manager = Manager::new(site.folder());
    let (mut command, stores, operators) = with_sockets(&site, "http:operators");
    command
        .env("NOTIFY_SOCKET", &manager.path)
        .env("WATCHDOG_USEC", "400000")
        .stderr(Stdio::null());
    let mut server = command.spawn().unwrap();
    let ready = manager.hear();
    assert_eq!(ready, format!("READY=1\nSTATUS=Serves stores on {stores}"));
    assert_eq!(try_get(stores, "/readyz").unwrap().status, 200);
    assert_eq!(try_get(operators, "/readyz").unwrap().status, 200);
    // `http.listen` names another port than the socket.
    site.run(&["healthcheck"]).fails(1, &["http.listen"]);
    let address = stores.to_string();
    site.run(&["healthcheck", "--address", &address]).ok();

    // A message every 200 ms, and none while the process is stopped.
    assert!(manager.signs_of_life(Duration::from_secs(3)) >= 3);
    let process = rustix::process::Pid::from_child(&server);
    let signal = |signal| rustix::process::kill_process(process, signal).unwrap();
    signal(Signal::STOP);
    manager.signs_of_life(Duration::from_millis(100));
    assert_eq!(manager.signs_of_life(Duration::from_secs(1)), 0);
    signal(Signal::CONT);
    manager.socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    assert_eq!(manager.hear(), "WATCHDOG=1");

    signal(Signal::TERM);
    wait_for("STOPPING=1", TIMEOUT, || {
        Some(manager.hear()).filter(|state| state == "STOPPING=1")
    });
    assert_eq!(server.wait().unwrap().code(), Some(0));
}

#[test]
fn a_socket_of_another_name_is_refused() {
    let site = Site::sqlite();
    let (mut command, ..) = with_sockets(&site, "http:pressline.socket");
    let refused = Finished::from(command.stderr(Stdio::piped()).output().unwrap());
    refused.fails(
        2,
        &["`pressline.socket` is not a name", "`http` or `operators`"],
    );
}

/// Copies the units into a folder, with the path of the tested program.
fn units() -> TempDir {
    let folder = TempDir::new().unwrap();
    let unit =
        |name: &str| fs::read_to_string(workspace().join("deploy/systemd").join(name)).unwrap();
    for name in ["pressline.service", "pressline.socket"] {
        let text = unit(name).replace("/usr/bin/pressline", env!("CARGO_BIN_EXE_pressline"));
        fs::write(folder.path().join(name), text).unwrap();
    }
    let drop_ins = folder.path().join("pressline.service.d");
    fs::create_dir(&drop_ins).unwrap();
    fs::write(drop_ins.join("postgres.conf"), unit("postgres.conf")).unwrap();
    folder
}

#[test]
fn systemd_accepts_the_units_and_their_exposure_is_low() {
    let Some(analyze) = tool("deploy", "systemd-analyze") else {
        return;
    };
    let folder = units();
    let run = |arguments: &[&str]| -> Finished {
        let mut command = Command::new(&analyze);
        command.current_dir(folder.path()).args(arguments);
        command.output().unwrap().into()
    };
    let verified = run(&[
        "verify",
        "--man=no",
        "./pressline.service",
        "./pressline.socket",
    ])
    .ok();
    assert!(
        verified.out.is_empty() && verified.err.is_empty(),
        "{verified:?}"
    );
    // The threshold is in tenths.
    let security = ["security", "--offline=true", "--threshold=15", "--no-pager"];
    run(&[&security[..], &["./pressline.service"]].concat()).ok();
}
