//! Databases with stores and orders that the service itself has created through its API.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::database::Cluster;
use crate::error::{BenchError, say};
use crate::load::{Load, OK};
use crate::options::Backend;
use crate::request::{Account, CREATE, Orders, in_two_threads};
use crate::sample::{ITEMS, Sample, Samples, order_id};
use crate::service::{Server, Service, Settings, UNBOUNDED};

pub(crate) const SERIES: &str = "W";
/// Number of stores with orders. The first, the hot store, has [`HOT_PERCENT`] percent of them; the
/// others share the rest equally.
const FILLED_STORES: usize = 50;
const HOT_PERCENT: u64 = 30;
/// Number of orders that are prepared at a time.
const CHUNK: u64 = 20_000;
const CONNECTIONS: usize = 64;
const LIMIT: Duration = Duration::from_secs(600);

/// Full names of customers who order repeatedly. Each word in them is common.
pub(crate) const REGULARS: [(&str, &str); 2] =
    [("Lucas", "Brown Parrish"), ("Emma", "Garcia Thorne")];
/// Orders of regular customers in each store: more than a page for each customer, at every size of
/// the database.
const OF_REGULARS: u64 = 48;
/// Word in a third of the older orders of a store.
pub(crate) const SEASONAL: &str = "winterfair";
/// Number of the newest orders of a store without [`SEASONAL`]; half of its orders if it has fewer
/// than twice as many.
const NEWEST_WITHOUT: u64 = 100_000;

pub(crate) struct World {
    pub(crate) backend: Backend,
    pub(crate) name: String,
    pub(crate) service: Service,
    /// Accounts of the stores, the hot store's first.
    pub(crate) accounts: Vec<Account>,
    pub(crate) orders: u64,
    samples: Arc<Samples>,
}

/// An empty database, and the data that [`World::make`] stores in it.
pub(crate) struct NewWorld<'a> {
    pub(crate) backend: Backend,
    pub(crate) name: &'a str,
    pub(crate) service: Service,
    /// File of the catalog.
    pub(crate) catalog: &'a Path,
    /// Number of stores.
    pub(crate) stores: usize,
    /// Number of orders of all stores.
    pub(crate) orders: u64,
    pub(crate) samples: Arc<Samples>,
}

impl World {
    /// Fills the database of `new`. `cluster` is the server of a PostgreSQL database.
    pub(crate) fn make(cluster: &Cluster, new: NewWorld<'_>) -> Result<Self, BenchError> {
        let begin = Instant::now();
        new.service.prepare(new.catalog)?;
        let world = Self {
            backend: new.backend,
            name: new.name.to_owned(),
            accounts: new.service.create_stores(new.stores)?,
            service: new.service,
            orders: new.orders,
            samples: new.samples,
        };
        world.fill(cluster)?;
        let (name, backend) = (new.name, new.backend.name());
        let seconds = begin.elapsed().as_secs_f64();
        say(&format!("{name}, {backend}: filled after {seconds:.0} s"));
        Ok(world)
    }

    fn fill(&self, cluster: &Cluster) -> Result<(), BenchError> {
        let server = self.serve(UNBOUNDED)?;
        let is_postgres = self.backend == Backend::Postgres;
        if is_postgres {
            // Filling is not measured and need not survive a crash.
            cluster.set("synchronous_commit", "off")?;
        }
        for from in (0..self.orders).step_by(usize::try_from(CHUNK)?) {
            let count = CHUNK.min(self.orders - from);
            let requests = in_two_threads(count, |numbers| {
                self.requests(from + numbers.start..from + numbers.end)
            })?;
            send_all(&server, &requests)?;
        }
        if is_postgres {
            cluster.set("synchronous_commit", "on")?;
        }
        Ok(())
    }

    fn requests(&self, indexes: Range<u64>) -> Result<Vec<Vec<u8>>, BenchError> {
        let request = |index| {
            let (store, number) = store_and_number(index, self.filled_stores());
            let body = self.sample(store, number).body();
            Ok(self.account(store)?.request(CREATE, &body))
        };
        indexes.map(request).collect()
    }

    fn filled_stores(&self) -> u64 {
        self.accounts.len().min(FILLED_STORES) as u64
    }

