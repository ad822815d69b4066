//! The services and limits of the API for operators, and the paths that it serves.

use std::sync::Arc;

use actix_web::web;
use pressline_backoffice::note::NoteService;
use pressline_backoffice::operator::{OperatorAdmin, OperatorAuthenticator, OperatorImports};
use pressline_backoffice::production::{ProductionService, ShipmentExport};
use pressline_backoffice::queue::QueueService;
use pressline_backoffice::statistics::StatisticsService;
use pressline_backoffice::store::StoreAdmin;
use pressline_domain::order::OrderService;
use pressline_http::health::Health;
use pressline_http::request_limits::RequestLimits;
use pressline_http::response_budget::ResponseBudget;

use crate::Settings;
use crate::api::{Paths, configure_paths};
use crate::docs;
use crate::operations::OPERATORS;
use crate::webhook::WebhookServices;

/// Use cases of the API for operators.
#[derive(Clone)]
pub struct OperatorServices {
    /// Administers stores.
    pub stores: StoreAdmin,
    /// Writes and reads notes about orders.
    pub notes: NoteService,
    /// Provides the operators' names.
    pub operators: OperatorAdmin,
    /// Manages webhook endpoints and resends events.
    pub webhooks: WebhookServices,
    /// Records production and manages batches.
    pub production: ProductionService,
    /// Calculates order statistics.
    pub figures: StatisticsService,
    /// Imports orders, shipments and the catalog from files.
    pub imports: OperatorImports,
    /// Exports parcels that are ready to send.
    pub exports: ShipmentExport,
    /// Finds items and orders in all stores.
    pub queue: QueueService,
    /// Moves, changes and finds orders.
    pub orders: OrderService,
}

/// The API for operators: its services and limits. Clones share everything. Only the services and
/// the results of `/readyz` are shared with the API for stores, so that neither API can use up the
/// other's limits.
#[derive(Clone)]
pub struct OperatorApi {
    pub(crate) services: OperatorServices,
    pub(crate) authenticator: Arc<dyn OperatorAuthenticator>,
    pub(crate) request_limits: RequestLimits,
    health: Health,
    pub(crate) responses: ResponseBudget,
}

impl OperatorApi {
    /// Creates an API for `services`, with its own request and response limits.
    pub fn new(
        services: OperatorServices,
        authenticator: Arc<dyn OperatorAuthenticator>,
        health: Health,
        settings: &Settings,
    ) -> Self {
        Self {
            services,
            authenticator,
            request_limits: RequestLimits::new(&settings.request_limits()),
            health,
            responses: ResponseBudget::new(settings.response_budget),
        }
    }

    /// Returns the request limits of the listener, for further routes on it.
    pub fn request_limits(&self) -> RequestLimits {
        self.request_limits.clone()
    }

    /// Returns the response budget of the listener, for further routes on it.
    pub fn responses(&self) -> ResponseBudget {
        self.responses.clone()
    }
}

/// Adds all paths of the API for operators to an application: the operations, `/livez`, `/readyz`,
/// `/openapi.json` and `/docs`.
///
/// All other paths get `not_found`, so add the application's other paths before this call.
pub fn configure_operators(config: &mut web::ServiceConfig, api: OperatorApi) {
    let paths = Paths {
        operations: OPERATORS,
        document: || web::to(docs::operator_document),
        health: api.health.clone(),
        responses: api.responses.clone(),
    };
    let scope = web::scope("").app_data(web::Data::new(api));
    configure_paths(config, scope, paths);
}
