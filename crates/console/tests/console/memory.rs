//! In-memory repositories, and the use cases on them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pressline_backoffice::audit::Audit;
use pressline_backoffice::checklist::ChecklistService;
use pressline_backoffice::import::catalog::ImportService;
use pressline_backoffice::import::order::OrderImport;
use pressline_backoffice::import::shipment::ShipmentImport;
use pressline_backoffice::memory::MemoryAudit;
use pressline_backoffice::memory::MemoryForms;
use pressline_backoffice::memory::MemoryNotes;
use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::memory::MemoryOverview;
use pressline_backoffice::memory::MemoryProduction;
use pressline_backoffice::memory::MemoryTasks;
use pressline_backoffice::memory::MemoryUploads;
use pressline_backoffice::note::NoteService;
use pressline_backoffice::operator::OperatorImports;
use pressline_backoffice::operator::{
    FormService, OperatorAdmin, SessionPorts, SessionService, UploadService,
};
use pressline_backoffice::overview::OverviewService;
use pressline_backoffice::production::{ProductionService, ShipmentExport, Steps};
use pressline_backoffice::queue::QueueService;
use pressline_backoffice::statistics::StatisticsService;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::task::TaskService;
use pressline_console::Services;
use pressline_domain::catalog::ProductService;
use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::order::OrderService;
use pressline_domain::pricing::tariff::Tariff;
use pressline_domain::runtime::{FixedClock, IdSource};
use pressline_domain::value::Timestamp;

use crate::faults::FaultySessions;
use crate::hooks::{Hooks, State};
use crate::hosted::HostedFiles;
use crate::people::{CountedIds, CountedSecrets, PlainHasher, operators_in_memory};
use crate::shop::{NOW, PlainKeys, add_label_fee, add_stores};

pub(crate) struct Memory {
    stores: Arc<MemoryStores>,
    orders: Arc<MemoryOrders>,
    pub(crate) clock: Arc<FixedClock>,
    ids: Arc<dyn IdSource>,
    audit: Audit,
    catalog: Arc<MemoryCatalog>,
    production: MemoryProduction,
    operators: MemoryOperators,
}

impl Memory {
    pub(crate) async fn new() -> Self {
        let clock = Arc::new(FixedClock::at(Timestamp::from_millis(NOW)));
        let ids: Arc<dyn IdSource> = Arc::new(CountedIds::default());
        let (stores, catalog) = (MemoryStores::new(), MemoryCatalog::new());
        add_stores(&stores).await;
        add_label_fee(&catalog).await;
        Self {
            audit: Audit::new(Arc::new(MemoryAudit::default()), clock.clone(), ids.clone()),
            orders: Arc::new(MemoryOrders::new(&stores, &catalog)),
            operators: operators_in_memory().await,
            production: MemoryProduction::default(),
            stores: Arc::new(stores),
            catalog: Arc::new(catalog),
            clock,
            ids,
        }
    }

    /// Creates the session service. Its repository fails while `fails` is set.
    pub(crate) async fn sessions(&self, fails: Arc<AtomicBool>) -> SessionService {
        let faulty = FaultySessions {
            operators: self.operators.clone(),
            fails,
        };
        let ports = SessionPorts {
            sessions: Arc::new(faulty),
            accounts: Arc::new(self.operators.clone()),
            hasher: Arc::new(PlainHasher),
            secrets: Arc::new(CountedSecrets::default()),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        };
        SessionService::new(ports, self.audit.clone())
    }

    pub(crate) fn hooks(&self) -> Hooks {
        let (stores, orders) = (self.stores.clone(), self.orders.clone());
        let (clock, ids) = (self.clock.clone(), self.ids.clone());
        Hooks::new(stores, orders, clock, ids, self.audit.clone())
    }

