//! Rows and statements of form results.

use async_trait::async_trait;
use pressline_backoffice::operator::{FormClaim, FormKey, FormResults};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::time::Timestamp;

use crate::cold_store::{Access, ColdStore, Db};
use crate::cold_value::Values;
use crate::failure::Failure;

form_columns!(define_cold_row! FormRow);

pub(super) fn claim(db: &mut Db<'_>, key: FormKey, at: Timestamp) -> Result<FormClaim, Failure> {
    let mut values = key_values(key);
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
    // No row: the form was given up since the insert. It can be sent again, like a form without a
    // result.
    let result = find(db, key)?.and_then(|row| row.result);
    Ok(result.map_or(FormClaim::Unfinished, FormClaim::Done))
}

pub(super) fn is_claimed_at(db: &mut Db<'_>, key: FormKey, at: Timestamp) -> Result<bool, Failure> {
    let found = find(db, key)?;
    Ok(found.is_some_and(|row| row.claimed_at == at.as_millis()))
}

fn find(db: &mut Db<'_>, key: FormKey) -> Result<Option<FormRow>, Failure> {
    let found = db.first::<FormRow>(
        "SELECT form_results.*
         FROM form_results
         WHERE operator_id = :operator_id
           AND form_id = :form_id",
        &key_values(key),
    )?;
    Ok(found)
}

pub(super) fn finish(db: &mut Db<'_>, key: FormKey, result: &str) -> Result<(), Failure> {
    let mut values = key_values(key);
    values.push(("result", result.into()));
    db.run(
        "UPDATE form_results
         SET result = :result
         WHERE operator_id = :operator_id
           AND form_id = :form_id",
        &values,
    )
}

/// Deletes the claim of the unfinished form `key`, so that the form can be sent again.
pub(super) fn give_up(db: &mut Db<'_>, key: FormKey) -> Result<(), Failure> {
    db.run(
        "DELETE FROM form_results
         WHERE operator_id = :operator_id
           AND form_id = :form_id
           AND result IS NULL",
        &key_values(key),
    )
}

/// Deletes the oldest forms claimed before `before`, with or without a result.
pub(super) fn prune(db: &mut Db<'_>, before: Timestamp, limit: u32) -> Result<u64, Failure> {
    let rows = db.load::<FormRow>(
        "SELECT form_results.*
         FROM form_results
         WHERE claimed_at < :before
         ORDER BY claimed_at
         LIMIT :limit",
        &[("before", before.into()), ("limit", limit.into())],
    )?;
    let mut removed = 0;
    for row in rows {
        removed += db.execute(
            "DELETE FROM form_results
             WHERE operator_id = :operator_id
               AND form_id = :form_id",
            &[
                ("operator_id", row.operator_id.clone().into()),
                ("form_id", row.form_id.clone().into()),
            ],
        )?;
    }
    Ok(removed as u64)
}

fn key_values(key: FormKey) -> Values {
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
            let claim = claim(db, key, at)?;
            // An earlier attempt of this call may have made the claim.
            let is_own =
                db.in_doubt && claim == FormClaim::Unfinished && is_claimed_at(db, key, at)?;
            Ok(if is_own { FormClaim::First } else { claim })
        })
        .await
    }

    #[tracing::instrument(name = "db.form.finish", level = "debug", skip_all)]
    async fn finish(&self, key: FormKey, result: &str) -> Result<(), RepositoryError> {
        let result = result.to_owned();
        self.call(Access::Change, move |db| finish(db, key, &result))
            .await
    }

    #[tracing::instrument(name = "db.form.give_up", level = "debug", skip_all)]
    async fn give_up(&self, key: FormKey) -> Result<(), RepositoryError> {
        self.call(Access::Change, move |db| give_up(db, key)).await
    }

    #[tracing::instrument(name = "db.form.prune", level = "debug", skip_all)]
    async fn prune_forms(&self, before: Timestamp, limit: u32) -> Result<u64, RepositoryError> {
        self.call(Access::Change, move |db| prune(db, before, limit))
            .await
    }
}
