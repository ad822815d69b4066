//! The service: its command line, and a running server of it.

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
use crate::rows::StoreRef;

/// How long a server may take to its first response.
const TIMEOUT: Duration = Duration::from_secs(30);
/// How long to wait between two looks whether a server responds.
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// More calls of one store at the same time than any task makes.
const MANY: &str = "10000";
/// Seals the keys of throw-away stores.
const MASTER_KEY: &str = "0000000000000000000000000000000000000000000000000000000000000001";

/// The program, and the database it works on.
#[derive(Debug, Clone)]
pub(crate) struct Service {
    binary: PathBuf,
    database: String,
    /// Further settings of `serve`.
    settings: Vec<(&'static str, String)>,
}

/// A store that was just made.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    pub(crate) account: Account,
    pub(crate) prefix: String,
}

impl Store {
    /// The store as its rows name it.
    pub(crate) fn reference(&self) -> StoreRef {
        StoreRef {
            store_id: self.account.store_id.clone(),
            prefix: self.prefix.clone(),
        }
    }
}

impl Service {
    /// The program at `binary` with the database at `url`.
    pub(crate) fn new(binary: &Path, url: &str) -> Self {
        Self {
            binary: binary.to_owned(),
            database: url.to_owned(),
            settings: Vec::new(),
        }
    }

    /// The same without bounds on what one store does at the same time, and with queues of writes that may be long
    /// all the time. Other revisions may not know the variable; they refuse it.
    pub(crate) fn without_bounds(mut self) -> Self {
        self.set([("PRESSLINE__BENCH__UNBOUNDED", "true")]);
        self
    }

    /// The same with another number of connections that write orders to PostgreSQL.
    pub(crate) fn with_writers(mut self, writers: &'static str) -> Self {
        self.set([("PRESSLINE__DATABASE__WRITERS", writers)]);
        self
    }

    /// The same with these ports of this machine permitted to endpoints, and with many calls of a store that wait for
    /// events.
    pub(crate) fn with_receivers(mut self, ports: &[u16]) -> Self {
        let ports = ports.iter().map(u16::to_string).collect::<Vec<_>>();
        self.set([
            ("PRESSLINE__EGRESS__ALLOW_STORES", "127.0.0.0/8"),
            ("PRESSLINE__EGRESS__PORTS", &ports.join(",")),
            ("PRESSLINE__EVENTS__WAITING_POLLS", MANY),
        ]);
        self
    }

    /// The same with as many calls of an operator as it makes.
    pub(crate) fn with_many_calls(mut self) -> Self {
        self.set([("PRESSLINE__OPERATOR__PER_MINUTE", "60000000")]);
        self
    }

    /// The same with time limits that a slow machine keeps.
    pub(crate) fn patient(mut self) -> Self {
        self.set([
            ("PRESSLINE__DATABASE__POOL_WAIT_MS", "2000"),
            ("PRESSLINE__DATABASE__STATEMENT_TIMEOUT_MS", "60000"),
        ]);
        self
    }

