//! State shared by all tasks: options, the cluster, filled databases, and measuring a load.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crate::BenchError;
use crate::catalog;
use crate::database::Cluster;
use crate::figures::{Figure, Round};
use crate::load::{Load, LoadResult};
use crate::options::{Backend, Options};
use crate::pgbench::Pgbench;
use crate::repeat::Repeats;
use crate::report::Report;
use crate::sample::Samples;
use crate::say;
use crate::service::{Server, Service};
use crate::world::World;

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
        let model = cpu.lines().find(|line| line.starts_with("model name"));
        let model = model.and_then(|line| Some(line.split_once(": ")?.1));
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

    pub(crate) fn catalog(&self) -> &Path {
        &self.catalog
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn sqlite(&self, name: &str) -> String {
        let file = self.folder().join(format!("{name}.db"));
        format!("sqlite://{}", file.display())
    }

    pub(crate) fn empty(&self, backend: Backend, name: &str) -> Result<String, BenchError> {
        if backend == Backend::Sqlite {
            return Ok(self.sqlite(name));
        }
        self.cluster.create(name, None)?;
        Ok(self.cluster.url(name))
    }

    /// Stops PostgreSQL before SQLite is measured, so that it uses no CPU.
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
        let world = Rc::new(World::make(self, backend, &name, service, orders)?);
        if backend == Backend::Postgres {
            self.cluster.run(&name, "VACUUM ANALYZE")?;
            self.cluster.settle()?;
        }
        let mut filled = self.filled.borrow_mut();
        filled.insert((backend, orders), Rc::clone(&world));
        Ok(world)
    }

    /// Returns a copy of a filled database of the default size.
    pub(crate) fn world(&self, backend: Backend) -> Result<World, BenchError> {
        let template = self.filled(backend, self.options.scale().stored)?;
        self.copies.set(self.copies.get() + 1);
        template.copy(self, &format!("copy_{}", self.copies.get()))
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

/// CPU seconds of service and database at a point in time.
pub(crate) struct Meter {
    pub(crate) service: f64,
    pub(crate) database: f64,
}

impl Meter {
    pub(crate) fn read(cluster: &Cluster, server: Option<&Server>) -> Result<Self, BenchError> {
        Ok(Self {
            service: server.map_or(Ok(0.0), Server::cpu)?,
            database: cluster.cpu()? + server.map_or(Ok(0.0), Server::nodes_cpu)?,
        })
    }

    /// CPU seconds between `self` and `now` per 1000 operations.
    pub(crate) fn since(&self, now: &Self, operations: f64) -> [(Figure, f64); 3] {
        let each = |seconds: f64| seconds / operations.max(1.0) * 1000.0;
        let service = each(now.service - self.service);
        let database = each(now.database - self.database);
        [
            (Figure::ServiceCpu, service),
            (Figure::DatabaseCpu, database),
            (Figure::Cpu, service + database),
        ]
    }

    /// Figures of a load that began at this reading. Rate and latencies count only responses with
    /// `status`.
    pub(crate) fn round(
        &self,
        cluster: &Cluster,
        server: &Server,
        result: &LoadResult,
        status: u16,
    ) -> Result<Round, BenchError> {
        let responses = result.responses() as f64;
        let latencies = result.of(status);
        let round = Round::default().with([
            (Figure::Operations, responses),
            (Figure::Rate, result.rate_of(status)),
            (Figure::P50, latencies.percentile(50)),
            (Figure::P99, latencies.percentile(99)),
            (Figure::ClientBusy, result.busy()),
        ]);
        let now = Self::read(cluster, Some(server))?;
        Ok(round.with(self.since(&now, responses)))
    }
}

/// Number of operations within `duration` at `rate` per second, at least 1.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of operations are far below 2^52"
)]
pub(crate) fn in_time(rate: f64, duration: Duration) -> u64 {
    (rate * duration.as_secs_f64()).ceil().max(1.0) as u64
}
