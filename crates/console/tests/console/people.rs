//! Operators, passwords and secrets.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::operator::{
    HashingError, Operator, OperatorDirectory, OperatorRecord, OperatorRole, Password,
    PasswordHash, PasswordHasher, SecretBytes, SecretSource, Strength,
};
use pressline_domain::error::Source;
use pressline_domain::runtime::IdSource;
use pressline_domain::value::{OperatorId, StoreId, Timestamp};
use uuid::Uuid;

use crate::shop::{NOW, store};

pub(crate) async fn operators_in_memory() -> MemoryOperators {
    let operators = MemoryOperators::default();
    for operator in operators_of_all_roles() {
        let record = OperatorRecord {
            operator,
            tokens: Vec::new(),
        };
        operators.add(&record).await.unwrap();
    }
    operators
}

/// Operators of each role with access to all stores, and an admin bound to the store `SUN`.
pub(crate) fn operators_of_all_roles() -> Vec<Operator> {
    let bound: BTreeSet<StoreId> = [store("SUN").id].into();
    let operators = [
        ("vera", OperatorRole::Viewer, None),
        ("otto", OperatorRole::Operator, None),
        ("ana", OperatorRole::Admin, None),
        ("bert", OperatorRole::Admin, Some(bound)),
        ("<script>alert(1)</script>", OperatorRole::Admin, None),
    ];
    let operators = operators.into_iter().enumerate();
    operators
        .map(|(number, (name, role, stores))| Operator {
            id: OperatorId::new(Uuid::from_u128(number as u128 + 1)),
            name: name.to_owned(),
            role,
            stores,
            created_at: Timestamp::from_millis(NOW),
        })
        .collect()
}

#[derive(Default)]
pub(crate) struct CountedIds(AtomicU64);

impl IdSource for CountedIds {
    fn next(&self, _now: Timestamp) -> Uuid {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Uuid::from_u128(0x01a1_f5f6_f249_7c3a_9d52_0000_0000_0000 + u128::from(number))
    }
}

#[derive(Default)]
pub(crate) struct CountedSecrets(AtomicU64);

impl SecretSource for CountedSecrets {
    fn secret(&self) -> Result<SecretBytes, Source> {
        let mut bytes = SecretBytes::default();
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        Ok(bytes)
    }
}

/// Hashes of passwords are the passwords themselves.
pub(crate) struct PlainHasher;

#[async_trait]
impl PasswordHasher for PlainHasher {
    async fn strength(&self, password: &Password, _: &[&str]) -> Result<Strength, HashingError> {
        let is_common = password.expose().starts_with("password");
        Ok(Strength {
            score: if is_common { 0 } else { 4 },
            advice: String::new(),
        })
    }

    async fn hash(&self, password: &Password) -> Result<PasswordHash, HashingError> {
        Ok(PasswordHash::new(password.expose().to_owned()))
    }

    async fn is_of(
        &self,
        hash: Option<&PasswordHash>,
        password: &Password,
    ) -> Result<bool, HashingError> {
        Ok(hash.is_some_and(|hash| hash.as_str() == password.expose()))
    }
}
