//! Use cases of the commands. The server calls some of them, too.

use std::sync::Arc;

use pressline_api::{DeliveryDocument, JsonEvents, StoreDocument, WebhookDocument};
use pressline_auth::{Argon2Hasher, SystemSecrets};
use pressline_backoffice::audit::Audit;
use pressline_backoffice::import::catalog::ImportService;
use pressline_backoffice::operator::{OperatorAdmin, SessionPorts, SessionService};
use pressline_backoffice::production::ShipmentExport;
use pressline_backoffice::restore::RestoreService;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::webhook::EndpointService;
use pressline_cli::CommandError;
use pressline_cli::services::{Documents, Services};
use pressline_domain::event::EventService;
use pressline_domain::order::OrderService;
use pressline_domain::store::StoreDirectory;
use pressline_webhooks::Wake;

use crate::first_prices;

use super::{Adapters, master_key};

const DOCUMENTS: Documents = Documents {
    order: |order| Box::new(pressline_api::order_document(order)),
    store: |record| Box::new(StoreDocument::from(record)),
    store_with_secret: |made| Box::new(StoreDocument::from(made)),
    endpoint: |view| Box::new(WebhookDocument::from(view)),
    endpoint_with_secret: |made| Box::new(WebhookDocument::from(made)),
    delivery: |delivery| Box::new(DeliveryDocument::from(delivery)),
};

impl Adapters {
    /// Creates the use cases of the program's commands.
    pub(crate) fn command_services(&self) -> Result<Services, CommandError> {
        let limit = &self.settings.rate_limit;
        let orders = self.orders();
        Ok(Services {
            audit: self.audit(),
            catalog: self.database.clone(),
            events: self.events(),
            imports: self.imports()?,
            operators: self.operators(),
            shipment_export: self.shipment_export(&orders),
            shipment_import: self.shipment_import(orders.clone()),
            orders,
            restores: self.restores(),
            sessions: self.sessions(),
            stores: self.stores(),
            calls_per_minute: limit.enabled.then_some(limit.per_minute),
            console_url: self.settings.console_url(),
            documents: DOCUMENTS,
        })
    }

    pub(crate) fn audit(&self) -> Audit {
        Audit::new(self.cold.clone(), self.clock.clone(), self.ids.clone())
    }

    pub(crate) fn events(&self) -> EventService {
        EventService::new(
            self.database.clone(),
            self.database.clone(),
            self.cold.clone(),
            Arc::new(JsonEvents),
        )
    }

    pub(crate) fn operators(&self) -> OperatorAdmin {
        OperatorAdmin::new(
            self.cold.clone(),
            Arc::new(SystemSecrets),
            self.clock.clone(),
            self.ids.clone(),
        )
        .audited(self.audit())
    }

    pub(crate) fn orders(&self) -> OrderService {
        OrderService::new(
            self.database.clone(),
            self.database.clone(),
            self.clock.clone(),
            self.ids.clone(),
        )
    }

    pub(crate) fn restores(&self) -> RestoreService {
        RestoreService::new(
            self.cold.clone(),
            self.cold.clone(),
            self.cold.clone(),
            self.clock.clone(),
        )
        .audited(self.audit())
    }

    /// Counts attempts to sign in per returned service, so the console must use only one service.
    pub(crate) fn sessions(&self) -> SessionService {
        let ports = SessionPorts {
            sessions: self.cold.clone(),
            accounts: self.cold.clone(),
            hasher: Arc::new(Argon2Hasher::default()),
            secrets: Arc::new(SystemSecrets),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        };
        SessionService::new(ports, self.audit())
    }

    pub(crate) fn shipment_export(&self, orders: &OrderService) -> ShipmentExport {
        ShipmentExport {
            queue: self.queue_service(),
            batches: self.cold.clone(),
            products: orders.pricing.clone(),
            stores: self.cold.clone(),
        }
    }

    pub(crate) fn stores(&self) -> Arc<dyn StoreDirectory> {
        self.cold.clone()
    }

    pub(crate) fn imports(&self) -> Result<ImportService, CommandError> {
        let imports = ImportService::new(
            self.database.clone(),
            self.cold.clone(),
            self.cold.clone(),
            first_prices::tariff()?,
        );
        Ok(imports.audited(self.audit()))
    }

    pub(crate) async fn store_admin(&self) -> Result<StoreAdmin, CommandError> {
        Ok(self.store_admin_with(master_key::sealer(self).await?))
    }

    pub(crate) async fn endpoints(&self) -> Result<EndpointService, CommandError> {
        let sealer = master_key::sealer(self).await?;
        let event_sender = self.event_sender(sealer.clone())?;
        // A server's worker finds changes of other processes by itself, without this handle.
        self.endpoint_service(sealer, event_sender, Wake::default())
    }
}