    pub(crate) fn services(&self, sessions: SessionService, hooks: &Hooks) -> Services {
        let (stores, operators) = (self.store_admin(), self.operator_admin());
        let orders = self.order_service();
        Services {
            queue: QueueService::new(self.orders.clone(), self.orders.clone()),
            products: ProductService::new(self.catalog.clone(), self.clock.clone()),
            imports: self.catalog_import(),
            statistics: self.statistics(),
            overview: self.overview(),
            production: self.production(&orders, &stores, &operators),
            notes: NoteService {
                orders: orders.read.clone(),
                notes: Arc::new(MemoryNotes::default()),
                operators: operators.clone(),
                clock: self.clock.clone(),
                ids: self.ids.clone(),
            },
            uploads: self.uploads(),
            tasks: self.tasks(&orders, &stores),
            exports: self.exports(&orders),
            file_imports: OperatorImports {
                stores: self.store_admin(),
                shipments: ShipmentImport::new(
                    orders.clone(),
                    self.stores.clone(),
                    self.clock.clone(),
                    self.ids.clone(),
                ),
                orders: OrderImport::new(orders.clone()),
                catalog: self.catalog_import(),
            },
            forms: self.forms(),
            checklist: ChecklistService::new(
                self.catalog.clone(),
                hooks.directory.clone(),
                self.clock.clone(),
            ),
            endpoints: hooks.endpoints.clone(),
            sessions,
            stores,
            orders,
            repository: self.orders.clone(),
            operators,
            audit: self.audit.clone(),
            secrets: Arc::new(CountedSecrets::default()),
            clock: self.clock.clone(),
            files: Arc::new(HostedFiles),
            demo_store: Some("SUN Prints".to_owned()),
            status: Arc::new(State),
            stores_address: "http://127.0.0.1:8080".to_owned(),
        }
    }

    fn store_admin(&self) -> StoreAdmin {
        let (stores, clock) = (self.stores.clone(), self.clock.clone());
        let admin = StoreAdmin::new(stores, Arc::new(PlainKeys), clock, self.ids.clone());
        admin.audited(self.audit.clone())
    }

    fn operator_admin(&self) -> OperatorAdmin {
        let directory = Arc::new(self.operators.clone());
        let secrets = Arc::new(CountedSecrets::default());
        let admin = OperatorAdmin::new(directory, secrets, self.clock.clone(), self.ids.clone());
        admin.audited(self.audit.clone())
    }

    fn order_service(&self) -> OrderService {
        let (repository, catalog) = (self.orders.clone(), self.catalog.clone());
        OrderService::new(repository, catalog, self.clock.clone(), self.ids.clone())
    }

    fn catalog_import(&self) -> ImportService {
        let catalog = self.catalog.clone();
        let tariff = Tariff::default();
        let import = ImportService::new(catalog.clone(), catalog, self.stores.clone(), tariff);
        import.audited(self.audit.clone())
    }

    fn statistics(&self) -> StatisticsService {
        StatisticsService {
            orders: Arc::new(MemoryOverview::new(&self.orders, &self.production)),
            stores: self.stores.clone(),
            clock: self.clock.clone(),
            permits: Arc::default(),
        }
    }

    fn overview(&self) -> OverviewService {
        OverviewService {
            overview: Arc::new(MemoryOverview::new(&self.orders, &self.production)),
            queue: self.orders.clone(),
            orders: self.orders.clone(),
            stores: self.stores.clone(),
            clock: self.clock.clone(),
            steps: Steps::default(),
        }
    }

    fn production(
        &self,
        orders: &OrderService,
        stores: &StoreAdmin,
        operators: &OperatorAdmin,
    ) -> ProductionService {
        ProductionService {
            progress: Arc::new(self.production.clone()),
            batches: Arc::new(self.production.clone()),
            orders: orders.read.clone(),
            moves: orders.moves.clone(),
            shipper: orders.ship.clone(),
            clock: self.clock.clone(),
            stores: stores.clone(),
            operators: operators.clone(),
            steps: Steps::default(),
        }
    }

    fn exports(&self, orders: &OrderService) -> ShipmentExport {
        ShipmentExport {
            queue: QueueService::new(self.orders.clone(), self.orders.clone()),
            batches: Arc::new(self.production.clone()),
            products: orders.pricing.clone(),
            stores: self.stores.clone(),
        }
    }

    fn uploads(&self) -> UploadService {
        UploadService {
            files: Arc::new(MemoryUploads::default()),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        }
    }

    fn forms(&self) -> FormService {
        FormService {
            results: Arc::new(MemoryForms::default()),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        }
    }

    fn tasks(&self, orders: &OrderService, stores: &StoreAdmin) -> TaskService {
        let (orders, stores) = (orders.moves.clone(), stores.clone());
        let tasks = Arc::new(MemoryTasks::default());
        TaskService::new(tasks, orders, stores, self.clock.clone(), self.ids.clone())
    }
}
