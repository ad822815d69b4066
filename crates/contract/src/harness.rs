//! Adapters and cases.

use std::any::Any;
use std::pin::Pin;
use std::sync::Arc;

use pressline_backoffice::audit::AuditLog;
use pressline_backoffice::note::NoteRepository;
use pressline_backoffice::operator::{
    AccountRepository, FormResults, OperatorDirectory, SessionRepository, UploadRepository,
};
use pressline_backoffice::overview::Overview;
use pressline_backoffice::production::{BatchRepository, ProgressRepository};
use pressline_backoffice::queue::OrderQueue;
use pressline_backoffice::restore::RestoredDatabase;
use pressline_backoffice::statistics::PlacedOrders;
use pressline_backoffice::task::TaskRepository;
use pressline_domain::catalog::{Catalog, CatalogAdmin};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{EndpointDisabled, EventFeed};
use pressline_domain::order::OrderRepository;
use pressline_domain::store::StoreDirectory;
use pressline_domain::value::StoreId;

use crate::error::CaseResult;

/// Adds the event that the service has disabled an endpoint of a store, like the product code that
/// disables endpoints, and returns the event's sequence number.
pub type AddEndpointEvent = Arc<
    dyn Fn(
            StoreId,
            EndpointDisabled,
        ) -> Pin<Box<dyn Future<Output = Result<u64, RepositoryError>> + Send>>
        + Send
        + Sync,
>;

/// Adapters over one new, empty database.
#[derive(Clone)]
pub struct Adapters {
    /// Orders of the stores in `stores`.
    pub orders: Arc<dyn OrderRepository>,
    /// Operators' queries across the stores of `orders`.
    pub queue: Arc<dyn OrderQueue>,
    /// Events of `orders`.
    pub feed: Arc<dyn EventFeed>,
    /// Adds an event about an endpoint to `feed`.
    pub add_endpoint_event: AddEndpointEvent,
    /// Directory of the stores that own `orders`.
    pub stores: Arc<dyn StoreDirectory>,
    /// Catalog that `orders` are priced with.
    pub catalog: Arc<dyn Catalog>,
    /// Imports into `catalog`.
    pub catalog_admin: Arc<dyn CatalogAdmin>,
    /// Operators and their tokens.
    pub operators: Arc<dyn OperatorDirectory>,
    /// Sessions of `operators`.
    pub sessions: Arc<dyn SessionRepository>,
    /// Passwords and preferences of `operators`.
    pub accounts: Arc<dyn AccountRepository>,
    /// Audit log.
    pub audit: Arc<dyn AuditLog>,
    /// Results of forms.
    pub forms: Arc<dyn FormResults>,
    /// Uploaded import files.
    pub uploads: Arc<dyn UploadRepository>,
    /// Tasks of operators.
    pub tasks: Arc<dyn TaskRepository>,
    /// Notes about `orders`.
    pub notes: Arc<dyn NoteRepository>,
    /// Production progress of the items of `orders`.
    pub progress: Arc<dyn ProgressRepository>,
    /// Production batches.
    pub batches: Arc<dyn BatchRepository>,
    /// Skips the counters of `orders`, `batches` and `sessions`.
    pub restored: Arc<dyn RestoredDatabase>,
    /// Overview of `orders`, `progress` and `batches`.
    pub overview: Arc<dyn Overview>,
    /// Placed orders for reports, from `orders` and `progress`.
    pub statistics: Arc<dyn PlacedOrders>,
    /// Value that must live as long as the adapters, such as a temporary folder or database.
    /// Dropped last, outside the runtime.
    pub keep: Arc<dyn Any + Send + Sync>,
}

/// Case about adapters with I/O.
pub(crate) struct Case<A = Adapters> {
    pub(crate) name: &'static str,
    pub(crate) run: fn(A) -> Pin<Box<dyn Future<Output = CaseResult>>>,
}

/// Case about a port without I/O.
pub(crate) struct PureCase<P: ?Sized> {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&P) -> CaseResult,
}

/// Lists the cases of a port, each under the name of its function.
macro_rules! cases {
    ($($case:ident),+ $(,)?) => {
        &[$($crate::harness::Case { name: stringify!($case), run: |adapters| Box::pin($case(adapters)) }),+]
    };
}

/// Same as [`cases`], for a port without I/O.
macro_rules! pure_cases {
    ($($case:ident),+ $(,)?) => {
        &[$($crate::harness::PureCase { name: stringify!($case), run: $case }),+]
    };
}

pub(crate) use {cases, pure_cases};
