//! Operators: the people and programs of the shop, with what they may do, the tokens that they
//! call with, and the sessions that they work in.

mod auth;
mod form;
mod import;
mod password;
mod port;
mod preferences;
mod right;
mod role;
mod secret;
mod service;
mod session;
mod stores;
mod token;
mod upload;

use std::collections::BTreeSet;

use pressline_domain::event::Actor;
use pressline_domain::id::{OperatorId, StoreId};
use pressline_domain::time::Timestamp;

pub use auth::{AuthenticatedOperator, OperatorAuthenticator, OperatorDenied};
pub use form::{FormClaim, FormKey, FormResults, FormService};
pub use import::{
    CatalogFile, CatalogImported, FileImportError, ImportDraft, ImportFile, ImportServices,
    OperatorImports, OrderFile,
};
pub use password::{
    HashingError, PASSWORD_BYTES, PASSWORD_CHARS, Password, PasswordHash, PasswordHasher,
    PasswordProblem, Strength,
};
pub use port::{OperatorDirectory, Revocation};
pub use preferences::{InvalidZone, Paper, Preferences, PreferencesDraft, Theme, ZoneName};
pub use right::{RIGHTS, Right};
pub use role::OperatorRole;
pub use secret::{InvalidSecret, SecretBytes, SecretDigest, SecretSource, SecretText};
pub use service::{NewOperator, OperatorAdmin, OperatorError, OperatorNames, OperatorWithToken};
pub use session::{
    Account, AccountRepository, Activity, Client, Confirmation, MAX_SESSIONS, NewLink,
    OpenedSession, Proof, Session, SessionError, SessionPorts, SessionRepository, SessionService,
    SignInLink, SignedIn,
};
pub use stores::OperatorStores;
pub use token::{InvalidToken, OperatorToken, TOKEN_PREFIX, TokenText};
pub use upload::{Upload, UploadKey, UploadRepository, UploadService};

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
    pub fn actor(&self) -> Actor {
        match self.role {
            OperatorRole::Carrier => Actor::Carrier(self.id),
            OperatorRole::Viewer | OperatorRole::Operator | OperatorRole::Admin => {
                Actor::Operator(self.id)
            }
        }
    }

    /// Returns whether the operator may make a call, by its name in [`RIGHTS`].
    pub fn may(&self, call: &str) -> bool {
        let least = Right::least_role_for(call);
        least.is_some_and(|least| self.role.includes(least))
    }

    /// Returns whether the operator may see a store and what belongs to it. To the operator, all
    /// else does not exist.
    pub fn reaches(&self, store: StoreId) -> bool {
        let bound = self.stores.as_ref();
        bound.is_none_or(|stores| stores.contains(&store))
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
