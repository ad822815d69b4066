//! Wiring: the only module that constructs and combines adapters.

mod access;
mod file;
mod files;
mod production;
mod webhooks;

use std::sync::Arc;
use std::time::Duration;

use pressline_api::{EventWatch, JsonEvents, Services, WebhookServices};
use pressline_auth::{HmacSigner, Sealer, StoreAuthenticator, TokenAuthenticator};
use pressline_domain::audit::AuditLog;
use pressline_domain::catalog::import::ImportService;
use pressline_domain::catalog::{Catalog, CatalogAdmin, ProductService};
use pressline_domain::event::{EventFeed, EventService};
use pressline_domain::figures::PlacedOrders;
use pressline_domain::id::MonotonicIds;
use pressline_domain::operator::{
    AccountRepository, FormResults, ImportServices, OperatorDirectory, OperatorImports,
    SessionRepository, UploadRepository,
};
use pressline_domain::order::queue::{OrderQueue, QueueService};
use pressline_domain::order::sandbox::SandboxService;
use pressline_domain::order::{
    NoteRepository, NoteService, OrderImport, OrderRepository, OrderService, ShipmentImport,
};
use pressline_domain::overview::Overview;
use pressline_domain::production::{BatchRepository, ProgressRepository};
use pressline_domain::runtime::{Clock, IdSource, SystemClock};
use pressline_domain::store::{StoreAdmin, StoreDirectory};
use pressline_domain::task::TaskRepository;
use pressline_domain::webhook::{DeliveryLog, EndpointDirectory, LaneClock, LaneRepository};
use pressline_store_postgres::{
    ColdStore, DistributedTables, PostgresConfig, PostgresStore, TableDistribution,
};
use pressline_store_sqlite::{SqliteConfig, SqliteStore};
use pressline_webhooks::Wake;

use crate::config::{Backend, Database, Distribution, Settings};
use crate::error::CommandError;
use crate::first_prices;
use file::require_file;

pub(crate) use file::{create_file, require_existing};
pub(crate) use files::file_source;

/// The database behind the ports, for its migrations.
enum DatabaseStore {
    Sqlite(Arc<SqliteStore>),
    Postgres(Arc<PostgresStore>),
}

/// The adapters of the chosen database, and the two ports of the runtime.
pub(crate) struct Adapters {
    pub(crate) orders: Arc<dyn OrderRepository>,
    queue: Arc<dyn OrderQueue>,
    feed: Arc<dyn EventFeed>,
    pub(crate) stores: Arc<dyn StoreDirectory>,
    pub(crate) catalog: Arc<dyn Catalog>,
    pub(crate) catalog_admin: Arc<dyn CatalogAdmin>,
    operators: Arc<dyn OperatorDirectory>,
    sessions: Arc<dyn SessionRepository>,
    accounts: Arc<dyn AccountRepository>,
    audit: Arc<dyn AuditLog>,
    forms: Arc<dyn FormResults>,
    uploads: Arc<dyn UploadRepository>,
    tasks: Arc<dyn TaskRepository>,
    notes: Arc<dyn NoteRepository>,
    progress: Arc<dyn ProgressRepository>,
    batches: Arc<dyn BatchRepository>,
    overview: Arc<dyn Overview>,
    figures: Arc<dyn PlacedOrders>,
    endpoints: Arc<dyn EndpointDirectory>,
    lanes: Arc<dyn LaneRepository>,
    deliveries: Arc<dyn DeliveryLog>,
    lane_clock: Arc<dyn LaneClock>,
    pub(crate) clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    database: DatabaseStore,
}

impl Adapters {
    /// Opens the database that the settings name. Its tables may be out of date.
    ///
    /// # Errors
    /// The database cannot be reached; an SQLite file is not created.
    pub(crate) fn open(settings: &Settings) -> Result<Self, CommandError> {
        let (backend, database) = (settings.backend()?, &settings.database);
        // SQLite's file is opened, and migrated, on the calling thread: nothing else waits for it
        // yet.
        Ok(match connect(&backend, database)? {
            DatabaseStore::Sqlite(store) => {
                let cold = Arc::new(store.cold());
                Self::of(store.clone(), cold, DatabaseStore::Sqlite(store))
            }
            DatabaseStore::Postgres(store) => {
                let cold = Arc::new(store.cold());
                Self::of(store.clone(), cold, DatabaseStore::Postgres(store))
            }
        })
    }

