//! The program as its commands see it, before the database is open.

use std::sync::Arc;

use async_trait::async_trait;
use pressline_auth::HmacSigner;
use pressline_backoffice::file_source::FileSource;
use pressline_backoffice::media::FileDecoder;
use pressline_backoffice::store::StoreAdmin;
use pressline_backoffice::webhook::EndpointService;
use pressline_cli::CommandError;
use pressline_cli::Output;
use pressline_cli::services::{
    ConfiguredProgram, Document, Migrated, Migration, NodeTables, Program, Rotation, Services,
    WebhookCheck,
};
use pressline_domain::store::SecretKey;
use pressline_host::settings::Origins;
use pressline_media::{Bounds, ChildDecoder};
use pressline_store_postgres::{DatabaseUse, MigrationStatus, pending_migrations};
use pressline_webhooks::SigningKey;

use crate::config::{SCHEMA, Settings};
use crate::serve;
use crate::version;
use crate::wiring::{
    Adapters, create_file, examination, file_source, master_key, migration_statuses,
};

pub(crate) fn program() -> Program {
    Program {
        version: version::TEXT.as_str(),
        default_settings: SCHEMA.defaults,
        openapi: pressline_api::openapi_json,
        operator_openapi: pressline_api::operator_openapi_json,
        signer: Arc::new(HmacSigner),
        webhook_check,
        file_decoder,
        configure: |file| Ok(Box::new(Settings::load(file)?)),
        configure_with_files: |file| Ok(Box::new(Settings::check_all(file)?)),
    }
}

fn webhook_check(secret: &SecretKey) -> Result<WebhookCheck, String> {
    let key = SigningKey::new(secret).map_err(|error| error.to_string())?;
    Ok(Arc::new(move |signatures, id, timestamp, body| {
        key.verifies(signatures, id, timestamp, body)
    }))
}

fn file_decoder() -> Result<Arc<dyn FileDecoder>, CommandError> {
    let decoder = ChildDecoder::of_this_program(Bounds::default(), 1);
    let failed = |error| CommandError::other("the decoder of print files", error);
    Ok(Arc::new(decoder.map_err(failed)?))
}

#[async_trait(?Send)]
impl ConfiguredProgram for Settings {
    fn masked(&self) -> Document<'static> {
        Box::new(self.masked())
    }

    fn origins(&self) -> &Origins {
        &self.origins
    }

    fn stores_address(&self) -> &str {
        &self.http.listen
    }

    fn file_source(&self) -> Result<Arc<dyn FileSource>, CommandError> {
        file_source(&self.egress)
    }

    async fn serve(&self, output: &Output) -> Result<(), CommandError> {
        serve::run(self, output).await
    }

    async fn examine(&self) -> Result<Vec<String>, CommandError> {
        examination::examine(self).await
    }

    async fn open(&self) -> Result<Services, CommandError> {
        open(self).await?.command_services()
    }

    async fn open_store_admin(&self) -> Result<(Services, StoreAdmin), CommandError> {
        let adapters = open(self).await?;
        let admin = adapters.store_admin().await?;
        Ok((adapters.command_services()?, admin))
    }

    async fn open_endpoints(&self) -> Result<(Services, EndpointService), CommandError> {
        let adapters = open(self).await?;
        let endpoints = adapters.endpoints().await?;
        Ok((adapters.command_services()?, endpoints))
    }

    async fn rotate_master_key(&self) -> Result<Rotation, CommandError> {
        master_key::rotate(&open(self).await?).await
    }

    async fn migrations(&self) -> Result<Vec<Migration>, CommandError> {
        let statuses = migration_statuses(&self.clone().patient()).await?;
        Ok(statuses.into_iter().map(migration).collect())
    }

    async fn pending_statements(&self) -> Result<Vec<(String, &'static str)>, CommandError> {
        let statuses = migration_statuses(&self.clone().patient()).await?;
        let pending = pending_migrations(&statuses)
            .map_err(|error| CommandError::database("the database cannot be migrated", error))?;
        let statements = pending
            .into_iter()
            .filter_map(|status| Some((status.name.clone(), status.text?)));
        Ok(statements.collect())
    }

    async fn migrate(&self, to_nodes: bool) -> Result<Migrated, CommandError> {
        let settings = self.clone().patient();
        // Only this command may create any file; elsewhere a missing file may be a mistyped path.
        create_file(&settings)?;
        let mut adapters = Adapters::open(settings)?;
        adapters.examine(DatabaseUse::Migrate).await?;
        let applied = adapters.migrate().await?;
        let on_nodes = match to_nodes {
            true => Some(adapters.distribute().await?),
            false => None,
        };
        Ok(Migrated {
            applied,
            warnings: adapters.deficiencies,
            on_nodes: on_nodes.map(|tables| NodeTables {
                by_store: tables.by_store,
                on_every_node: tables.on_every_node,
            }),
        })
    }
}

async fn open(settings: &Settings) -> Result<Adapters, CommandError> {
    Adapters::open_migrated(settings.clone().patient()).await
}

fn migration(status: MigrationStatus) -> Migration {
    Migration {
        name: status.name,
        state: status.state.as_str(),
        applied_at: status.applied_at,
    }
}
