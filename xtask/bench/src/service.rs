//! The service: its command line, and a running server.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::BenchError;
use crate::http;
use crate::process;
use crate::request::{self, Account};

const TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// Seals the keys of throw-away stores.
const MASTER_KEY: &str = "0000000000000000000000000000000000000000000000000000000000000001";
/// How long stores may change their orders: no order falls due during a run.
const COOLING_OFF: &str = "14d";

pub(crate) type Settings = [(&'static str, &'static str)];
/// Lets one store use all of a server: most tasks measure what the server can do.
pub(crate) const UNBOUNDED: &Settings = &[("PRESSLINE__BENCH__UNBOUNDED", "true")];
/// The same for earlier revisions, in which these bounds are settings.
const EARLIER_UNBOUNDED: &Settings = &[
    ("PRESSLINE__IN_FLIGHT__CALLS", "10000"),
    ("PRESSLINE__IN_FLIGHT__SEARCHES", "10000"),
    ("PRESSLINE__IN_FLIGHT__LARGE", "10000"),
    ("PRESSLINE__DATABASE__BACKLOG_MS", "60000"),
];
/// The default bounds of one store.
pub(crate) const BOUNDED: &Settings = &[];
/// Time limits that a debug server keeps on a machine that is busy with other tests.
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

    /// Makes the tables and imports a catalog.
    pub(crate) fn prepare(&self, catalog: &Path) -> Result<(), BenchError> {
        self.output(&["migrate"])?;
        self.output(&["catalog", "import", &catalog.display().to_string()])?;
        Ok(())
    }

    /// Distributes the tables over the nodes of a Citus cluster.
    pub(crate) fn distribute(&self) -> Result<(), BenchError> {
        self.output(&["migrate", "--distribute"]).map(drop)
    }

    /// Creates stores whose prefixes are `S0`, `S1` and so on.
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

    /// Creates an operator who may do everything, and returns a sign-in link.
    pub(crate) fn sign_in_link(&self, operator: &str) -> Result<String, BenchError> {
        self.output(&["operator", "create", "--role", "admin", "--name", operator])?;
        let made = self.output(&["--json", "operator", "sign-in", operator])?;
        let made: Value = serde_json::from_slice(&made)?;
        let link = made.get("link").and_then(Value::as_str);
        Ok(link.ok_or("`operator sign-in` prints no link")?.to_owned())
    }

    pub(crate) fn serve(&self, settings: &[(&str, &str)]) -> Result<Server, BenchError> {
        let settings = if settings == UNBOUNDED && self.has_bounds_as_settings()? {
            EARLIER_UNBOUNDED
        } else {
            settings
        };
        let workers = [("PRESSLINE__HTTP__WORKERS", "2")];
        let settings = [&workers[..], settings].concat();
        Ok(self.start(&settings, &request::get("/readyz"))?.1)
    }

    fn has_bounds_as_settings(&self) -> Result<bool, BenchError> {
        let defaults = self.output(&["config", "print", "--defaults"])?;
        Ok(String::from_utf8_lossy(&defaults).contains("[in_flight]"))
    }

    /// Starts a server; returns the time to the first success of `request`, too.
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
        // The figures must not depend on the settings of the shell that runs the bench.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PRESSLINE__") {
                command.env_remove(name);
            }
        }
        command
            .args(arguments)
            .env("PRESSLINE__DATABASE__URL", &self.database)
            .env("PRESSLINE__AUTH__MASTER_KEY", MASTER_KEY)
            .env("PRESSLINE__RATE_LIMIT__ENABLED", "false")
            .env("PRESSLINE__OPERATOR__PER_MINUTE", "60000000")
            .env("PRESSLINE__LOG__LEVEL", "error")
            .envs(self.settings.iter().copied())
            .stdin(Stdio::null());
        command
    }
}

/// A running server; dropping it ends the process.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    /// The first process of each node of its Citus cluster.
    pub(crate) nodes: Vec<u32>,
}

impl Server {
    /// Waits until a started process responds to `request` at `address`.
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

    /// CPU seconds of the nodes of its Citus cluster so far; 0 without one.
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

/// Returns an address of this machine that is free.
pub(crate) fn free_address() -> Result<SocketAddr, BenchError> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}
