//! Runs the statements shared by PostgreSQL and SQLite, in PostgreSQL.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::Connection;
use diesel::connection::SimpleConnection;
use diesel::pg::PgConnection;
use pressline_domain::error::Result;
use pressline_store_kit::{Access, Backend, Db, Failure, OPERATORS, Work};

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
            // Read for each attempt: only a connection finds out whether tables are distributed.
            db.is_distributed = pool.is_distributed();
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
                            one_by_one(connection, pool.is_distributed())?;
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

/// Makes Citus change the nodes one after the other in the current transaction, if the tables are
/// `distributed`. After parallel changes, Citus would refuse to change a reference table.
fn one_by_one(connection: &mut PgConnection, distributed: bool) -> Result<(), Failure> {
    if distributed {
        connection.batch_execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")?;
    }
    Ok(())
}
