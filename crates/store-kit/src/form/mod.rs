//! The results of forms: their rows, and the statements about them.

use std::marker::PhantomData;

use diesel::connection::LoadConnection;
use diesel::prelude::*;
use diesel::query_builder::QueryFragment;
use diesel::query_dsl::methods::LoadQuery;
use pressline_domain::error::RepositoryError;
use pressline_domain::operator::{FormClaim, FormKey};
use pressline_domain::time::Timestamp;

use crate::cold::{Cold, Value, execute, load};
use crate::schema::form_results;

form_columns!(define_row!
    /// A form that was claimed.
    #[derive(Debug, QueryableByName)]
    #[diesel(table_name = form_results, primary_key(operator_id, form_id))]
    FormRow
);

/// The results of forms that a connection reads and writes. `F` is the error that ends the
/// transaction.
#[derive(Debug)]
pub struct Forms<'c, C, F> {
    connection: &'c mut C,
    failure: PhantomData<F>,
}

impl<'c, C, F> Forms<'c, C, F> {
    /// Returns those of a connection.
    pub fn new(connection: &'c mut C) -> Self {
        Self {
            connection,
            failure: PhantomData,
        }
    }
}

impl<C, F> Forms<'_, C, F>
where
    C: LoadConnection,
    F: From<diesel::result::Error> + From<RepositoryError>,
    Cold<()>: QueryFragment<C::Backend>,
    for<'q> Cold<form_results::SqlType>: LoadQuery<'q, C, FormRow>,
{
    /// Claims a form.
    ///
    /// # Errors
    /// As the database fails.
    pub fn claim(&mut self, key: FormKey, at: Timestamp) -> Result<FormClaim, F> {
        let mut values = key_values(key);
        values.push(("claimed_at", Value::BigInt(at.as_millis())));
        let claimed = execute(
            self.connection,
            "INSERT INTO form_results (operator_id, form_id, claimed_at)
             VALUES (:operator_id, :form_id, :claimed_at)
             ON CONFLICT DO NOTHING",
            &values,
        )?;
        if claimed > 0 {
            return Ok(FormClaim::First);
        }
        // A form that was given up in between can be sent again, as one without a result.
        let result = self.find(key)?.and_then(|row| row.result);
        Ok(result.map_or(FormClaim::Unfinished, FormClaim::Done))
    }

    /// Returns whether a form was claimed at this moment.
    ///
    /// # Errors
    /// As the database fails.
    pub fn is_claimed_at(&mut self, key: FormKey, at: Timestamp) -> Result<bool, F> {
        let found = self.find(key)?;
        Ok(found.is_some_and(|row| row.claimed_at == at.as_millis()))
    }

    fn find(&mut self, key: FormKey) -> Result<Option<FormRow>, F> {
        let found = load::<form_results::SqlType, FormRow, _>(
            self.connection,
            "SELECT form_results.*
             FROM form_results
             WHERE operator_id = :operator_id
               AND form_id = :form_id",
            &key_values(key),
        )?;
        Ok(found.into_iter().next())
    }

    /// Stores the result of a form.
    ///
    /// # Errors
    /// As the database fails.
    pub fn finish(&mut self, key: FormKey, result: &str) -> Result<(), F> {
        let mut values = key_values(key);
        values.push(("result", Value::text(result)));
        execute(
            self.connection,
            "UPDATE form_results
             SET result = :result
             WHERE operator_id = :operator_id
               AND form_id = :form_id",
            &values,
        )?;
        Ok(())
    }

    /// Removes a form without a result.
    ///
    /// # Errors
    /// As the database fails.
    pub fn give_up(&mut self, key: FormKey) -> Result<(), F> {
        execute(
            self.connection,
            "DELETE FROM form_results
             WHERE operator_id = :operator_id
               AND form_id = :form_id
               AND result IS NULL",
            &key_values(key),
        )?;
        Ok(())
    }

    /// Removes forms that were claimed before a moment, oldest first.
    ///
    /// # Errors
    /// As the database fails.
    pub fn prune(&mut self, before: Timestamp, limit: u32) -> Result<u64, F> {
        let rows = load::<form_results::SqlType, FormRow, _>(
            self.connection,
            "SELECT form_results.*
             FROM form_results
             WHERE claimed_at < :before
             ORDER BY claimed_at
             LIMIT :limit",
            &[
                ("before", Value::BigInt(before.as_millis())),
                ("limit", Value::BigInt(i64::from(limit))),
            ],
        )?;
        let mut removed = 0;
        for row in rows {
            removed += execute(
                self.connection,
                "DELETE FROM form_results
                 WHERE operator_id = :operator_id
                   AND form_id = :form_id",
                &[
                    ("operator_id", Value::text(&row.operator_id)),
                    ("form_id", Value::text(&row.form_id)),
                ],
            )?;
        }
        Ok(removed as u64)
    }
}

fn key_values(key: FormKey) -> Vec<(&'static str, Value)> {
    vec![
        ("operator_id", Value::Text(key.operator.to_string())),
        ("form_id", Value::Text(key.form.to_string())),
    ]
}