    fn of<S>(store: Arc<S>, cold: Arc<ColdStore>, database: DatabaseStore) -> Self
    where
        S: OrderRepository
            + OrderQueue
            + EventFeed
            + Overview
            + PlacedOrders
            + Catalog
            + CatalogAdmin
            + 'static,
    {
        Self {
            orders: store.clone(),
            queue: store.clone(),
            feed: store.clone(),
            stores: cold.clone(),
            catalog: store.clone(),
            catalog_admin: store.clone(),
            operators: cold.clone(),
            sessions: cold.clone(),
            accounts: cold.clone(),
            audit: cold.clone(),
            forms: cold.clone(),
            uploads: cold.clone(),
            tasks: cold.clone(),
            notes: cold.clone(),
            progress: cold.clone(),
            batches: cold.clone(),
            overview: store.clone(),
            figures: store.clone(),
            endpoints: cold.clone(),
            lanes: cold.clone(),
            deliveries: cold.clone(),
            lane_clock: cold.clone(),
            clock: Arc::new(SystemClock),
            ids: Arc::new(MonotonicIds::new()),
            database,
        }
    }

    /// Opens the database and requires current tables: SQLite is migrated, PostgreSQL only where
    /// configured to.
    pub(crate) async fn open_migrated(settings: &Settings) -> Result<Self, CommandError> {
        let adapters = Self::open(settings)?;
        match &adapters.database {
            // Opening the file has migrated it.
            DatabaseStore::Sqlite(_) => {}
            DatabaseStore::Postgres(_) if settings.database.migrate => {
                drop(adapters.migrate().await?)
            }
            DatabaseStore::Postgres(store) => require_migrated(store).await?,
        }
        Ok(adapters)
    }

    /// Applies the pending migrations, and returns their names.
    pub(crate) async fn migrate(&self) -> Result<Vec<String>, CommandError> {
        let applied = match &self.database {
            DatabaseStore::Sqlite(store) => store.migrate().await,
            DatabaseStore::Postgres(store) => store.migrate().await,
        };
        applied.map_err(|error| CommandError::database("the database cannot be migrated", error))
    }

    /// Distributes the tables over the nodes of a Citus cluster.
    pub(crate) async fn distribute(&self) -> Result<DistributedTables, CommandError> {
        let DatabaseStore::Postgres(store) = &self.database else {
            return Err(CommandError::Usage(
                "`--distribute` needs PostgreSQL with the extension citus; the database is SQLite"
                    .to_owned(),
            ));
        };
        let distributed = store.distribute().await;
        distributed
            .map_err(|error| CommandError::database("the tables cannot be distributed", error))
    }

    /// The administration of stores.
    pub(crate) fn store_admin(&self, sealer: Arc<Sealer>) -> StoreAdmin {
        StoreAdmin::new(
            self.stores.clone(),
            sealer,
            self.clock.clone(),
            self.ids.clone(),
        )
        .audited(self.audit())
    }

    /// Returns what authenticates the operator of a call, and what writes when tokens are used.
    pub(crate) fn operator_authenticator(
        &self,
    ) -> (
        TokenAuthenticator,
        impl Future<Output = ()> + Send + 'static,
    ) {
        TokenAuthenticator::new(self.operators.clone(), self.clock.clone())
    }

    /// The use cases of operators that look at several stores.
    pub(crate) fn queue_service(&self) -> QueueService {
        QueueService::new(self.queue.clone(), self.orders.clone())
    }

    /// The use cases of orders.
    pub(crate) fn order_service(&self) -> OrderService {
        OrderService::new(
            self.orders.clone(),
            self.catalog.clone(),
            self.clock.clone(),
            self.ids.clone(),
        )
    }

    /// The use cases of orders by another clock. Their ids are of its time too.
    pub(crate) fn order_service_at(&self, clock: Arc<dyn Clock>) -> OrderService {
        let ids = Arc::new(MonotonicIds::new());
        OrderService::new(self.orders.clone(), self.catalog.clone(), clock, ids)
    }

    /// The use cases of events.
    pub(crate) fn event_service(&self) -> EventService {
        EventService::new(
            self.feed.clone(),
            self.orders.clone(),
            self.stores.clone(),
            Arc::new(JsonEvents),
        )
    }

    /// The use cases of notes about orders.
    pub(crate) fn note_service(&self, orders: OrderService) -> NoteService {
        NoteService::new(orders, self.notes.clone(), self.operator_admin())
    }

    /// Finds products.
    pub(crate) fn product_service(&self) -> ProductService {
        ProductService::new(self.catalog.clone(), self.clock.clone())
    }

