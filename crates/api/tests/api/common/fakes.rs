//! Ports that count, fail on demand, or accept a fixed signature.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pressline_contract::{OrderCall, OrderHooks};
use pressline_domain::error::RepositoryError;
use pressline_domain::runtime::IdSource;
use pressline_domain::store::{Authenticated, Authenticator, Call, Denied, SignatureForm, Store};
use pressline_domain::value::{KeyId, Timestamp};
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

/// Hooks with the [`Fault`] that a test sets.
pub(super) struct Faults(pub(super) Arc<AtomicU8>);

impl Faults {
    fn is(&self, fault: Fault) -> bool {
        self.0.load(Ordering::Relaxed) == fault as u8
    }
}

#[async_trait]
impl OrderHooks for Faults {
    fn before_check_room(&self) -> Result<(), RepositoryError> {
        if self.is(Fault::Full) {
            return Err(RepositoryError::Unavailable("secret-queue is full".into()));
        }
        Ok(())
    }

    async fn before(&self, _call: OrderCall) -> Result<(), RepositoryError> {
        if self.is(Fault::Unavailable) {
            return Err(RepositoryError::Unavailable("secret-host refused".into()));
        }
        if self.is(Fault::Timeout) {
            return Err(RepositoryError::Timeout("secret-host is slow".into()));
        }
        if self.is(Fault::Refused) {
            return Err(RepositoryError::Refused(
                "syntax error at secret_table".into(),
            ));
        }
        assert!(!self.is(Fault::Panic), "a defect");
        Ok(())
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
