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
use pressline_backoffice::statistics::PlacedOrders;
use pressline_backoffice::task::TaskRepository;
use pressline_domain::catalog::{Catalog, CatalogAdmin};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::{EndpointDisabled, EventFeed};
use pressline_domain::id::StoreId;
use pressline_domain::order::OrderRepository;
use pressline_domain::store::StoreDirectory;

use crate::error::CaseResult;

/// Adds the event that the service has disabled an endpoint of a store, as what disables it does, and
/// returns its sequence.
pub type AddEndpointEvent = Arc<
    dyn Fn(
            StoreId,
            EndpointDisabled,
        ) -> Pin<Box<dyn Future<Output = Result<u64, RepositoryError>> + Send>>
        + Send
        + Sync,
>;

/// Adapters over one and the same new, empty set of data.
#[derive(Clone)]
pub struct Adapters {
    /// Orders, of the stores in `stores`.
    pub orders: Arc<dyn OrderRepository>,
    /// The same orders, for calls about several stores.
    pub queue: Arc<dyn OrderQueue>,
    /// The events of the same orders.
    pub feed: Arc<dyn EventFeed>,
    /// Adds an event that concerns no order to these.
    pub add_endpoint_event: AddEndpointEvent,
    /// Stores.
    pub stores: Arc<dyn StoreDirectory>,
    /// What orders are priced with.
    pub catalog: Arc<dyn Catalog>,
    /// The same, to import into.
    pub catalog_admin: Arc<dyn CatalogAdmin>,
    /// Operators and their tokens.
    pub operators: Arc<dyn OperatorDirectory>,
    /// Sessions of the same operators.
    pub sessions: Arc<dyn SessionRepository>,
    /// Passwords and preferences of the same operators.
    pub accounts: Arc<dyn AccountRepository>,
    /// The audit.
    pub audit: Arc<dyn AuditLog>,
    /// Results of forms.
    pub forms: Arc<dyn FormResults>,
    /// Files of imports.
    pub uploads: Arc<dyn UploadRepository>,
    /// Tasks.
    pub tasks: Arc<dyn TaskRepository>,
    /// Notes about orders.
    pub notes: Arc<dyn NoteRepository>,
    /// Progress of items.
    pub progress: Arc<dyn ProgressRepository>,
    /// Batches.
    pub batches: Arc<dyn BatchRepository>,
    /// The overview of these.
    pub overview: Arc<dyn Overview>,
    /// What figures read of these.
    pub figures: Arc<dyn PlacedOrders>,
    /// What has to stay while the adapters are in use, such as a folder or a database that is
    /// removed when it is dropped. Dropped last, outside of the runtime.
    pub keep: Arc<dyn Any + Send + Sync>,
}

/// A case about repositories.
pub(crate) struct Case<A = Adapters> {
    pub(crate) name: &'static str,
    pub(crate) run: fn(A) -> Pin<Box<dyn Future<Output = CaseResult>>>,
}

/// A case about a port that does no I/O.
pub(crate) struct PureCase<P: ?Sized> {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&P) -> CaseResult,
}

/// The list of a port's cases, each named as its function.
macro_rules! cases {
    ($($case:ident),+ $(,)?) => {
        &[$($crate::harness::Case { name: stringify!($case), run: |adapters| Box::pin($case(adapters)) }),+]
    };
}

/// As [`cases`], for a port that does no I/O.
macro_rules! pure_cases {
    ($($case:ident),+ $(,)?) => {
        &[$($crate::harness::PureCase { name: stringify!($case), run: $case }),+]
    };
}

pub(crate) use {cases, pure_cases};
