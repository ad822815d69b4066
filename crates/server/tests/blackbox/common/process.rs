//! A running server, and finished commands.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;

use super::{TIMEOUT, try_get, wait_for};

#[derive(Clone, Default)]
struct Transcript(Arc<Mutex<String>>);

impl Transcript {
    fn follow(stream: impl Read + Send + 'static) -> Self {
        let transcript = Self::default();
        let writer = transcript.clone();
        thread::spawn(move || {
            let mut lines = BufReader::new(stream);
            let mut line = Vec::new();
            while lines
                .read_until(b'\n', &mut line)
                .is_ok_and(|length| length > 0)
            {
                writer
                    .0
                    .lock()
                    .unwrap()
                    .push_str(&String::from_utf8_lossy(&line));
                line.clear();
            }
        });
        transcript
    }

    fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }
}

/// A server process. Dropping it kills the process.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    process: Child,
    out: Transcript,
    log: Transcript,
}

impl Server {
    /// Starts the server and waits until it listens.
    #[track_caller]
    pub(crate) fn start(mut command: Command) -> Self {
        listen_for_operators(&mut command);
        Self::start_as_set(command)
    }

    /// Starts the server with exactly the settings of `command`.
    #[track_caller]
    pub(crate) fn start_as_set(mut command: Command) -> Self {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = Transcript::follow(process.stdout.take().unwrap());
        let log = Transcript::follow(process.stderr.take().unwrap());
        let begin = Instant::now();
        let address = loop {
            if let Some(address) = listening(&log.text(), "listening") {
                break address;
            }
            let ended = process.try_wait().unwrap();
            if ended.is_some() || begin.elapsed() > TIMEOUT {
                let _ = process.kill();
                panic!(
                    "the server does not listen ({ended:?}):\n{}\n{}",
                    out.text(),
                    log.text()
                );
            }
            thread::sleep(Duration::from_millis(5));
        };
        Self {
            address,
            process,
            out,
            log,
        }
    }

    #[track_caller]
    pub(crate) fn for_operators(&self) -> SocketAddr {
        wait_for("the listener for operators", TIMEOUT, || {
            listening(&self.log(), "listening for operators")
        })
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns the peak memory of the process so far (`VmHWM`), in MiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).unwrap();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .unwrap();
        line.trim()
            .trim_end_matches(" kB")
            .trim()
            .parse::<u64>()
            .unwrap()
            / 1024
    }

    /// Starts a server with the streams of `command`, and waits until it responds.
    #[track_caller]
    pub(crate) fn start_unread(mut command: Command) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        command
            .env("PRESSLINE__HTTP__LISTEN", address.to_string())
            .env("PRESSLINE__OPERATOR__LISTEN", "127.0.0.1:0")
            .stdin(Stdio::null());
        let process = command.spawn().unwrap();
        let mut server = Self {
            address,
            process,
            out: Transcript::default(),
            log: Transcript::default(),
        };
        wait_for("the server to response", TIMEOUT, || {
            let ended = server.process.try_wait().unwrap();
            assert!(ended.is_none(), "the server has ended: {ended:?}");
            try_get(address, "/livez")
                .ok()
                .filter(|response| response.status == 200)
        });
        server
    }

    /// Begins to read the log of a server from [`start_unread`](Self::start_unread).
    pub(crate) fn read_log(&mut self, stream: impl Read + Send + 'static) {
        self.log = Transcript::follow(stream);
    }

    pub(crate) fn output(&self) -> String {
        self.out.text()
    }

    pub(crate) fn log(&self) -> String {
        self.log.text()
    }

    /// Returns the log after a last request to `/livez`. A separate thread writes the log, so this
    /// waits for the request's line.
    #[track_caller]
    pub(crate) fn log_up_to_now(&self) -> String {
        let response = try_get(self.address, "/livez").unwrap();
        let last = response.header("X-Request-Id").unwrap();
        wait_for("the log", TIMEOUT, || {
            Some(self.log()).filter(|log| log.contains(last))
        })
    }

    /// Kills the process with `SIGKILL`, so that it cannot clean up.
    pub(crate) fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.process)
    }

    /// Sends `SIGTERM`, as service managers do.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    #[track_caller]
    pub(crate) fn wait(&mut self) -> ExitStatus {
        let process = &mut self.process;
        wait_for("the end of the server", TIMEOUT, || {
            process.try_wait().unwrap()
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if thread::panicking() {
            eprintln!("--- the server's log\n{}", self.log());
        }
    }
}

/// Lets the system choose a free operators' port, unless the test sets the port: several tests run
/// servers at the same time.
fn listen_for_operators(command: &mut Command) {
    const NAME: &str = "PRESSLINE__OPERATOR__LISTEN";
    if command.get_envs().all(|(name, _)| name != NAME) {
        command.env(NAME, "127.0.0.1:0");
    }
}

/// Returns the address in the log line with the given `message`.
fn listening(log: &str, message: &str) -> Option<SocketAddr> {
    let events = log
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut addresses = events
        .filter(|event| event["message"] == message)
        .filter_map(|event| {
            event["address"]
                .as_str()
                .map(|address| address.trim_start_matches("http://").to_owned())
        });
    addresses.next().map(|address| {
        address
            .parse()
            .unwrap_or_else(|_| panic!("no address: {address}"))
    })
}

#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Finished {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Finished {
    /// Runs a command that must end by itself. Fails the test on a timeout, for example if a server
    /// starts although it should refuse to.
    #[track_caller]
    pub(crate) fn new(command: &mut Command) -> Self {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        while process.try_wait().unwrap().is_none() {
            if begin.elapsed() > TIMEOUT {
                process.kill().unwrap();
                panic!(
                    "{command:?} does not end: {:?}",
                    Self::from(process.wait_with_output().unwrap())
                );
            }
            thread::sleep(Duration::from_millis(5));
        }
        process.wait_with_output().unwrap().into()
    }

    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    /// Asserts exit code `0` and parses standard output as JSON.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        let ended = self.ok();
        serde_json::from_str(&ended.out).unwrap_or_else(|error| panic!("{error}: {ended:?}"))
    }

    /// Returns standard error, or with `--json` the error's message.
    pub(crate) fn message(&self) -> String {
        let error = serde_json::from_str::<Value>(&self.err).ok();
        let message = error
            .as_ref()
            .and_then(|error| error["error"]["message"].as_str());
        message.unwrap_or(&self.err).to_owned()
    }

    /// Asserts the exit code, and that the message contains each of `names`.
    #[track_caller]
    pub(crate) fn fails(&self, code: i32, names: &[&str]) {
        assert_eq!(self.code, code, "{self:?}");
        let message = self.message();
        for name in names {
            assert!(message.contains(name), "`{name}` is not in {self:?}");
        }
        assert!(!self.err.contains("panicked"), "{self:?}");
    }
}

/// Opens a pseudo-terminal. Returns the end that shows the output, and the end that a program
/// writes to.
pub(crate) fn terminal() -> (File, File) {
    let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&screen).unwrap();
    unlockpt(&screen).unwrap();
    let path = ptsname(&screen, Vec::new()).unwrap();
    let program = File::options()
        .read(true)
        .write(true)
        .open(path.to_str().unwrap())
        .unwrap();
    (screen.into(), program)
}
