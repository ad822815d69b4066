//! Examines a server and a database before they are used.

mod facts;
mod rules;

use pressline_domain::error::RepositoryError;
use pressline_store_kit::{DatabaseUse, Deficiency};

use crate::PostgresStore;
use crate::migrations::MIGRATIONS;

impl PostgresStore {
    /// Returns the deficiencies of this database, refusals first. Changes nothing. Examine a
    /// database once, before it is migrated or served from.
    ///
    /// # Errors
    /// [`RepositoryError::Unavailable`] if the server cannot be reached, or if another build made
    /// the database.
    pub async fn examine(&self, purpose: DatabaseUse) -> Result<Vec<Deficiency>, RepositoryError> {
        let manager = self.pool.manager();
        let mut facts = self
            .pool
            .call(|connection, _| {
                let mut facts = facts::read(connection)?;
                if facts.knows_migrations() {
                    facts.has_pending = !MIGRATIONS.pending(connection)?.is_empty();
                }
                Ok(facts)
            })
            .await?;
        // Through a pooler, the server has other connections than this process.
        facts.connections = (!manager.has_pooler()).then(|| manager.connections());
        Ok(rules::deficiencies(&facts, purpose))
    }
}

#[cfg(test)]
mod session_tests {
    use diesel::dsl::sql;
    use diesel::prelude::*;
    use diesel::sql_types::Text;
    use pressline_testkit::Postgres;

    use crate::{PostgresConfig, PostgresStore};

    #[tokio::test]
    async fn sessions_have_the_settings_that_the_service_relies_on() {
        let cluster = Postgres::start().unwrap();
        let database = cluster.create_database().unwrap();
        let settings = [
            ("synchronous_commit", "off", "on"),
            ("standard_conforming_strings", "off", "on"),
            ("gin_fuzzy_search_limit", "100", "0"),
            (
                "default_transaction_isolation",
                "serializable",
                "read committed",
            ),
        ];
        for (name, value, _) in settings {
            let set = format!(
                "ALTER DATABASE \"{}\" SET {name} = '{value}'",
                database.name()
            );
            database.execute(&set).unwrap();
        }
        let store = PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap();
        for (name, _, right) in settings {
            let shown = store.pool.call(move |connection, _| {
                let show = format!("current_setting('{name}')");
                Ok(diesel::select(sql::<Text>(&show)).get_result::<String>(connection)?)
            });
            assert_eq!(shown.await.unwrap(), right, "{name}");
        }
    }
}
