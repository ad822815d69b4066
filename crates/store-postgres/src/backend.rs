//! Runs the statements shared by PostgreSQL and SQLite, in PostgreSQL.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::Connection;
use diesel::pg::PgConnection;
use pressline_domain::error::Result;
use pressline_store_kit::{Access, Backend, Db, OPERATORS, Work};

use crate::PostgresStore;
use crate::dialect::DIALECT;
use crate::session::without_time_limit;

#[async_trait]
impl Backend for PostgresStore {
    async fn run(&self, access: Access, mut work: Work) -> Result<()> {
        let pool = Arc::clone(&self.pool);
        let mut work = move |connection: &mut PgConnection, in_doubt| {
            let mut db = Db::new(connection, &DIALECT);
            db.in_doubt = in_doubt;
            // Read for each attempt: only a connection finds out whether there are nodes.
            db.scope = pool.nodes().scope();
            work(&mut db)
        };
        match access {
            Access::Read | Access::Change => self.pool.call(work).await,
            Access::Search(store) => {
                let work = move |connection: &mut PgConnection| work(connection, false);
                self.pool.search(store, work).await
            }
            Access::OperatorSearch => {
                let work = move |connection: &mut PgConnection| work(connection, false);
                self.pool.search(OPERATORS, work).await
            }
            Access::Transaction => {
                self.pool
                    .call(move |connection, in_doubt| {
                        connection.transaction(|connection| work(connection, in_doubt))
                    })
                    .await
            }
            Access::AcrossStores => {
                let pool = Arc::clone(&self.pool);
                self.pool
                    .call(move |connection, in_doubt| {
                        connection.transaction(|connection| {
                            pool.nodes().prepare_for_several_stores(connection)?;
                            work(connection, in_doubt)
                        })
                    })
                    .await
            }
            Access::Unlimited | Access::Catalog => {
                self.pool
                    .call_outside(move |connection| {
                        connection.transaction(|connection| {
                            without_time_limit(connection)?;
                            work(connection, false)
                        })
                    })
                    .await
            }
        }
    }
}
