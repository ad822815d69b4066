//! The service: its command line, and a running server.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::error::BenchError;
use crate::http;
use crate::process;
use crate::request::{self, Account};

const TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// Master key for the secrets of throw-away stores.
const MASTER_KEY: &str = "0000000000000000000000000000000000000000000000000000000000000001";
/// Cooling-off time of the stores: no order becomes ready during a run.
const COOLING_OFF: &str = "14d";

pub(crate) type Settings = [(&'static str, &'static str)];
/// Lets a single store use the whole server, because most tasks measure the server's capacity.
pub(crate) const UNBOUNDED: &Settings = &[
    ("PRESSLINE__IN_FLIGHT__CALLS", "10000"),
    ("PRESSLINE__IN_FLIGHT__SEARCHES", "10000"),
    ("PRESSLINE__IN_FLIGHT__LARGE", "10000"),
    ("PRESSLINE__DATABASE__BACKLOG_MS", "60000"),
];
/// Same as [`UNBOUNDED`], for earlier revisions in which the limits were not settings. Only
/// `--compare` starts them.
const EARLIER_UNBOUNDED: &Settings = &[("PRESSLINE__BENCH__UNBOUNDED", "true")];
/// The default limits of a store.
pub(crate) const BOUNDED: &Settings = &[];
/// Longer timeouts, for a debug server on a machine that is busy with other tests.
const PATIENT: &Settings = &[
    ("PRESSLINE__DATABASE__POOL_WAIT_MS", "2000"),
    ("PRESSLINE__DATABASE__STATEMENT_TIMEOUT_MS", "60000"),
];

#[derive(Debug, Clone)]
pub(crate) struct Service {
    binary: PathBuf,
    pub(crate) database: String,
    settings: &'static Settings,
}

impl Service {
    pub(crate) fn new(binary: &Path, database: String, is_patient: bool) -> Self {
        Self {
            binary: binary.to_owned(),
            database,
            settings: if is_patient { PATIENT } else { &[] },
        }
    }

    pub(crate) fn at(&self, database: String) -> Self {
        Self {
            database,
            ..self.clone()
        }
    }

    pub(crate) fn prepare(&self, catalog: &Path) -> Result<(), BenchError> {
        self.output(&["migrate"])?;
        self.output(&["catalog", "import", &catalog.display().to_string()])?;
        Ok(())
    }

    /// Distributes the tables over the nodes of a Citus cluster.
    pub(crate) fn distribute(&self) -> Result<(), BenchError> {
        self.output(&["migrate", "--distribute"]).map(drop)
    }

    /// Creates stores with the prefixes `S0`, `S1` and so on.
    pub(crate) fn create_stores(&self, count: usize) -> Result<Vec<Account>, BenchError> {
        (0..count).map(|number| self.create_store(number)).collect()
    }

    fn create_store(&self, number: usize) -> Result<Account, BenchError> {
        let (name, prefix) = (format!("Store {number}"), format!("S{number}"));
        let names = ["--name", &name, "--prefix", &prefix];
        let create = ["--json", "store", "create", "--cooling-off", COOLING_OFF];
        let text = self.output(&[&create[..], &names].concat())?;
        let document: Value = serde_json::from_slice(&text)?;
        let field = |name: &str| {
            let text = document.get(name).and_then(Value::as_str);
            text.map(str::to_owned)
                .ok_or("the output of `store create` lacks a field")
        };
        Ok(Account {
            store_id: field("storeId")?,
            secret: field("secretKey")?,
        })
    }

    /// Creates the admin `operator` and returns a sign-in link.
    pub(crate) fn sign_in_link(&self, operator: &str) -> Result<String, BenchError> {
        self.output(&["operator", "create", "--role", "admin", "--name", operator])?;
        let made = self.output(&["--json", "operator", "sign-in", operator])?;
        let made: Value = serde_json::from_slice(&made)?;
        let link = made.get("link").and_then(Value::as_str);
        Ok(link.ok_or("`operator sign-in` prints no link")?.to_owned())
    }

