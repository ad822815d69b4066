//! Use cases that the pages call.

use std::sync::Arc;

use pressline_backoffice::audit::Audit;
use pressline_backoffice::checklist::ChecklistService;
use pressline_backoffice::file_source::FileSource;
use pressline_backoffice::import::catalog::ImportService;
use pressline_backoffice::note::NoteService;
use pressline_backoffice::operator::{
    FormService, OperatorAdmin, OperatorImports, SecretSource, SessionService, UploadService,
};
use pressline_backoffice::overview::OverviewService;
use pressline_backoffice::production::{ProductionService, ShipmentExport};
use pressline_backoffice::queue::QueueService;
use pressline_backoffice::statistics::StatisticsService;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::task::TaskService;
use pressline_backoffice::webhook::EndpointService;
use pressline_domain::catalog::ProductService;
use pressline_domain::order::{OrderRepository, OrderService};
use pressline_domain::runtime::Clock;

use crate::shell::status::SystemStatus;

/// Use cases that the pages call.
#[derive(Clone)]
pub struct Services {
    /// Signs operators in and out.
    pub sessions: SessionService,
    /// Lists and administers stores.
    pub stores: StoreAdmin,
    /// Finds items and orders in all stores.
    pub queue: QueueService,
    /// Counts the open work for the page `Today`.
    pub overview: OverviewService,
    /// Administers webhook endpoints.
    pub endpoints: EndpointService,
    /// Finds products of the catalog, with the prices for a store.
    pub products: ProductService,
    /// Exports products, prices, shipping rates and fees; imports use `file_imports`.
    pub imports: ImportService,
    /// Computes statistics of placed orders, for reports.
    pub statistics: StatisticsService,
    /// Moves, changes and finds orders.
    pub orders: OrderService,
    /// Stores the orders. Lists of parcels are read from it.
    pub repository: Arc<dyn OrderRepository>,
    /// Creates batches, and tracks the progress of items.
    pub production: ProductionService,
    /// Reads orders with their notes, and adds notes.
    pub notes: NoteService,
    /// Administers operators, and returns their names.
    pub operators: OperatorAdmin,
    /// Reads the audit log.
    pub audit: Audit,
    /// Stores the results of sent forms, so that a form sent twice returns its first result.
    pub forms: FormService,
    /// Keeps uploaded files between check and import.
    pub uploads: UploadService,
    /// Runs commands about many orders.
    pub tasks: TaskService,
    /// Imports order, shipment and catalog files.
    pub file_imports: OperatorImports,
    /// Exports parcels to send.
    pub exports: ShipmentExport,
    /// Creates the random masks of form tokens.
    pub secrets: Arc<dyn SecretSource>,
    /// Returns the current time.
    pub clock: Arc<dyn Clock>,
    /// Fetches print files.
    pub files: Arc<dyn FileSource>,
    /// Name of the demo's store, which has made-up orders; `None` if no orders are made up.
    pub demo_store: Option<String>,
    /// Computes the checklist of a store.
    pub checklist: ChecklistService,
    /// Reports facts about the program and its database.
    pub status: Arc<dyn SystemStatus>,
    /// URL of the API for stores, such as `http://127.0.0.1:8080`, shown in example calls.
    pub stores_address: String,
}
