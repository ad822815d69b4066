//! The results of forms in PostgreSQL. The statements are those of the store kit.

use async_trait::async_trait;
use diesel::pg::PgConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::operator::{FormClaim, FormKey, FormResults};
use pressline_domain::time::Timestamp;
use pressline_store_kit::Forms;

use crate::PostgresStore;
use crate::error::Failure;

fn forms(connection: &mut PgConnection) -> Forms<'_, PgConnection, Failure> {
    Forms::new(connection)
}

#[async_trait]
impl FormResults for PostgresStore {
    #[tracing::instrument(name = "db.form.claim", level = "debug", skip_all)]
    async fn claim(&self, key: FormKey, at: Timestamp) -> Result<FormClaim, RepositoryError> {
        self.pool
            .call(move |connection, in_doubt| {
                let claim = forms(connection).claim(key, at)?;
                // An earlier try of this call, whose end is not known, may have made the claim.
                let is_own = in_doubt
                    && claim == FormClaim::Unfinished
                    && forms(connection).is_claimed_at(key, at)?;
                Ok(if is_own { FormClaim::First } else { claim })
            })
            .await
    }

    #[tracing::instrument(name = "db.form.finish", level = "debug", skip_all)]
    async fn finish(&self, key: FormKey, result: &str) -> Result<(), RepositoryError> {
        let result = result.to_owned();
        self.pool
            .call(move |connection, _| forms(connection).finish(key, &result))
            .await
    }

    #[tracing::instrument(name = "db.form.give_up", level = "debug", skip_all)]
    async fn give_up(&self, key: FormKey) -> Result<(), RepositoryError> {
        self.pool
            .call(move |connection, _| forms(connection).give_up(key))
            .await
    }

    #[tracing::instrument(name = "db.form.prune", level = "debug", skip_all)]
    async fn prune_forms(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        self.pool
            .call(move |connection, _| forms(connection).prune(before, limit))
            .await
    }
}
