//! Wiring: the only module that constructs and combines adapters.

pub(crate) mod examination;
mod file;
pub(crate) mod master_key;
mod operators;
mod services;
mod webhooks;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pressline_api::{EventWatch, Services};
use pressline_auth::{HmacSigner, Sealer, StoreAuthenticator, TokenAuthenticator};
use pressline_backoffice::import::order::OrderImport;
use pressline_backoffice::import::shipment::ShipmentImport;
use pressline_backoffice::note::NoteService;
use pressline_backoffice::operator::OperatorImports;
use pressline_backoffice::queue::QueueService;
use pressline_backoffice::sandbox::SandboxService;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::webhook::EndpointService;
use pressline_cli::CommandError;
use pressline_domain::catalog::{CatalogAdmin, ProductService};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{OrderRepository, OrderService};
use pressline_domain::runtime::{Clock, IdSource, MonotonicIds};
use pressline_store_postgres::{
    CitusUse, ColdStore, MigrationStatus, NodeTables, PostgresConfig, PostgresStore, WriteLimits,
};
use pressline_store_sqlite::{OpenError, SqliteConfig, SqliteStore};
use pressline_webhooks::Wake;

use crate::clock::{ClockMonitor, Reference, ServerClock};
use crate::config::{Backend, Cluster, Settings};
use crate::database::Database;
use crate::first_prices;

use self::file::{deficiencies_of_file, require_file};

pub(crate) use file::{create_file, require_existing};
pub(crate) use operators::file_source;

pub(crate) struct Adapters {
    database: Arc<dyn Database>,
    cold: Arc<ColdStore>,
    /// `None` for SQLite.
    postgres: Option<Arc<PostgresStore>>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Keeps `clock` right.
    pub(crate) monitor: Arc<ClockMonitor>,
    /// Deficiencies of the database that do not forbid its use.
    pub(crate) deficiencies: Vec<String>,
    ids: Arc<dyn IdSource>,
    settings: Settings,
}

impl Adapters {
    /// Migrates an SQLite file, which must exist. PostgreSQL's tables may be out of date.
    pub(crate) fn open(settings: Settings) -> Result<Self, CommandError> {
        // Before the file is open, and before anything is stored in it.
        let deficiencies = deficiencies_of_file(&settings)?;
        // SQLite opens and migrates the file on the calling thread: nothing else waits for it yet.
        let (database, postgres) = connect(&settings)?;
        let cold = Arc::new(database.cold());
        let reference = match postgres {
            Some(_) => Reference::Database(cold.clone()),
            None => Reference::Machine,
        };
        let clock = Arc::new(ServerClock::new());
        Ok(Self {
            cold,
            database,
            postgres,
            monitor: Arc::new(ClockMonitor::new(clock.clone(), reference)),
            clock,
            deficiencies,
            ids: Arc::new(MonotonicIds::new()),
            settings,
        })
    }

    pub(crate) fn catalog_admin(&self) -> Arc<dyn CatalogAdmin> {
        self.cold.clone()
    }

    /// Migrates PostgreSQL if `database.migrate` is true; else, a pending migration is an error.
    pub(crate) async fn open_migrated(settings: Settings) -> Result<Self, CommandError> {
        let adapters = Self::open(settings)?;
        adapters.ready_tables().await?;
        adapters.measure_clock().await?;
        Ok(adapters)
    }

    async fn ready_tables(&self) -> Result<(), CommandError> {
        match &self.postgres {
            // Opening the file has migrated it.
            None => Ok(()),
            Some(store) => match require_migrated(store).await {
                // Only then, because migrating needs more privileges than serving.
                Err(_) if self.settings.database.migrate => self.migrate().await.map(drop),
                ready => ready,
            },
        }
    }

    async fn measure_clock(&self) -> Result<(), CommandError> {
        let measured = self.monitor.measure().await;
        measured.map_err(unreadable)
    }

    pub(crate) async fn migrate(&self) -> Result<Vec<String>, CommandError> {
        let applied = self.database.migrate().await;
        applied.map_err(|error| CommandError::database("the database cannot be migrated", error))
    }

    pub(crate) async fn distribute(&self) -> Result<NodeTables, CommandError> {
        let Some(store) = &self.postgres else {
            return Err(CommandError::Usage(
                "`--distribute` needs PostgreSQL with the extension citus; the database is SQLite"
                    .to_owned(),
            ));
        };
        let on_nodes = store.distribute().await;
        on_nodes.map_err(|error| CommandError::database("the tables cannot be distributed", error))
    }

    pub(crate) fn store_admin_with(&self, sealer: Arc<Sealer>) -> StoreAdmin {
        StoreAdmin::new(
            self.cold.clone(),
            sealer,
            self.clock.clone(),
            self.ids.clone(),
        )
        .audited(self.audit())
    }

    pub(crate) fn operator_authenticator(
        &self,
    ) -> (
        TokenAuthenticator,
        impl Future<Output = ()> + Send + 'static,
    ) {
        TokenAuthenticator::new(self.cold.clone(), self.clock.clone())
    }

    pub(crate) fn order_repository(&self) -> Arc<dyn OrderRepository> {
        self.database.clone()
    }

    pub(crate) fn queue_service(&self) -> QueueService {
        QueueService::new(self.database.clone(), self.database.clone())
    }

    /// Creates an order service. New orders get ids with the time of `clock`, maybe in the past.
    pub(crate) fn order_service_at(&self, clock: Arc<dyn Clock>) -> OrderService {
        // Ids of its own: the shared source never returns ids of an earlier time.
        let ids = Arc::new(MonotonicIds::new());
        OrderService::new(self.database.clone(), self.database.clone(), clock, ids)
    }

