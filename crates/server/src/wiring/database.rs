//! The database behind the ports.

use async_trait::async_trait;
use pressline_backoffice::overview::Overview;
use pressline_backoffice::queue::OrderQueue;
use pressline_backoffice::statistics::PlacedOrders;
use pressline_domain::catalog::{Catalog, CatalogAdmin};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::EventFeed;
use pressline_domain::order::OrderRepository;
use pressline_store_postgres::{ColdStore, DatabaseFacts, PostgresStore, WriteQueue};
use pressline_store_sqlite::SqliteStore;

/// The ports with statements of each backend, the others as [`ColdStore`], and the functions for its administration.
#[async_trait]
pub(crate) trait Database:
    OrderRepository + OrderQueue + EventFeed + Overview + PlacedOrders + Catalog + CatalogAdmin
{
    /// Returns the name of the engine for people.
    fn engine(&self) -> &'static str;
    async fn migrate(&self) -> Result<Vec<String>, RepositoryError>;
    /// Returns the names of the migrations that the database lacks.
    async fn pending(&self) -> Result<Vec<String>, RepositoryError>;
    async fn facts(&self) -> Result<DatabaseFacts, RepositoryError>;
    fn writes(&self) -> WriteQueue;
    /// Returns the ports whose statements both backends share.
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

            async fn facts(&self) -> Result<DatabaseFacts, RepositoryError> {
                <$store>::facts(self).await
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
