//! Use cases that the operations of both APIs call.

use std::sync::Arc;

use pressline_backoffice::note::NoteService;
use pressline_backoffice::operator::{OperatorAdmin, OperatorImports};
use pressline_backoffice::production::{ProductionService, ShipmentExport};
use pressline_backoffice::queue::QueueService;
use pressline_backoffice::sandbox::SandboxService;
use pressline_backoffice::statistics::StatisticsService;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::webhook::EndpointService;
use pressline_domain::catalog::ProductService;
use pressline_domain::event::EventService;
use pressline_domain::order::{OrderRepository, OrderService};

use super::watch::EventWatch;

/// Use cases that the operations for stores call, and the repository of their orders.
#[derive(Clone)]
pub struct Services {
    /// Creates, changes and finds orders.
    pub orders: OrderService,
    /// Finds products.
    pub products: ProductService,
    /// Reads events.
    pub events: EventService,
    /// Manages webhook endpoints and resends events.
    pub webhooks: EndpointService,
    /// Wakes calls that wait for events. Must be an observer of `orders`, to learn of new events.
    pub watch: EventWatch,
    /// Moves orders of test stores, decides their pending changes, and fast-forwards due times.
    pub sandbox: SandboxService,
    /// Repository behind `orders`. `/readyz` checks the repository. A call that creates an order is
    /// refused early if the repository's write queue is full.
    pub repository: Arc<dyn OrderRepository>,
}

/// Use cases that the operations for operators call.
#[derive(Clone)]
pub struct OperatorServices {
    /// Administers stores.
    pub stores: StoreAdmin,
    /// Writes and reads notes about orders.
    pub notes: NoteService,
    /// Reads operators' names, for order histories.
    pub operators: OperatorAdmin,
    /// Manages webhook endpoints and resends events.
    pub webhooks: EndpointService,
    /// Records production and manages batches.
    pub production: ProductionService,
    /// Calculates order statistics.
    pub statistics: StatisticsService,
    /// Imports orders, shipments and the catalog from files.
    pub imports: OperatorImports,
    /// Exports parcels that are ready to send.
    pub exports: ShipmentExport,
    /// Finds items and orders in all stores.
    pub queue: QueueService,
    /// Moves, changes and finds orders.
    pub orders: OrderService,
}
