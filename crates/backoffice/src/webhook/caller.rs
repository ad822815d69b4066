//! Scope of callers: the endpoints that a call has access to.

use std::collections::BTreeSet;

use super::endpoint::{Endpoint, EndpointOwner, EndpointScope};
use crate::fields::parsed;
use crate::operator::Operator;
use pressline_domain::check::{Field, Report};
use pressline_domain::store::Store;
use pressline_domain::value::StoreId;

/// Caller of a request; it determines the endpoints that the call has access to.
#[derive(Debug, Clone, Copy)]
pub enum EndpointCaller<'a> {
    /// A store; it has access to its own endpoints.
    Store(&'a Store),
    /// An operator, with the stores that it is bound to; `None` for all stores. It has access to
    /// the endpoints of the print shop, or of the store that the request names. All stores of an
    /// accessible endpoint are in the set.
    Shop(Option<&'a BTreeSet<StoreId>>),
}

impl<'a> From<&'a Store> for EndpointCaller<'a> {
    fn from(store: &'a Store) -> Self {
        Self::Store(store)
    }
}

impl<'a> From<&'a Operator> for EndpointCaller<'a> {
    fn from(operator: &'a Operator) -> Self {
        Self::Shop(operator.stores.as_ref())
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct EndpointTarget<'a> {
    pub(super) owner: EndpointOwner,
    pub(super) caller: Option<&'a Store>,
    pub(super) bound: Option<&'a BTreeSet<StoreId>>,
}

impl<'a> EndpointCaller<'a> {
    pub(super) fn owner(self, store: &Field<String>, report: &mut Report) -> EndpointTarget<'a> {
        let (caller, bound) = match self {
            Self::Store(store) => (Some(store), None),
            Self::Shop(bound) => (None, bound),
        };
        let store_id = match self {
            // In calls of stores, `storeId` is ignored.
            Self::Store(store) => Some(store.id),
            Self::Shop(_) => parsed(store, "storeId", report),
        };
        EndpointTarget {
            owner: store_id.map_or(EndpointOwner::Shop, EndpointOwner::Store),
            caller,
            bound,
        }
    }
}

impl EndpointTarget<'_> {
    pub(super) fn has_store(&self, store: StoreId) -> bool {
        self.bound.is_none_or(|bound| bound.contains(&store))
    }

    pub(super) fn has(&self, endpoint: &Endpoint) -> bool {
        endpoint.scope.owner() == self.owner
            && match &endpoint.scope {
                EndpointScope::Store(store) => self.has_store(*store),
                // An endpoint for all stores also receives events of stores outside the operator's
                // scope.
                EndpointScope::AllStores => self.bound.is_none(),
                EndpointScope::Stores(stores) => stores.iter().all(|id| self.has_store(*id)),
            }
    }
}
