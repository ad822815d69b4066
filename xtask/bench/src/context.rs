//! What all tasks share: options, the cluster, the orders, and how a candidate is measured.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::BenchError;
use crate::catalog;
use crate::database::Cluster;
use crate::figures::Round;
use crate::fill;
use crate::load::Load;
use crate::meter::Meter;
use crate::options::Options;
use crate::pgbench::Pgbench;
use crate::progress::say;
use crate::repeat::Repeats;
use crate::report::Report;
use crate::request::{Account, Orders};
use crate::rows::StoreRef;
use crate::sample::Samples;
use crate::service::{Server, Service, Store};

/// Stores of a filled database.
pub(crate) const STORES: u64 = 50;

/// Orders of the largest database that is filled once and copied.
const MOST_COPIED: u64 = 100_000;

/// What all tasks share.
pub(crate) struct Context {
    pub(crate) options: Options,
    pub(crate) cluster: Cluster,
    pub(crate) samples: Arc<Samples>,
    pub(crate) pgbench: Pgbench,
    pub(crate) report: Report,
    pub(crate) repeats: Repeats,
    /// For files that end with the run.
    folder: tempfile::TempDir,
    catalog: PathBuf,
    /// Filled databases by their orders, of which each task gets a copy.
    filled: RefCell<BTreeMap<u64, Filled>>,
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
        let products = catalog::products(catalog::VARIANTS);
        fs::write(&catalog, catalog::csv(&products))?;
        // The figures of the smallest scale mean nothing.
        let durable = !options.tiny;
        let cluster = Cluster::start(durable)?;
        say(&format!(
            "a throw-away PostgreSQL is up, with durable commits: {durable}"
        ));
        let mut context = Self {
            pgbench: Pgbench::find(folder.path()),
            samples: Arc::new(Samples::new(products)),
            report: Report::default(),
            repeats: Repeats::default(),
            options,
            cluster,
            folder,
            catalog,
            filled: RefCell::default(),
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
                    "{} of {} s for each candidate, in turns, each after a checkpoint; steady state: {} s",
                    options.rounds(),
                    options.scale().window.as_secs_f64(),
                    options.scale().steady.as_secs_f64()
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
        self.limited_service(database).without_bounds()
    }

    /// The service on a database of the cluster, with the default bounds for one store at the same
    /// time.
    pub(crate) fn limited_service(&self, database: &str) -> Service {
        self.service_at(&self.cluster.url(database))
    }

    /// The service on any database, with the default bounds for one store at the same time.
    pub(crate) fn service_at(&self, url: &str) -> Service {
        let service = Service::new(&self.options.server, url);
        // A test runs a debug server on a machine that is busy with other tests.
        if self.options.tiny {
            service.patient()
        } else {
            service
        }
    }

    /// The file with the catalog.
    pub(crate) fn catalog(&self) -> &Path {
        &self.catalog
    }

    /// Makes a database of fifty stores with so many orders. A large one is shared by all who ask
    /// for as many orders.
    pub(crate) fn filled(&self, database: &str, orders: u64) -> Result<Filled, BenchError> {
        let known = self.filled.borrow().get(&orders).cloned();
        let template = match known {
            Some(template) => template,
            None => {
                let template =
                    self.filled_of(&format!("filled_{orders}"), orders, &self.samples)?;
                self.filled.borrow_mut().insert(orders, template.clone());
                template
            }
        };
        // A copy of a large one would take as long as filling it.
        if orders > MOST_COPIED {
            return Ok(template);
        }
        self.cluster.create(database, Some(&template.database))?;
        Ok(Filled {
            database: database.to_owned(),
            ..template
        })
    }

    /// Makes a database of fifty stores with so many orders of these samples, and their catalog.
    pub(crate) fn filled_of(
        &self,
        database: &str,
        orders: u64,
        samples: &Samples,
    ) -> Result<Filled, BenchError> {
        self.cluster.create(database, None)?;
        let service = self.service(database);
        let catalog = self.folder.path().join(format!("{database}.csv"));
        fs::write(&catalog, catalog::csv(samples.products()))?;
        service.prepare(&catalog)?;
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
                    "INSERT INTO stores (store_id, name, prefix, currency, test, strict_catalog, require_timestamp, \
                     allow_unsigned_search, enabled, created_at, version) SELECT '{store_id}', 'Store {number}', \
                     '{prefix}', currency, test, strict_catalog, require_timestamp, allow_unsigned_search, enabled, \
                     created_at, version FROM stores WHERE prefix = 'HOT'; \
                     INSERT INTO store_counters (store_id, last_number) VALUES ('{store_id}', 0); \
                     INSERT INTO event_counters (store_id, last_sequence) VALUES ('{store_id}', 0)"
                ),
            )?;
            stores.push(StoreRef { store_id, prefix });
        }
        fill::fill(&self.cluster, database, samples, &stores, orders)?;
        Ok(Filled {
            database: database.to_owned(),
            orders,
            hot,
            cold,
        })
    }

    /// So many signed requests that create orders of a series for one store.
    pub(crate) fn creates(
        &self,
        account: &Account,
        series: &str,
        count: u64,
    ) -> Result<Vec<Vec<u8>>, BenchError> {
        let orders = Orders::of_store(&self.samples, account);
        orders.requests(series, count)
    }

    /// Measures one candidate over HTTP; all its responses must have this status.
    pub(crate) fn measure(
        &self,
        server: &Server,
        load: &Load<'_>,
        status: u16,
    ) -> Result<Round, BenchError> {
        let before = Meter::read(&self.cluster, Some(server))?;
        let result = load.run()?.all(status)?;
        #[expect(
            clippy::cast_precision_loss,
            reason = "a count of responses is far below 2^52"
        )]
        let responses = result.responses() as f64;
        let latencies = result.of(status);
        Ok(Round {
            rate: responses / result.seconds,
            p50: Some(latencies.percentile(50)),
            p99: Some(latencies.percentile(99)),
            client_cpu: result.own_cpu / responses * 1000.0,
            client_busy: result.busy(),
            ..Meter::read(&self.cluster, Some(server))?.since(&before, responses)
        })
    }

    /// How long each measurement lasts.
    pub(crate) fn duration(&self) -> Duration {
        self.options.scale().window
    }

    /// The numbers of the rounds from 0 on. Says which round begins.
    pub(crate) fn rounds(&self, task: &str) -> impl Iterator<Item = usize> + use<> {
        let (task, count) = (task.to_owned(), self.options.rounds());
        (0..count).inspect(move |round| say(&format!("{task}: round {} of {count}", round + 1)))
    }
}

/// How many operations there are in this time at so many a second, at least one.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of operations are far below 2^52"
)]
pub(crate) fn in_time(rate: u64, duration: Duration) -> u64 {
    (rate as f64 * duration.as_secs_f64()).ceil().max(1.0) as u64
}
