//! The services and limits of the operations of operators, and the paths that are served.

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
use pressline_http::intake::Intake;
use pressline_http::response_budget::ResponseBudget;

use crate::Settings;
use crate::api::{Paths, configure_paths};
use crate::docs;
use crate::operations::OPERATORS;
use crate::webhook::WebhookServices;

/// The use cases that the operations of operators call.
#[derive(Clone)]
pub struct OperatorServices {
    /// Administers stores.
    pub stores: StoreAdmin,
    /// Writes and reads notes about orders.
    pub notes: NoteService,
    /// Knows the names of operators.
    pub operators: OperatorAdmin,
    /// Sets webhook endpoints up, and sends events again.
    pub webhooks: WebhookServices,
    /// Records production, and makes batches.
    pub production: ProductionService,
    /// Adds placed orders up.
    pub figures: StatisticsService,
    /// Imports files.
    pub imports: OperatorImports,
    /// Exports parcels to send.
    pub exports: ShipmentExport,
    /// Finds items and orders in all stores.
    pub queue: QueueService,
    /// Moves, changes and finds orders.
    pub orders: OrderService,
}

/// The services and limits of the operations of operators. Clones share everything. Nothing is
/// shared with the API for stores except the services and the results of `/readyz`, so that neither
/// can use up what the other needs.
#[derive(Clone)]
pub struct OperatorApi {
    pub(crate) services: OperatorServices,
    pub(crate) authenticator: Arc<dyn OperatorAuthenticator>,
    pub(crate) intake: Intake,
    health: Health,
    pub(crate) responses: ResponseBudget,
}

impl OperatorApi {
    /// Returns an API over these use cases, with limits of its own.
    pub fn new(
        services: OperatorServices,
        authenticator: Arc<dyn OperatorAuthenticator>,
        health: Health,
        settings: &Settings,
    ) -> Self {
        Self {
            services,
            authenticator,
            intake: Intake::new(&settings.intake()),
            health,
            responses: ResponseBudget::new(settings.response_budget),
        }
    }

    /// Returns what bounds the calls of the listener, for what else is served there.
    pub fn intake(&self) -> Intake {
        self.intake.clone()
    }

    /// Returns what bounds the responses of the listener, for what else is served there.
    pub fn responses(&self) -> ResponseBudget {
        self.responses.clone()
    }
}

/// Adds everything that operators are served to an application: the operations, `/livez`, `/readyz`
/// and `/openapi.json`.
///
/// All other paths get `not_found`, so add everything else that the application serves first.
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
