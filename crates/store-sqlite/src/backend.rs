//! Runs the statements shared by PostgreSQL and SQLite, in SQLite.

use std::sync::Arc;

use async_trait::async_trait;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::Result;
use pressline_store_kit::{Access, Backend, Db, OPERATORS, Work, blocking};

use crate::SqliteStore;
use crate::catalog::change_alone;
use crate::dialect::DIALECT;

#[async_trait]
impl Backend for SqliteStore {
    async fn run(&self, access: Access, mut work: Work) -> Result<()> {
        let work =
            move |connection: &mut SqliteConnection| work(&mut Db::new(connection, &DIALECT));
        match access {
            Access::Read => self.readers.call(work).await,
            Access::Search(store) => self.readers.search(store, work).await,
            Access::OperatorSearch => self.readers.search(OPERATORS, work).await,
            // All alike, because the only writing connection runs each in a transaction.
            Access::Change | Access::Transaction | Access::AcrossStores | Access::Unlimited => {
                self.change_alone(work).await
            }
            Access::Catalog => {
                let opener = Arc::clone(&self.opener);
                blocking(move || change_alone(&opener, work)).await
            }
        }
    }
}
