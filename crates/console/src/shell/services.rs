//! The use cases that the pages call.

use std::sync::Arc;

use pressline_backoffice::audit::Audit;
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
use pressline_backoffice::store::ChecklistService;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::task::TaskService;
use pressline_backoffice::webhook::{DeliveryService, EndpointService, EndpointTester};
use pressline_domain::catalog::ProductService;
use pressline_domain::order::OrderService;
use pressline_domain::runtime::Clock;

use crate::shell::status::SystemStatus;

/// The use cases that the pages call.
#[derive(Clone)]
pub struct Services {
    /// Signs operators in and out.
    pub sessions: SessionService,
    /// Knows the stores that an operator reaches.
    pub stores: StoreAdmin,
    /// Finds items and orders in all stores.
    pub queue: QueueService,
    /// Makes the overview of the day.
    pub overview: OverviewService,
    /// Sets webhook endpoints up.
    pub endpoints: EndpointService,
    /// Finds products.
    pub products: ProductService,
    /// Exports what orders are priced with.
    pub imports: ImportService,
    /// Adds placed orders up.
    pub figures: StatisticsService,
    /// Moves, changes and finds orders.
    pub orders: OrderService,
    /// Makes batches of items, and knows how far items have come.
    pub production: ProductionService,
    /// Reads orders with the notes about them, and adds notes.
    pub notes: NoteService,
    /// Knows the names of operators.
    pub operators: OperatorAdmin,
    /// Reads the audit.
    pub audit: Audit,
    /// Remembers the results of forms that create something.
    pub forms: FormService,
    /// Keeps files between their check and their import.
    pub uploads: UploadService,
    /// Carries out commands about many orders.
    pub tasks: TaskService,
    /// Imports files.
    pub file_imports: OperatorImports,
    /// Exports parcels to send.
    pub exports: ShipmentExport,
    /// Makes the masks of tokens.
    pub secrets: Arc<dyn SecretSource>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Fetches print files.
    pub files: Arc<dyn FileSource>,
    /// The name of the store whose orders are made up; `None` without the demo.
    pub demo_store: Option<String>,
    /// Finds out what stores need.
    pub checklist: ChecklistService,
    /// Tries webhook endpoints out.
    pub tester: EndpointTester,
    /// Searches deliveries, and sends events again.
    pub deliveries: DeliveryService,
    /// Knows how the program and its database are.
    pub status: Arc<dyn SystemStatus>,
    /// The address of the API for stores, such as `http://127.0.0.1:8080`, for lines to paste.
    pub stores_address: String,
}