    fn set<const N: usize>(&mut self, settings: [(&'static str, &str); N]) {
        let settings = settings.map(|(name, value)| (name, value.to_owned()));
        self.settings.extend(settings);
    }

    /// Brings the tables up to date.
    pub(crate) fn migrate(&self) -> Result<(), BenchError> {
        self.output(&["migrate"]).map(drop)
    }

    /// Brings the tables up to date and loads the catalog.
    pub(crate) fn prepare(&self, catalog: &Path) -> Result<(), BenchError> {
        self.migrate()?;
        self.output(&["catalog", "import", &catalog.display().to_string()])?;
        Ok(())
    }

    /// Starts to import a catalog.
    pub(crate) fn start_import(&self, catalog: &Path) -> Result<Child, BenchError> {
        let mut command = self.command(&["catalog", "import"]);
        Ok(command.arg(catalog).stdout(Stdio::null()).spawn()?)
    }

    /// Makes a store.
    pub(crate) fn create_store(&self, name: &str, prefix: &str) -> Result<Store, BenchError> {
        let text = self.output(&[
            "--json", "store", "create", "--name", name, "--prefix", prefix,
        ])?;
        let document: Value = serde_json::from_slice(&text)?;
        let field = |name: &str| -> Result<String, BenchError> {
            Ok(document
                .get(name)
                .and_then(Value::as_str)
                .ok_or("the output of `store create` lacks a field")?
                .to_owned())
        };
        let account = Account {
            store_id: field("storeId")?,
            secret: field("secretKey")?,
        };
        Ok(Store {
            account,
            prefix: field("prefix")?,
        })
    }

    /// Makes so many stores.
    pub(crate) fn create_stores(&self, count: usize) -> Result<Vec<Account>, BenchError> {
        let store = |number| {
            let (name, prefix) = (format!("Mixed {number}"), format!("M{number}"));
            Ok(self.create_store(&name, &prefix)?.account)
        };
        (0..count).map(store).collect()
    }

    /// Distributes the tables over the nodes of a Citus cluster.
    pub(crate) fn distribute(&self) -> Result<(), BenchError> {
        self.output(&["migrate", "--distribute"]).map(drop)
    }

    /// Starts a server and waits until it is ready.
    pub(crate) fn serve(&self) -> Result<Server, BenchError> {
        let settings = [("PRESSLINE__HTTP__WORKERS", "2")];
        Ok(self.start(&settings, &request::get("/readyz"))?.1)
    }

    /// Starts a server and waits until it is ready. Returns its address for operators, too.
    pub(crate) fn serve_operators(&self) -> Result<(Server, SocketAddr), BenchError> {
        let address = free_address()?;
        let settings = [
            ("PRESSLINE__HTTP__WORKERS", "2"),
            ("PRESSLINE__OPERATOR__LISTEN", &address.to_string()),
        ];
        let (_, server) = self.start(&settings, &request::get("/readyz"))?;
        Ok((server, address))
    }

    /// Makes an operator who may do everything, and a link by which it signs in.
    pub(crate) fn sign_in_link(&self, operator: &str) -> Result<String, BenchError> {
        let role = ["--role", "admin", "--name", operator];
        self.output(&[&["operator", "create"][..], &role].concat())?;
        let made = self.output(&["--json", "operator", "sign-in", operator])?;
        let made: Value = serde_json::from_slice(&made)?;
        let link = made.get("link").and_then(Value::as_str);
        Ok(link.ok_or("`operator sign-in` prints no link")?.to_owned())
    }

    /// Starts a server; returns how long it took to the first success of this request.
    pub(crate) fn time_start(&self, request: &[u8]) -> Result<(Duration, Server), BenchError> {
        self.start(&[], request)
    }

    fn start(
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
        let server = Server::adopt(child, address, &self.database, request)?;
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

    /// A command in which no setting of this shell counts.
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
            .env("PRESSLINE__LOG__LEVEL", "error")
            .envs(self.settings.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }
}

/// A running server; it ends with this value.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    /// The address of its database.
    pub(crate) database: String,
    /// The first process of each node of its Citus cluster.
    nodes: Vec<u32>,
}

impl Server {
    /// A server that was started otherwise and listens at `address`, once it responds to this request.
    pub(crate) fn adopt(
        child: Child,
        address: SocketAddr,
        database: &str,
        request: &[u8],
    ) -> Result<Self, BenchError> {
        let mut server = Self {
            child,
            address,
            database: database.to_owned(),
            nodes: Vec::new(),
        };
        server.wait_for(request)?;
        Ok(server)
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// CPU seconds of it and its children so far.
    pub(crate) fn cpu(&self) -> Result<f64, BenchError> {
        process::tree_cpu(self.pid())
    }

    /// Counts the processor time of these nodes as that of its database.
    pub(crate) fn on_nodes(mut self, nodes: Vec<u32>) -> Self {
        self.nodes = nodes;
        self
    }

    /// CPU seconds of the nodes of its database so far; 0 for one of the common cluster.
    pub(crate) fn nodes_cpu(&self) -> Result<f64, BenchError> {
        self.nodes.iter().map(|node| process::tree_cpu(*node)).sum()
    }

    fn wait_for(&mut self, request: &[u8]) -> Result<(), BenchError> {
        let begin = Instant::now();
        loop {
            let reason = match http::call(self.address, request).and_then(http::Response::ok) {
                Ok(_) => return Ok(()),
                Err(reason) => reason,
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
        // It may have ended by itself; there is nothing left to do then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An address of this machine that was free just now.
pub(crate) fn free_address() -> Result<SocketAddr, BenchError> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}
