//! The results of forms in SQLite. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::operator::{FormClaim, FormKey, FormResults};
use pressline_domain::time::Timestamp;
use pressline_store_kit::Forms;

use crate::SqliteStore;
use crate::error::Failure;

fn forms(connection: &mut SqliteConnection) -> Forms<'_, SqliteConnection, Failure> {
    Forms::new(connection)
}

#[async_trait]
impl FormResults for SqliteStore {
    #[tracing::instrument(name = "db.form.claim", level = "debug", skip_all)]
    async fn claim(&self, key: FormKey, at: Timestamp) -> Result<FormClaim, RepositoryError> {
        self.change_alone(move |connection| forms(connection).claim(key, at))
            .await
    }

    #[tracing::instrument(name = "db.form.finish", level = "debug", skip_all)]
    async fn finish(&self, key: FormKey, result: &str) -> Result<(), RepositoryError> {
        let result = result.to_owned();
        self.change_alone(move |connection| forms(connection).finish(key, &result))
            .await
    }

    #[tracing::instrument(name = "db.form.give_up", level = "debug", skip_all)]
    async fn give_up(&self, key: FormKey) -> Result<(), RepositoryError> {
        self.change_alone(move |connection| forms(connection).give_up(key))
            .await
    }

    #[tracing::instrument(name = "db.form.prune", level = "debug", skip_all)]
    async fn prune_forms(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        self.change_alone(move |connection| forms(connection).prune(before, limit))
            .await
    }
}
