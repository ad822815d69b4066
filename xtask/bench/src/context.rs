//! State shared by all tasks: options, the cluster, filled databases, and measuring a load.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crate::catalog;
use crate::database::Cluster;
use crate::error::{BenchError, say};
use crate::figures::Round;
use crate::load::Load;
use crate::meter::Meter;
use crate::options::{Backend, Options};
use crate::pgbench::Pgbench;
use crate::repeat::Repeats;
use crate::report::Report;
use crate::sample::Samples;
use crate::service::{Server, Service};
use crate::world::{NewWorld, World};

pub(crate) struct Context {
    pub(crate) options: Options,
    pub(crate) cluster: Cluster,
    /// Orders of the catalog's first [`VARIANTS`](catalog::VARIANTS) products.
    pub(crate) samples: Arc<Samples>,
    /// Orders of the whole catalog.
    pub(crate) varied: Arc<Samples>,
    pub(crate) pgbench: Option<Pgbench>,
    pub(crate) report: Report,
    pub(crate) repeats: Repeats,
    /// Next to the report, because the system's temporary folder may be in memory.
    folder: tempfile::TempDir,
    catalog: PathBuf,
    filled: RefCell<BTreeMap<(Backend, u64), Rc<World>>>,
    copies: Cell<usize>,
}

impl Context {
    pub(crate) fn start(options: Options) -> Result<Self, BenchError> {
        let folder = tempfile::tempdir_in(&options.output)?;
        let catalog = folder.path().join("catalog.csv");
        let products = catalog::products(options.scale().skus);
        fs::write(&catalog, catalog::csv(&products))?;
        let first = catalog::products(catalog::VARIANTS);
        // Not durable at the smallest scale, whose figures have no meaning.
        let cluster = Cluster::start(!options.tiny)?;
        let mut context = Self {
            pgbench: Pgbench::find(folder.path()),
            samples: Arc::new(Samples::new(first)),
            varied: Arc::new(Samples::new(products)),
            report: Report::new()?,
            repeats: Repeats::default(),
            options,
            cluster,
            folder,
            catalog,
            filled: RefCell::default(),
            copies: Cell::default(),
        };
        context.describe()?;
        Ok(context)
    }

    fn describe(&mut self) -> Result<(), BenchError> {
        let cores = std::thread::available_parallelism()?.get();
        let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpu
            .lines()
            .find(|line| line.starts_with("model name"))
            .and_then(|line| Some(line.split_once(": ")?.1));
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let version = "SELECT current_setting('server_version') AS value";
        let (rounds, window) = (self.options.rounds(), self.window().as_secs_f64());
        let mut commit = Command::new("git");
        commit.args(["describe", "--always", "--dirty"]);
        let commit = commit
            .output()
            .map(|output| output.stdout)
            .unwrap_or_default();
        self.report.about.extend([
            ("commit", String::from_utf8(commit)?.trim().to_owned()),
            (
                "machine",
                format!("{cores} cores, {}", model.unwrap_or("unknown")),
            ),
            // If the load is far above 0, other programs were running and the figures are less
            // reliable.
            ("load before the run", load.split(' ').take(1).collect()),
            ("PostgreSQL", self.cluster.text("postgres", version)?),
            ("rounds", format!("{rounds} of {window} s")),
        ]);
        Ok(())
    }

    pub(crate) fn service(&self, url: String) -> Service {
        self.service_of(&self.options.server, url)
    }

    pub(crate) fn service_of(&self, binary: &Path, url: String) -> Service {
        Service::new(binary, url, self.options.tiny)
    }

    /// Fills the empty database of `service` with `orders` orders.
    pub(crate) fn fill(
        &self,
        (backend, name): (Backend, &str),
        service: Service,
        orders: u64,
    ) -> Result<World, BenchError> {
        let new = NewWorld {
            backend,
            name,
            service,
            catalog: &self.catalog,
            stores: self.options.scale().stores,
            orders,
            samples: self.samples.clone(),
        };
        World::make(&self.cluster, new)
    }

    pub(crate) fn catalog(&self) -> &Path {
        &self.catalog
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn url(&self, backend: Backend, name: &str) -> String {
        match backend {
            Backend::Postgres => self.cluster.url(name),
            Backend::Sqlite => {
                let file = self.folder().join(format!("{name}.db"));
                format!("sqlite://{}", file.display())
            }
        }
    }

    /// Creates the database `name` and returns its URL. The server creates a file of SQLite.
    pub(crate) fn empty(&self, backend: Backend, name: &str) -> Result<String, BenchError> {
        if backend == Backend::Postgres {
            self.cluster.create(name, None)?;
        }
        Ok(self.url(backend, name))
    }

    /// Stops PostgreSQL if `backend` is SQLite, so that it uses no CPU during the measurements.
    pub(crate) fn enter(&self, backend: Backend) -> Result<(), BenchError> {
        if backend == Backend::Sqlite && self.cluster.runs() {
            self.cluster.stop()?;
        }
        Ok(())
    }

    /// Returns a database with `orders` orders, shared by tasks and filled on first use.
    pub(crate) fn filled(&self, backend: Backend, orders: u64) -> Result<Rc<World>, BenchError> {
        if let Some(known) = self.filled.borrow().get(&(backend, orders)) {
            return Ok(Rc::clone(known));
        }
        let name = format!("filled_{orders}");
        let service = self.service(self.empty(backend, &name)?);
        let world = Rc::new(self.fill((backend, &name), service, orders)?);
        if backend == Backend::Postgres {
            self.cluster.run(&name, "VACUUM ANALYZE")?;
            self.cluster.settle()?;
        }
        let mut filled = self.filled.borrow_mut();
        filled.insert((backend, orders), Rc::clone(&world));
        Ok(world)
    }

    /// Returns a copy of a filled database of the default size, `Scale::stored`.
    pub(crate) fn world(&self, backend: Backend) -> Result<World, BenchError> {
        let template = self.filled(backend, self.options.scale().stored)?;
        self.copies.set(self.copies.get() + 1);
        let name = format!("copy_{}", self.copies.get());
        template.copy(&self.cluster, &name, self.url(backend, &name))
    }

    /// Measures `load`. Returns an error if a response has another status than `status`.
    pub(crate) fn measure(
        &self,
        server: &Server,
        load: &Load<'_>,
        status: u16,
    ) -> Result<Round, BenchError> {
        let meter = Meter::read(&self.cluster, Some(server))?;
        let result = load.run()?.all(status)?;
        meter.round(&self.cluster, server, &result, status)
    }

    pub(crate) fn window(&self) -> Duration {
        self.options.scale().window
    }

    pub(crate) fn rounds(&self, title: &str) -> impl Iterator<Item = usize> + use<> {
        let (title, count) = (title.to_owned(), self.options.rounds());
        (0..count).inspect(move |round| say(&format!("{title}: round {} of {count}", round + 1)))
    }
}
