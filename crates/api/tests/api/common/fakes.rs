//! Ports that count, fail on demand, or accept a fixed signature.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pressline_domain::error::RepositoryError;
use pressline_domain::event::Event;
use pressline_domain::memory::MemoryOrders;
use pressline_domain::order::search::{SearchQuery, SearchResult};
use pressline_domain::order::{
    DueOrder, FastForward, FastForwardResult, Lookup, Order, OrderRepository, OrderWrite,
    ShipmentLookup, ShipmentMatch,
};
use pressline_domain::runtime::IdSource;
use pressline_domain::store::{Authenticated, Authenticator, Call, Denied, SignatureForm, Store};
use pressline_domain::value::{KeyId, OrderId, StoreId, Timestamp};
use pressline_http::{Check, Readiness};
use uuid::Uuid;

use super::{BLIND, GOOD, LATE, STORE, UNTIMED};

/// Consecutive ids with the timestamp [`NOW`](super::NOW).
#[derive(Default)]
pub(crate) struct CountedIds(AtomicU64);

impl IdSource for CountedIds {
    fn next(&self, _now: Timestamp) -> Uuid {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Uuid::from_u128(0x018f_f5f6_f249_7c3a_9d52_0000_0000_0000 + u128::from(number))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Fault {
    None,
    Unavailable,
    Timeout,
    Refused,
    /// The write queue is full.
    Full,
    Panic,
}

/// The in-memory repository with the [`Fault`] that a test sets.
pub(super) struct Faulty {
    pub(super) orders: MemoryOrders,
    pub(super) fault: Arc<AtomicU8>,
}

impl Faulty {
    fn fault(&self) -> Result<(), RepositoryError> {
        let is = |fault: Fault| self.fault.load(Ordering::Relaxed) == fault as u8;
        if is(Fault::Unavailable) {
            return Err(RepositoryError::Unavailable("secret-host refused".into()));
        }
        if is(Fault::Timeout) {
            return Err(RepositoryError::Timeout("secret-host is slow".into()));
        }
        if is(Fault::Refused) {
            return Err(RepositoryError::Refused(
                "syntax error at secret_table".into(),
            ));
        }
        assert!(!is(Fault::Panic), "a defect");
        Ok(())
    }
}

#[async_trait]
impl OrderRepository for Faulty {
    fn check_room(&self, _store: StoreId) -> Result<(), RepositoryError> {
        if self.fault.load(Ordering::Relaxed) == Fault::Full as u8 {
            return Err(RepositoryError::Unavailable("secret-queue is full".into()));
        }
        Ok(())
    }

    async fn write(&self, write: OrderWrite) -> Result<Order, RepositoryError> {
        self.fault()?;
        self.orders.write(write).await
    }

    async fn find(
        &self,
        store: StoreId,
        lookup: &Lookup,
    ) -> Result<Option<Order>, RepositoryError> {
        self.fault()?;
        self.orders.find(store, lookup).await
    }

    async fn search(
        &self,
        store: StoreId,
        query: &SearchQuery,
    ) -> Result<SearchResult, RepositoryError> {
        self.fault()?;
        self.orders.search(store, query).await
    }

    async fn load(
        &self,
        store: StoreId,
        ids: &[OrderId],
        bytes: u64,
    ) -> Result<Vec<Order>, RepositoryError> {
        self.fault()?;
        self.orders.load(store, ids, bytes).await
    }

    async fn events(
        &self,
        store: StoreId,
        order: OrderId,
        latest: u64,
        count: u32,
    ) -> Result<Vec<Event>, RepositoryError> {
        self.fault()?;
        self.orders.events(store, order, latest, count).await
    }

    async fn take_due(
        &self,
        now: Timestamp,
        until: Timestamp,
        count: u32,
    ) -> Result<Vec<DueOrder>, RepositoryError> {
        self.fault()?;
        self.orders.take_due(now, until, count).await
    }

    async fn fast_forward(
        &self,
        store: StoreId,
        fast_forward: &FastForward,
    ) -> Result<FastForwardResult, RepositoryError> {
        self.fault()?;
        self.orders.fast_forward(store, fast_forward).await
    }

    async fn find_shipments(
        &self,
        stores: Option<&BTreeSet<StoreId>>,
        lookup: &ShipmentLookup,
        count: u32,
    ) -> Result<Vec<ShipmentMatch>, RepositoryError> {
        self.fault()?;
        self.orders.find_shipments(stores, lookup, count).await
    }

    async fn ping(&self) -> Result<(), RepositoryError> {
        self.fault()?;
        self.orders.ping().await
    }
}

/// Accepts [`GOOD`]; the other constants stand for their errors.
pub(super) struct FakeAuthenticator {
    pub(super) store: Arc<Store>,
    pub(super) unsigned_search: Arc<AtomicBool>,
    pub(super) paths: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl Authenticator for FakeAuthenticator {
    async fn authenticate(&self, call: &Call<'_>) -> Result<Authenticated, Denied> {
        self.paths.lock().unwrap().push(call.path.to_owned());
        if call.store_id != Some(STORE) {
            return Err(Denied::Permission("unknown store"));
        }
        match call.signature {
            Some(GOOD) => Ok(Authenticated {
                store: self.store.clone(),
                key: Some(KeyId::new(Uuid::from_u128(1))),
            }),
            Some(LATE) => Err(Denied::TimestampOutOfRange),
            Some(UNTIMED) => Err(Denied::TimestampRequired),
            Some(BLIND) => Err(RepositoryError::Unavailable("secret-host".into()).into()),
            None if call.form == SignatureForm::PlainOrNone
                && self.unsigned_search.load(Ordering::Relaxed) =>
            {
                Ok(Authenticated {
                    store: self.store.clone(),
                    key: None,
                })
            }
            None => Err(Denied::Permission("no signature")),
            Some(_) => Err(Denied::Permission("bad signature")),
        }
    }
}

pub(crate) struct FakeReadiness(pub(crate) Vec<Check>);

#[async_trait]
impl Readiness for FakeReadiness {
    async fn checks(&self) -> Vec<Check> {
        self.0.clone()
    }
}