    pub(crate) fn serve(&self, settings: &[(&str, &str)]) -> Result<Server, BenchError> {
        let settings = if settings == UNBOUNDED && !self.has_bounds_as_settings()? {
            EARLIER_UNBOUNDED
        } else {
            settings
        };
        // Two workers, like the peer's two processes.
        let workers = [("PRESSLINE__HTTP__WORKERS", "2")];
        let settings = [&workers[..], settings].concat();
        Ok(self.start(&settings, &request::get("/readyz"))?.1)
    }

    fn has_bounds_as_settings(&self) -> Result<bool, BenchError> {
        let defaults = self.output(&["config", "print", "--defaults"])?;
        Ok(String::from_utf8_lossy(&defaults).contains("[in_flight]"))
    }

    /// Starts a server. Returns the time until the first success of `request`.
    pub(crate) fn start(
        &self,
        settings: &[(&str, &str)],
        request: &[u8],
    ) -> Result<(Duration, Server), BenchError> {
        let address = free_address()?;
        let begin = Instant::now();
        let child = self
            .command(&["serve"])
            .env("PRESSLINE__HTTP__LISTEN", address.to_string())
            // A port of its own, because several servers may run at the same time.
            .env("PRESSLINE__OPERATOR__LISTEN", "127.0.0.1:0")
            .envs(settings.iter().copied())
            .stdout(Stdio::null())
            .spawn()?;
        let server = Server::adopt(child, address, request)?;
        Ok((begin.elapsed(), server))
    }

    fn output(&self, arguments: &[&str]) -> Result<Vec<u8>, BenchError> {
        let output = self.command(arguments).stderr(Stdio::piped()).output()?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(format!("`pressline {}` failed: {words}", arguments.join(" ")).into())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        // Figures must not depend on settings in the environment of the bench.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PRESSLINE__") {
                command.env_remove(name);
            }
        }
        command
            .args(arguments)
            .env("PRESSLINE__DATABASE__URL", &self.database)
            .env("PRESSLINE__AUTH__MASTER_KEY", MASTER_KEY)
            // The bench sends more than the rate limits permit.
            .env("PRESSLINE__RATE_LIMIT__ENABLED", "false")
            .env("PRESSLINE__OPERATOR__PER_MINUTE", "60000000")
            .env("PRESSLINE__LOG__LEVEL", "error")
            .envs(self.settings.iter().copied())
            .stdin(Stdio::null());
        command
    }
}

/// A running server. Dropping the value ends the process.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    /// First process of each node of its Citus cluster.
    pub(crate) nodes: Vec<u32>,
}

impl Server {
    /// Waits until a started process answers `request` at `address`.
    pub(crate) fn adopt(
        child: Child,
        address: SocketAddr,
        request: &[u8],
    ) -> Result<Self, BenchError> {
        let mut server = Self {
            child,
            address,
            nodes: Vec::new(),
        };
        server.wait_for(request)?;
        Ok(server)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn cpu(&self) -> Result<f64, BenchError> {
        process::tree_cpu(self.pid())
    }

    /// CPU seconds of its Citus nodes so far; 0 without Citus.
    pub(crate) fn nodes_cpu(&self) -> Result<f64, BenchError> {
        self.nodes.iter().map(|node| process::tree_cpu(*node)).sum()
    }

    pub(crate) fn call(&self, request: &[u8]) -> Result<http::Response, BenchError> {
        http::call(self.address, request)?.ok()
    }

    fn wait_for(&mut self, request: &[u8]) -> Result<(), BenchError> {
        let begin = Instant::now();
        loop {
            let Err(reason) = self.call(request) else {
                return Ok(());
            };
            // Checked before the time limit, so that a crash is reported as such.
            if let Some(status) = self.child.try_wait()? {
                return Err(format!("the server ended: {status}").into());
            }
            if begin.elapsed() > TIMEOUT {
                return Err(format!("the server is not ready: {reason}").into());
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the address of a free port on `127.0.0.1`.
pub(crate) fn free_address() -> Result<SocketAddr, BenchError> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}