    /// Imports and exports.
    pub(crate) fn imports(&self) -> Result<ImportService, CommandError> {
        let imports = ImportService::new(
            self.catalog.clone(),
            self.catalog_admin.clone(),
            self.stores.clone(),
            first_prices::tariff()?,
        );
        Ok(imports.audited(self.audit()))
    }

    /// Imports files on behalf of operators.
    pub(crate) fn operator_imports(
        &self,
        orders: OrderService,
        stores: StoreAdmin,
    ) -> Result<OperatorImports, CommandError> {
        Ok(OperatorImports::new(ImportServices {
            stores,
            shipments: ShipmentImport::new(orders.clone(), self.stores.clone()),
            orders: OrderImport::new(orders),
            catalog: self.imports()?,
        }))
    }

    /// Returns the use cases that the API calls. Stored events wake the worker of webhooks.
    ///
    /// # Errors
    /// The window of stores that have set none cannot be read.
    pub(crate) fn services(
        &self,
        settings: &Settings,
        webhooks: WebhookServices,
        wake: Wake,
    ) -> Result<Services, CommandError> {
        let watch = EventWatch::new(self.feed.clone(), settings.events.waiting_polls);
        let orders = self
            .order_service()
            .cooling_off(settings.cooling_off()?)
            .observed_by(Arc::new(watch.clone()))
            .observed_by(Arc::new(wake));
        Ok(Services {
            sandbox: SandboxService::new(orders.clone(), self.lane_clock.clone()),
            orders,
            products: self.product_service(),
            events: self.event_service(),
            watch,
            webhooks,
            repository: self.orders.clone(),
        })
    }

    /// Returns what authenticates the store of a call, and what writes when keys are used.
    pub(crate) fn authenticator(
        &self,
        sealer: Arc<Sealer>,
    ) -> (
        StoreAuthenticator,
        impl Future<Output = ()> + Send + 'static,
    ) {
        StoreAuthenticator::new(
            self.stores.clone(),
            sealer,
            Arc::new(HmacSigner),
            self.clock.clone(),
        )
    }
}

async fn require_migrated(store: &PostgresStore) -> Result<(), CommandError> {
    let pending = store
        .pending()
        .await
        .map_err(|error| CommandError::database("the database cannot be read", error))?;
    if pending.is_empty() {
        return Ok(());
    }
    Err(CommandError::Usage(format!(
        "the database lacks {} migrations ({}); run `pressline migrate`, or set database.migrate = true",
        pending.len(),
        pending.join(", ")
    )))
}

fn connect(backend: &Backend, database: &Database) -> Result<DatabaseStore, CommandError> {
    let wait = Duration::from_millis(database.pool_wait_ms);
    let statement_timeout = Duration::from_millis(database.statement_timeout_ms);
    let connections = usize::try_from(database.pool_size).unwrap_or(1);
    // The other half is left for short calls: authentication, pricing, replays.
    let searches = (connections / 2).max(1);
    match backend {
        Backend::Sqlite(path) => {
            require_file(path)?;
            let config = SqliteConfig {
                readers: connections,
                searches,
                read_timeout: statement_timeout,
                pool_wait: wait,
                write_backlog: Duration::from_millis(database.backlog_ms),
                tariff: first_prices::tariff()?,
                ..SqliteConfig::default()
            };
            let store = SqliteStore::open(path, &config).map_err(|error| {
                CommandError::database(format!("the database {}", path.display()), error)
            })?;
            Ok(DatabaseStore::Sqlite(Arc::new(store)))
        }
        Backend::Postgres(url) => {
            let config = PostgresConfig {
                max_connections: connections,
                writers: database.writers,
                searches,
                pool_wait: wait,
                write_backlog: Duration::from_millis(database.backlog_ms),
                connect_timeout: Duration::from_millis(database.connect_timeout_ms),
                statement_timeout,
                lock_timeout: Duration::from_millis(database.lock_timeout_ms),
                transaction_pooling: database.transaction_pooling,
                prepared_statements: database.prepared_statements,
                distribution: match database.distribution {
                    Distribution::Auto => TableDistribution::Auto,
                    Distribution::None => TableDistribution::None,
                    Distribution::Citus => TableDistribution::Citus,
                },
                tariff: first_prices::tariff()?,
                ..PostgresConfig::default()
            };
            let store = PostgresStore::connect(url, &config)
                .map_err(|error| CommandError::database("the PostgreSQL database", error))?;
            Ok(DatabaseStore::Postgres(Arc::new(store)))
        }
    }
}
