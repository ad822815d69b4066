//! Rows and statements of form results.

use async_trait::async_trait;
use pressline_backoffice::operator::{FormClaim, FormKey, FormResults};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::Timestamp;

use crate::cold_store::{Access, ColdStore, Db};
use crate::failure::Failure;
use crate::sql::{Row, Values};

#[derive(Clone, PartialEq, Row)]
pub(crate) struct FormRow {
    pub(crate) operator_id: String,
    pub(crate) form_id: String,
    pub(crate) claimed_at: i64,
    pub(crate) result: Option<String>,
}

fn find(db: &mut Db<'_>, key: FormKey) -> Result<Option<FormRow>, Failure> {
    let row = db.first::<FormRow>(
        "SELECT operator_id, form_id, claimed_at, result
         FROM form_results
         WHERE operator_id = :operator_id
           AND form_id = :form_id",
        &key_values(key),
    )?;
    Ok(row)
}

fn key_values(key: FormKey) -> Values<'static> {
    vec![
        ("operator_id", key.operator.into()),
        ("form_id", key.form.into()),
    ]
}

#[async_trait]
impl FormResults for ColdStore {
    #[tracing::instrument(name = "db.form.claim", level = "debug", skip_all)]
    async fn claim(&self, key: FormKey, at: Timestamp) -> Result<FormClaim, RepositoryError> {
        self.call(Access::Change, move |db| {
            let mut values: Values<'_> = key_values(key);
            values.push(("claimed_at", at.into()));
            let claimed = db.execute(
                "INSERT INTO form_results (operator_id, form_id, claimed_at)
                 VALUES (:operator_id, :form_id, :claimed_at)
                 ON CONFLICT DO NOTHING",
                &values,
            )?;
            if claimed > 0 {
                return Ok(FormClaim::First);
            }
            // No row: the form was given up since the insert. It can be sent again, like a form
            // without a result.
            Ok(match find(db, key)? {
                Some(FormRow {
                    result: Some(result),
                    ..
                }) => FormClaim::Done(result),
                // An earlier attempt of this call may have made the claim.
                Some(row) if db.in_doubt && row.claimed_at == at.as_millis() => FormClaim::First,
                _ => FormClaim::Unfinished,
            })
        })
        .await
    }

    #[tracing::instrument(name = "db.form.finish", level = "debug", skip_all)]
    async fn finish(&self, key: FormKey, result: &str) -> Result<(), RepositoryError> {
        let mut values: Values<'_> = key_values(key);
        values.push(("result", result.into()));
        let text = "UPDATE form_results
             SET result = :result
             WHERE operator_id = :operator_id
               AND form_id = :form_id";
        self.execute(text, values).await?;
        Ok(())
    }

    #[tracing::instrument(name = "db.form.give_up", level = "debug", skip_all)]
    async fn give_up(&self, key: FormKey) -> Result<(), RepositoryError> {
        let text = "DELETE FROM form_results
             WHERE operator_id = :operator_id
               AND form_id = :form_id
               AND result IS NULL";
        self.execute(text, key_values(key)).await?;
        Ok(())
    }

    #[tracing::instrument(name = "db.form.prune", level = "debug", skip_all)]
    async fn prune_forms(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        let removed = self.execute(
            "DELETE FROM form_results
             WHERE (operator_id, form_id) IN (
                 SELECT operator_id, form_id
                 FROM form_results
                 WHERE claimed_at < :before
                 ORDER BY claimed_at, operator_id, form_id
                 LIMIT :limit
             )",
            vec![("before", before.into()), ("limit", limit.into())],
        );
        Ok(removed.await? as u64)
    }
}
