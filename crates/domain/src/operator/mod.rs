//! Operators: the people and programs of the shop, with what they may do and the tokens that they
//! call with.

mod auth;
mod port;
mod right;
mod role;
mod service;
mod stores;
mod token;

use std::collections::BTreeSet;

use crate::event::Actor;
use crate::id::{OperatorId, StoreId};
use crate::time::Timestamp;

pub use auth::{AuthenticatedOperator, OperatorAuthenticator, OperatorDenied};
pub use port::{OperatorDirectory, Revocation};
pub use right::{RIGHTS, Right, rights_table};
pub use role::OperatorRole;
pub use service::{NewOperator, OperatorAdmin, OperatorError, OperatorWithToken};
pub use stores::OperatorStores;
pub use token::{
    InvalidToken, OperatorToken, SecretSource, TOKEN_PREFIX, TokenDigest, TokenSecret, TokenText,
};

/// An operator. It never changes, and it is never removed: the history of orders names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// Its id, which events contain.
    pub id: OperatorId,
    /// Its name, unique among operators.
    pub name: String,
    /// What it may do.
    pub role: OperatorRole,
    /// The stores that it is bound to; `None` for all stores.
    pub stores: Option<BTreeSet<StoreId>>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Operator {
    /// Returns the operator as the one who changes an order: a carrier where it has that role.
    #[must_use]
    pub fn actor(&self) -> Actor {
        match self.role {
            OperatorRole::Carrier => Actor::Carrier(self.id),
            OperatorRole::Viewer | OperatorRole::Operator | OperatorRole::Admin => {
                Actor::Operator(self.id)
            }
        }
    }

    /// Returns whether the operator may see a store and what belongs to it. To the operator, all
    /// else does not exist.
    #[must_use]
    pub fn reaches(&self, store: StoreId) -> bool {
        self.stores
            .as_ref()
            .is_none_or(|stores| stores.contains(&store))
    }
}

/// An operator with its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorRecord {
    /// The operator.
    pub operator: Operator,
    /// Its tokens, oldest first. A revoked one is not among them, an expired one is.
    pub tokens: Vec<OperatorToken>,
}
