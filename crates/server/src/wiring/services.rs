//! Use cases of the commands. The server calls some of them, too.

use std::sync::Arc;

use pressline_api::{DeliveryDocument, JsonEvents, StoreDocument, WebhookDocument};
use pressline_auth::{Argon2Hasher, SystemSecrets};
use pressline_backoffice::audit::Audit;
use pressline_backoffice::import::catalog::ImportService;
use pressline_backoffice::import::shipment::ShipmentImport;
use pressline_backoffice::operator::{OperatorAdmin, SessionPorts, SessionService};
use pressline_backoffice::production::ShipmentExport;
use pressline_backoffice::restore::RestoreService;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::webhook::EndpointService;
use pressline_cli::CommandError;
use pressline_cli::services::{Rotation, Services};
use pressline_domain::catalog::Catalog;
use pressline_domain::event::EventService;
use pressline_domain::order::{Order, OrderService};
use pressline_domain::store::StoreDirectory;
use pressline_webhooks::Wake;
use serde::Serialize;

use crate::first_prices;

use super::{Adapters, master_key};

impl Services for Adapters {
    type StoreDocument = StoreDocument;
    type WebhookDocument = WebhookDocument;
    type DeliveryDocument = DeliveryDocument;

    fn order_document(order: &Order) -> impl Serialize {
        pressline_api::order_document(order)
    }

    fn audit(&self) -> Audit {
        Audit::new(self.cold.clone(), self.clock.clone(), self.ids.clone())
    }

    fn catalog(&self) -> Arc<dyn Catalog> {
        self.database.clone()
    }

    fn events(&self) -> EventService {
        EventService::new(
            self.database.clone(),
            self.database.clone(),
            self.cold.clone(),
            Arc::new(JsonEvents),
        )
    }

    fn operators(&self) -> OperatorAdmin {
        OperatorAdmin::new(
            self.cold.clone(),
            Arc::new(SystemSecrets),
            self.clock.clone(),
            self.ids.clone(),
        )
        .audited(self.audit())
    }

    fn orders(&self) -> OrderService {
        OrderService::new(
            self.database.clone(),
            self.database.clone(),
            self.clock.clone(),
            self.ids.clone(),
        )
    }

    fn restores(&self) -> RestoreService {
        RestoreService::new(
            self.cold.clone(),
            self.cold.clone(),
            self.cold.clone(),
            self.clock.clone(),
        )
        .audited(self.audit())
    }

    fn calls_per_minute(&self) -> Option<u32> {
        let limit = &self.settings.rate_limit;
        limit.enabled.then_some(limit.per_minute)
    }

    /// Counts attempts to sign in per returned service, so the console must use only one service.
    fn sessions(&self) -> SessionService {
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

    fn shipment_export(&self) -> ShipmentExport {
        ShipmentExport {
            queue: self.queue_service(),
            batches: self.cold.clone(),
            orders: self.orders(),
            stores: self.cold.clone(),
        }
    }

    fn shipment_import(&self) -> ShipmentImport {
        ShipmentImport::new(self.orders(), self.stores())
    }

    fn stores(&self) -> Arc<dyn StoreDirectory> {
        self.cold.clone()
    }

    fn imports(&self) -> Result<ImportService, CommandError> {
        let imports = ImportService::new(
            self.database.clone(),
            self.cold.clone(),
            self.cold.clone(),
            first_prices::tariff()?,
        );
        Ok(imports.audited(self.audit()))
    }

    async fn store_admin(&self) -> Result<StoreAdmin, CommandError> {
        Ok(self.store_admin_with(master_key::sealer(self).await?))
    }

    async fn endpoints(&self) -> Result<EndpointService, CommandError> {
        let sealer = master_key::sealer(self).await?;
        let event_sender = self.event_sender(sealer.clone())?;
        // A server's worker finds changes of other processes by itself, without this handle.
        self.endpoint_service(sealer, event_sender, Wake::default())
    }

    fn console_url(&self) -> Result<String, CommandError> {
        Ok(self.settings.console_url()?)
    }

    fn stores_address(&self) -> &str {
        &self.settings.http.listen
    }

    async fn rotate_master_key(&self) -> Result<Rotation, CommandError> {
        master_key::rotate(self).await
    }
}
