//! The program as its commands see it, before the database is open.

use std::path::Path;
use std::sync::Arc;

use pressline_auth::HmacSigner;
use pressline_cli::CommandError;
use pressline_cli::Output;
use pressline_cli::services::{
    Configured, Distributed, Migrated, Migration, Program, WebhookCheck,
};
use pressline_cli::settings::Origins;
use pressline_domain::store::{SecretKey, Signer};
use pressline_store_postgres::{DatabaseUse, MigrationStatus, pending_migrations};
use pressline_webhooks::SigningKey;
use serde::Serialize;

use crate::config::{SCHEMA, Settings};
use crate::serve;
use crate::version;
use crate::wiring::examination::examine;
use crate::wiring::{Adapters, create_file, migration_statuses};

pub(crate) struct Server;

impl Program for Server {
    type Configured = Settings;

    fn version(&self) -> &'static str {
        version::TEXT.as_str()
    }

    fn configure(&self, file: Option<&Path>) -> Result<Settings, CommandError> {
        Ok(Settings::load(file)?)
    }

    async fn check_configuration(&self, file: Option<&Path>) -> Result<Vec<String>, CommandError> {
        examine(&Settings::check_all(file)?).await
    }

    fn default_settings(&self) -> &'static str {
        SCHEMA.defaults
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
        let key = SigningKey::new(secret).map_err(|error| error.to_string())?;
        Ok(Arc::new(move |signatures, id, timestamp, body| {
            key.verifies(signatures, id, timestamp, body)
        }))
    }
}

impl Configured for Settings {
    type Services = Adapters;

    fn masked(&self) -> impl Serialize {
        self.masked()
    }

    fn origins(&self) -> &Origins {
        &self.origins
    }

    fn stores_address(&self) -> &str {
        &self.http.listen
    }

    async fn serve(self, output: &Output) -> Result<(), CommandError> {
        serve::run(self, output).await
    }

    async fn open(&self) -> Result<Adapters, CommandError> {
        Adapters::open_migrated(self.clone().patient()).await
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

    async fn migrate(&self, distribute: bool) -> Result<Migrated, CommandError> {
        let settings = self.clone().patient();
        // Only this command may create any file; elsewhere a missing file may be a mistyped path.
        create_file(&settings)?;
        let mut adapters = Adapters::open(settings)?;
        adapters.examine(DatabaseUse::Migrate).await?;
        let applied = adapters.migrate().await?;
        let distributed = match distribute {
            true => Some(adapters.distribute().await?),
            false => None,
        };
        Ok(Migrated {
            applied,
            warnings: adapters.deficiencies,
            distributed: distributed.map(|tables| Distributed {
                by_store: tables.by_store,
                on_every_node: tables.on_every_node,
            }),
        })
    }
}

fn migration(status: MigrationStatus) -> Migration {
    Migration {
        name: status.name,
        state: status.state.as_str(),
        applied_at: status.applied_at,
    }
}
