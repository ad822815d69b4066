//! Whose endpoints a call reaches.

use std::collections::BTreeSet;

use super::endpoint::{Endpoint, EndpointOwner, EndpointScope};
use crate::operator::Operator;
use crate::store::parsed;
use pressline_domain::field::Field;
use pressline_domain::id::StoreId;
use pressline_domain::report::Report;
use pressline_domain::store::Store;

/// Who calls, and so whose endpoints the call reaches.
#[derive(Debug, Clone, Copy)]
pub enum EndpointCaller<'a> {
    /// A store: its own endpoints.
    Store(&'a Store),
    /// The shop: its endpoints, or those of the store that the request names. An operator that is bound to
    /// some stores reaches no others, and no endpoint that hears others.
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
        let named = match self {
            Self::Store(store) => Some(store.id),
            Self::Shop(_) => parsed(store, "storeId", report),
        };
        EndpointTarget {
            owner: named.map_or(EndpointOwner::Shop, EndpointOwner::Store),
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
                EndpointScope::AllStores => self.bound.is_none(),
                EndpointScope::Stores(stores) => stores.iter().all(|id| self.has_store(*id)),
            }
    }
}
