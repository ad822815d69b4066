//! Common trait of the database backends.

use async_trait::async_trait;
use pressline_backoffice::queue::OrderQueue;
use pressline_domain::catalog::Catalog;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::EventFeed;
use pressline_domain::order::OrderRepository;
use pressline_store_postgres::{ColdStore, PostgresStore, WriteQueue};
use pressline_store_sqlite::SqliteStore;

/// Database backend. Its supertraits are the repositories that each backend implements with its own
/// SQL. [`ColdStore`] implements all other repositories for all backends.
#[async_trait]
pub(crate) trait Database: OrderRepository + OrderQueue + EventFeed + Catalog {
    fn engine(&self) -> &'static str;
    async fn migrate(&self) -> Result<Vec<String>, RepositoryError>;
    async fn pending(&self) -> Result<Vec<String>, RepositoryError>;
    fn writes(&self) -> WriteQueue;
    fn cold(&self) -> ColdStore;
}

macro_rules! database {
    ($store:ty, $engine:literal) => {
        #[async_trait]
        impl Database for $store {
            fn engine(&self) -> &'static str {
                $engine
            }

            async fn migrate(&self) -> Result<Vec<String>, RepositoryError> {
                <$store>::migrate(self).await
            }

            async fn pending(&self) -> Result<Vec<String>, RepositoryError> {
                <$store>::pending(self).await
            }

            fn writes(&self) -> WriteQueue {
                <$store>::writes(self)
            }

            fn cold(&self) -> ColdStore {
                <$store>::cold(self)
            }
        }
    };
}

database!(SqliteStore, "SQLite");
database!(PostgresStore, "PostgreSQL");
