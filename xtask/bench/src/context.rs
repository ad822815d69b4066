//! What all tasks share: options, the cluster, the orders, and how a candidate is measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::BenchError;
use crate::catalog;
use crate::database::Cluster;
use crate::figures::Round;
use crate::fill;
use crate::load::Load;
use crate::options::Options;
use crate::pgbench::Pgbench;
use crate::progress::say;
use crate::report::Report;
use crate::request::{self, Account};
use crate::rows::StoreRef;
use crate::sample::Samples;
use crate::service::{Server, Service, Store};

/// Stores of a filled database.
pub(crate) const STORES: u64 = 50;

/// What all tasks share.
pub(crate) struct Context {
    pub(crate) options: Options,
    pub(crate) cluster: Cluster,
    pub(crate) samples: Samples,
    pub(crate) pgbench: Pgbench,
    pub(crate) report: Report,
    /// For files that end with the run.
    _folder: tempfile::TempDir,
    catalog: PathBuf,
}

/// A filled database, and the stores in it whose keys are known.
#[derive(Debug, Clone)]
pub(crate) struct Filled {
    pub(crate) database: String,
    pub(crate) orders: u64,
    /// Has 30 % of the orders.
    pub(crate) hot: Store,
    /// Has a fiftieth of the rest.
    pub(crate) cold: Store,
}

impl Context {
    /// Starts what the tasks need.
    pub(crate) fn start(options: Options) -> Result<Self, BenchError> {
        let folder = tempfile::tempdir()?;
        let catalog = folder.path().join("catalog.csv");
        fs::write(&catalog, catalog::csv())?;
        let cluster = Cluster::start()?;
        say("a throw-away PostgreSQL with durable commits is up");
        let mut context = Self {
            pgbench: Pgbench::find(folder.path()),
            samples: Samples::new(catalog::products()),
            report: Report::default(),
            options,
            cluster,
            _folder: folder,
            catalog,
        };
        context.describe()?;
        Ok(context)
    }

    fn describe(&mut self) -> Result<(), BenchError> {
        let cores = std::thread::available_parallelism()?.get();
        let model = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = model
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = load.split(' ').next().unwrap_or_default().to_owned();
        let options = &self.options;
        let about = [
            (
                "machine",
                format!(
                    "{cores} cores ({})",
                    model.map_or("unknown", |(_, name)| name)
                ),
            ),
            // Far from 0, others were at work, and the figures are worth less.
            ("load before the run", load),
            ("PostgreSQL", self.cluster.version()?),
            ("pgbench", self.pgbench.name().to_owned()),
            (
                "rounds",
                format!(
                    "{} of {} s for each candidate, interleaved",
                    options.rounds(),
                    options.seconds()
                ),
            ),
            (
                "CPU",
                "seconds per 1000 operations, children included".to_owned(),
            ),
        ];
        self.report
            .about
            .extend(about.map(|(name, value)| (name.to_owned(), value)));
        Ok(())
    }

    /// The service on a database of the cluster. One store may use all of it: the tasks measure
    /// what the service can do.
    pub(crate) fn service(&self, database: &str) -> Service {
        self.limited_service(database).with_many_searches()
    }

    /// The service on a database of the cluster, with the default bounds for one store at the same
    /// time.
    pub(crate) fn limited_service(&self, database: &str) -> Service {
        Service::new(&self.options.server, &self.cluster.url(database))
    }

    /// The file with the catalog.
    pub(crate) fn catalog(&self) -> &Path {
        &self.catalog
    }

    /// Makes a database of fifty stores with so many orders.
    pub(crate) fn filled(&self, database: &str, orders: u64) -> Result<Filled, BenchError> {
        self.cluster.create(database, None)?;
        let service = self.service(database);
        service.prepare(&self.catalog)?;
        let hot = service.create_store("Hot", "HOT")?;
        let cold = service.create_store("Cold", "COLD")?;
        let mut stores: Vec<StoreRef> = vec![hot.reference(), cold.reference()];
        // The other stores send no requests: rows without keys are enough.
        for number in 2..STORES {
            let store_id = format!(
                "{}{number:04}",
                hot.account.store_id.get(..32).unwrap_or_default()
            );
            let prefix = format!("S{number}");
            self.cluster.run(
                database,
                &format!(
                    "INSERT INTO stores (store_id, name, prefix, currency, strict_catalog, require_timestamp, \
                     allow_unsigned_search, enabled, created_at, version) SELECT '{store_id}', 'Store {number}', \
                     '{prefix}', currency, strict_catalog, require_timestamp, allow_unsigned_search, enabled, \
                     created_at, version FROM stores WHERE prefix = 'HOT'; \
                     INSERT INTO store_counters (store_id, last_number) VALUES ('{store_id}', 0)"
                ),
            )?;
            stores.push(StoreRef { store_id, prefix });
        }
        fill::fill(&self.cluster, database, &self.samples, &stores, orders)?;
        Ok(Filled {
            database: database.to_owned(),
            orders,
            hot,
            cold,
        })
    }

    /// So many signed requests that create orders of a series, by these stores in turns.
    pub(crate) fn creates(
        &self,
        accounts: &[Account],
        series: &str,
        count: u64,
    ) -> Result<Vec<Vec<u8>>, BenchError> {
        let request = |(number, account): (u64, &Account)| {
            let body = serde_json::to_string(&self.samples.order(series, number))?;
            Ok(account.request(request::CREATE, &body))
        };
        (0..count)
            .zip(accounts.iter().cycle())
            .map(request)
            .collect()
    }

    /// Measures one candidate over HTTP; all its responses must have this status.
    pub(crate) fn measure(
        &self,
        server: &Server,
        load: &Load<'_>,
        status: u16,
    ) -> Result<Round, BenchError> {
        let (service, database) = (server.cpu()?, self.cluster.cpu()?);
        let result = load.run()?.all(status)?;
        let (service, database) = (server.cpu()? - service, self.cluster.cpu()? - database);
        #[expect(
            clippy::cast_precision_loss,
            reason = "a count of responses is far below 2^52"
        )]
        let responses = result.responses() as f64;
        let thousands = responses / 1000.0;
        Ok(Round {
            rate: responses / result.seconds,
            p50: Some(result.latencies.percentile(50)),
            p99: Some(result.latencies.percentile(99)),
            service_cpu: service / thousands,
            database_cpu: database / thousands,
            client_cpu: result.own_cpu / thousands,
        })
    }

    /// How long each measurement lasts.
    pub(crate) fn duration(&self) -> Duration {
        Duration::from_secs(self.options.seconds())
    }

    /// The numbers of the rounds from 0 on. Says which round begins.
    pub(crate) fn rounds(&self, task: &str) -> impl Iterator<Item = usize> + use<> {
        let (task, count) = (task.to_owned(), self.options.rounds());
        (0..count).inspect(move |round| say(&format!("{task}: round {} of {count}", round + 1)))
    }
}
