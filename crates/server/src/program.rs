//! The program as its commands see it: the configuration, and use cases over the adapters.

use std::path::Path;
use std::sync::Arc;

use pressline_api::{DeliveryDocument, StoreDocument, WebhookDocument};
use pressline_auth::HmacSigner;
use pressline_backoffice::audit::Audit;
use pressline_backoffice::import::catalog::ImportService;
use pressline_backoffice::import::shipment::ShipmentImport;
use pressline_backoffice::operator::{OperatorAdmin, SessionService};
use pressline_backoffice::production::ShipmentExport;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::webhook::{EndpointService, EndpointTester};
use pressline_cli::CommandError;
use pressline_cli::Output;
use pressline_cli::services::{
    Configured, Distributed, Migrated, Migration, Program, Rotation, Services, WebhookCheck,
};
use pressline_domain::catalog::Catalog;
use pressline_domain::event::EventService;
use pressline_domain::order::{Order, OrderService};
use pressline_domain::store::{SecretKey, Signer, StoreDirectory};
use pressline_store_postgres::{MigrationState, MigrationStatus};
use pressline_webhooks::{SigningKey, Wake};
use serde::Serialize;

use crate::config::{self, DEFAULTS, Settings};
use crate::master_key;
use crate::serve;
use crate::version;
use crate::wiring::{Adapters, create_file, migration_statuses};

/// This program.
pub(crate) struct Server;

impl Program for Server {
    type Configured = Settings;

    fn version(&self) -> &'static str {
        version::TEXT.as_str()
    }

    fn configure(&self, file: Option<&Path>) -> Result<Settings, CommandError> {
        Ok(Settings::load(file)?)
    }

    fn check_configuration(&self, file: Option<&Path>) -> Result<(), CommandError> {
        Ok(Settings::check_all(file)?)
    }

    fn default_settings(&self) -> &'static str {
        DEFAULTS
    }

    fn openapi(&self, operators: bool) -> String {
        match operators {
            true => pressline_api::operator_openapi_json(),
            false => pressline_api::openapi_json(),
        }
    }

    fn signer(&self) -> Arc<dyn Signer> {
        Arc::new(HmacSigner)
    }

    fn webhook_check(&self, secret: &SecretKey) -> Result<WebhookCheck, String> {
        let key = SigningKey::of(secret).map_err(|error| error.to_string())?;
        Ok(Arc::new(move |signatures, id, timestamp, body| {
            key.verifies(signatures, id, timestamp, body)
        }))
    }
}

impl Configured for Settings {
    type Services = Opened;

    fn print_settings(&self, with_origins: bool, output: &Output) -> Result<(), CommandError> {
        let unshown = |error| CommandError::other("the settings cannot be shown", error);
        if with_origins {
            let shown = self.with_origins().map_err(unshown)?;
            return output.print(&shown, || config::lines(&shown));
        }
        let shown = self.masked();
        let text = toml::to_string(&shown).map_err(unshown)?;
        output.print(&shown, || text)
    }

    fn stores_address(&self) -> &str {
        &self.http.listen
    }

    async fn serve(self, output: &Output) -> Result<(), CommandError> {
        serve::run(self, output).await
    }

    async fn open(&self) -> Result<Opened, CommandError> {
        let settings = self.clone().patient();
        let adapters = Adapters::open_migrated(&settings).await?;
        Ok(Opened { settings, adapters })
    }

    async fn migrations(&self) -> Result<Vec<Migration>, CommandError> {
        let statuses = migration_statuses(&self.clone().patient()).await?;
        Ok(statuses.into_iter().map(migration).collect())
    }

    async fn migrate(&self, distribute: bool) -> Result<Migrated, CommandError> {
        let settings = self.clone().patient();
        create_file(&settings)?;
        let adapters = Adapters::open(&settings)?;
        let applied = adapters.migrate().await?;
        let distributed = match distribute {
            true => Some(adapters.distribute().await?),
            false => None,
        };
        Ok(Migrated {
            applied,
            distributed: distributed.map(|tables| Distributed {
                by_store: tables.by_store,
                on_every_node: tables.on_every_node,
            }),
        })
    }
}

fn migration(status: MigrationStatus) -> Migration {
    let is_pending = status.state == MigrationState::Pending;
    Migration {
        name: status.name,
        state: status.state.as_str(),
        applied_at: status.applied_at,
        pending: status.text.filter(|_| is_pending),
    }
}

/// The adapters of an open database, with the settings that they were made by.
pub(crate) struct Opened {
    settings: Settings,
    adapters: Adapters,
}

impl Services for Opened {
    type StoreDocument = StoreDocument;
    type WebhookDocument = WebhookDocument;
    type DeliveryDocument = DeliveryDocument;

    fn order_document(order: &Order) -> impl Serialize {
        pressline_api::order_document(order)
    }

    fn audit(&self) -> Audit {
        self.adapters.audit()
    }

    fn catalog(&self) -> Arc<dyn Catalog> {
        self.adapters.catalog()
    }

    fn events(&self) -> EventService {
        self.adapters.event_service()
    }

    fn operators(&self) -> OperatorAdmin {
        self.adapters.operator_admin()
    }

    fn orders(&self) -> OrderService {
        self.adapters.order_service()
    }

    fn sessions(&self) -> SessionService {
        self.adapters.session_service()
    }

    fn shipment_export(&self) -> ShipmentExport {
        self.adapters.shipment_export()
    }

    fn shipment_import(&self) -> ShipmentImport {
        ShipmentImport::new(self.orders(), self.stores())
    }

    fn stores(&self) -> Arc<dyn StoreDirectory> {
        self.adapters.stores()
    }

    fn imports(&self) -> Result<ImportService, CommandError> {
        self.adapters.imports()
    }

    async fn store_admin(&self) -> Result<StoreAdmin, CommandError> {
        let sealer = master_key::sealer(&self.settings, &self.adapters).await?;
        Ok(self.adapters.store_admin(sealer))
    }

    async fn endpoints(&self) -> Result<(EndpointService, EndpointTester), CommandError> {
        let (settings, adapters) = (&self.settings, &self.adapters);
        let sealer = master_key::sealer(settings, adapters).await?;
        let courier = adapters.courier(settings, sealer.clone())?;
        // The worker of a server finds by itself what another process has changed.
        let services = adapters.webhook_services(settings, sealer, courier, Wake::default())?;
        Ok((services.endpoints, services.tester))
    }

    fn console_url(&self) -> Result<String, CommandError> {
        Ok(self.settings.console_url()?)
    }

    fn stores_address(&self) -> &str {
        self.settings.stores_address()
    }

    async fn rotate_master_key(&self) -> Result<Rotation, CommandError> {
        master_key::rotate(&self.settings, &self.adapters).await
    }
}