    pub(crate) fn account(&self, store: u64) -> Result<&Account, BenchError> {
        let account = self.accounts.get(usize::try_from(store)?);
        Ok(account.ok_or("there is no such store")?)
    }

    /// Number of orders that [`Self::fill`] creates in a store.
    pub(crate) fn orders_of(&self, store: u64) -> u64 {
        let hundreds = self.orders / 100;
        match store {
            0 => hundreds * HOT_PERCENT,
            _ => hundreds * (100 - HOT_PERCENT) / (self.filled_stores() - 1).max(1),
        }
    }

    /// Returns a filled order of a store. `number` counts from 0.
    pub(crate) fn sample(&self, store: u64, number: u64) -> Sample {
        let mut sample = self.samples.order(SERIES, (store << 32) + number, ITEMS);
        sample.order_id = order_id(SERIES, number);
        let of_store = self.orders_of(store);
        let is_old = number + NEWEST_WITHOUT.min(of_store / 2) < of_store;
        if is_old
            && number.is_multiple_of(3)
            && let Some(item) = sample.items.first_mut()
        {
            item.name = format!("{}, {SEASONAL} edition", item.name);
        }
        let stride = (of_store / OF_REGULARS).max(1);
        if number.is_multiple_of(stride) {
            let [even, odd] = REGULARS;
            let is_even = (number / stride).is_multiple_of(2);
            let (first, last) = if is_even { even } else { odd };
            (sample.first, sample.last) = (first.to_owned(), last.to_owned());
        }
        sample
    }

    pub(crate) fn hot_orders(&self) -> Orders {
        self.orders_of_stores(1)
    }

    /// New orders of the first `stores` stores.
    pub(crate) fn orders_of_stores(&self, stores: usize) -> Orders {
        Orders {
            samples: self.samples.clone(),
            accounts: self.accounts.iter().take(stores).cloned().collect(),
            items: ITEMS,
        }
    }

    pub(crate) fn serve(&self, settings: &Settings) -> Result<Rc<Server>, BenchError> {
        Ok(Rc::new(self.service.serve(settings)?))
    }

    /// Copies it to the database `name`, whose URL is `url`. No server may be connected.
    pub(crate) fn copy(
        &self,
        cluster: &Cluster,
        name: &str,
        url: String,
    ) -> Result<Self, BenchError> {
        match self.backend {
            Backend::Postgres => cluster.create(name, Some(&self.name))?,
            Backend::Sqlite => copy_file(&file_of(&self.service.database), &file_of(&url))?,
        }
        Ok(Self {
            name: name.to_owned(),
            service: self.service.at(url),
            accounts: self.accounts.clone(),
            samples: self.samples.clone(),
            ..*self
        })
    }
}

pub(crate) fn send_all(server: &Server, requests: &[Vec<u8>]) -> Result<(), BenchError> {
    let load = Load::once(server.address, CONNECTIONS, LIMIT, requests);
    let responses = load.run()?.all(OK)?.responses();
    if responses < requests.len() {
        return Err("orders were not created in time".into());
    }
    Ok(())
}

pub(crate) fn file_of(url: &str) -> PathBuf {
    Path::new(url.trim_start_matches("sqlite://")).to_owned()
}

/// Copies the database `from` and its WAL to `to`. A killed server leaves a WAL behind.
pub(crate) fn copy_file(from: &Path, to: &Path) -> Result<(), BenchError> {
    for suffix in ["", "-wal"] {
        let [from, to] = [from, to].map(|path| format!("{}{suffix}", path.display()));
        if Path::new(&from).exists() {
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

/// Maps an index of the fill to a store and the order's number there, from 0. Of every hundred
/// orders, the first [`HOT_PERCENT`] belong to the hot store; the rest is dealt out to the others.
fn store_and_number(index: u64, stores: u64) -> (u64, u64) {
    let (hundred, within) = (index / 100, index % 100);
    if within < HOT_PERCENT || stores < 2 {
        return (0, hundred * HOT_PERCENT + within);
    }
    let other = hundred * (100 - HOT_PERCENT) + within - HOT_PERCENT;
    (1 + other % (stores - 1), other / (stores - 1))
}