    pub(crate) fn note_service(&self, orders: OrderService) -> NoteService {
        NoteService {
            orders: orders.read,
            notes: self.cold.clone(),
            operators: self.operators(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        }
    }

    pub(crate) fn shipment_import(&self, orders: OrderService) -> ShipmentImport {
        ShipmentImport::new(
            orders,
            self.cold.clone(),
            self.clock.clone(),
            self.ids.clone(),
        )
    }

    pub(crate) fn product_service(&self) -> ProductService {
        ProductService::new(self.database.clone(), self.clock.clone())
    }

    pub(crate) fn operator_imports(
        &self,
        orders: OrderService,
        stores: StoreAdmin,
    ) -> Result<OperatorImports, CommandError> {
        Ok(OperatorImports {
            stores,
            shipments: self.shipment_import(orders.clone()),
            orders: OrderImport::new(orders),
            catalog: self.imports()?,
        })
    }

    /// Creates services that wake the webhook worker through `wake` when events are stored.
    pub(crate) fn services(
        &self,
        webhooks: EndpointService,
        wake: Wake,
    ) -> Result<Services, CommandError> {
        let watch = EventWatch::new(self.database.clone(), self.settings.events.waiting_polls);
        let orders = self
            .orders()
            .cooling_off(self.settings.cooling_off()?)
            .observed_by(Arc::new(watch.clone()))
            .observed_by(Arc::new(wake));
        Ok(Services {
            sandbox: SandboxService::new(orders.clone(), self.cold.clone()),
            orders,
            products: self.product_service(),
            events: self.events(),
            watch,
            webhooks,
            repository: self.database.clone(),
        })
    }

    pub(crate) fn authenticator(
        &self,
        sealer: Arc<Sealer>,
    ) -> (
        StoreAuthenticator,
        impl Future<Output = ()> + Send + 'static,
    ) {
        StoreAuthenticator::new(
            self.cold.clone(),
            sealer,
            Arc::new(HmacSigner),
            self.clock.clone(),
        )
    }
}

async fn require_migrated(store: &PostgresStore) -> Result<(), CommandError> {
    let pending = store.pending().await.map_err(unreadable)?;
    if pending.is_empty() {
        return Ok(());
    }
    Err(CommandError::Usage(format!(
        "the database lacks {} migrations ({}); run `pressline migrate`, or set database.migrate = true",
        pending.len(),
        pending.join(", ")
    )))
}

/// Lists the migrations that this program contains or the database has recorded. Changes nothing.
pub(crate) async fn migration_statuses(
    settings: &Settings,
) -> Result<Vec<MigrationStatus>, CommandError> {
    match settings.backend()? {
        Backend::Sqlite(path) => {
            // Not opened by `connect`, which would migrate the file.
            SqliteStore::migration_statuses(&path).map_err(|error| unusable_file(&path, error))
        }
        Backend::Postgres(url) => {
            let statuses = connect_postgres(settings, &url)?.migration_statuses().await;
            statuses.map_err(unreadable)
        }
    }
}

fn unreadable(error: RepositoryError) -> CommandError {
    CommandError::database("the database cannot be read", error)
}

fn unusable_file(path: &Path, error: OpenError) -> CommandError {
    CommandError::database(format!("the database {}", path.display()), error)
}

type Connected = (Arc<dyn Database>, Option<Arc<PostgresStore>>);

fn connect(settings: &Settings) -> Result<Connected, CommandError> {
    let database = &settings.database;
    let connections = usize::try_from(database.pool_size).unwrap_or(1);
    match settings.backend()? {
        Backend::Sqlite(path) => {
            require_file(&path)?;
            let config = SqliteConfig {
                readers: connections,
                searches: searches(connections),
                read_timeout: Duration::from_millis(database.statement_timeout_ms),
                pool_wait: Duration::from_millis(database.pool_wait_ms),
                writes: write_limits(settings),
                tariff: first_prices::tariff()?,
                ..SqliteConfig::default()
            };
            let store =
                SqliteStore::open(&path, &config).map_err(|error| unusable_file(&path, error))?;
            Ok((Arc::new(store), None))
        }
        Backend::Postgres(url) => {
            let store = Arc::new(connect_postgres(settings, &url)?);
            Ok((store.clone(), Some(store)))
        }
    }
}

fn connect_postgres(settings: &Settings, url: &str) -> Result<PostgresStore, CommandError> {
    let database = &settings.database;
    let connections = usize::try_from(database.pool_size).unwrap_or(1);
    let config = PostgresConfig {
        max_connections: connections,
        writers: database.writers,
        searches: searches(connections),
        pool_wait: Duration::from_millis(database.pool_wait_ms),
        writes: write_limits(settings),
        statement_timeout: Duration::from_millis(database.statement_timeout_ms),
        citus: match database.distribution {
            Cluster::Auto => CitusUse::Auto,
            Cluster::None => CitusUse::Never,
            Cluster::Citus => CitusUse::Always,
        },
        tariff: first_prices::tariff()?,
        ..PostgresConfig::default()
    };
    PostgresStore::connect(url, &config)
        .map_err(|error| CommandError::database("the PostgreSQL database", error))
}

fn write_limits(settings: &Settings) -> WriteLimits {
    WriteLimits {
        backlog: Duration::from_millis(settings.database.backlog_ms),
        ..WriteLimits::default()
    }
}

/// Leaves half of the `connections` for short calls, such as authentication and pricing.
fn searches(connections: usize) -> usize {
    (connections / 2).max(1)
}
