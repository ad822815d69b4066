//! Operators: people and programs of the print shop, with their roles, tokens and sessions.

mod form;
mod import;
mod password;
mod port;
mod preferences;
mod right;
mod secret;
mod service;
mod session;
mod stores;
mod token;
mod upload;

use std::collections::BTreeSet;

use crate::audit::{AuditActor, AuditContext};
use pressline_domain::event::Actor;
use pressline_domain::value::{OperatorId, StoreId, Timestamp};

pub use form::{FormClaim, FormKey, FormResults, FormService};
pub use import::{CatalogImported, FileImportError, ImportDraft, OperatorImports};
pub use password::{
    HashingError, PASSWORD_BYTES, PASSWORD_CHARS, Password, PasswordHash, PasswordHasher,
    PasswordProblem, Strength,
};
pub use port::{
    AuthenticatedOperator, OperatorAuthenticator, OperatorDenied, OperatorDirectory, Revocation,
    TokenUses,
};
pub use preferences::{InvalidZone, Paper, Preferences, PreferencesDraft, Theme, ZoneName};
pub use right::{OperatorRole, RIGHTS, Right};
pub use secret::{SecretBytes, SecretDigest, SecretSource, SecretText};
pub use service::{NewOperator, OperatorAdmin, OperatorError, OperatorNames, OperatorWithToken};
pub use session::{
    Account, AccountRepository, Activity, Client, Confirmation, MAX_SESSIONS, NewLink,
    OpenedSession, Proof, Session, SessionError, SessionPorts, SessionRepository, SessionService,
    SignInLink, SignedIn,
};
pub use stores::OperatorStores;
pub use token::{OperatorToken, TOKEN_PREFIX, TokenText};
pub use upload::{Upload, UploadKey, UploadRepository, UploadService};

/// Person or program of the print shop that makes calls. An operator is never changed or removed,
/// because order histories name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// Id of the operator; events contain it.
    pub id: OperatorId,
    /// Name, unique among operators.
    pub name: String,
    /// Role; it determines the permitted calls by [`RIGHTS`].
    pub role: OperatorRole,
    /// Stores that the operator is bound to; `None` for all stores.
    pub stores: Option<BTreeSet<StoreId>>,
    /// Time at which the operator was created; it never changes.
    pub created_at: Timestamp,
}

impl Operator {
    /// Returns the actor of changes to orders: a carrier for the role `Carrier`, else an operator.
    pub fn actor(&self) -> Actor {
        match self.role {
            OperatorRole::Carrier => Actor::Carrier(self.id),
            OperatorRole::Viewer | OperatorRole::Operator | OperatorRole::Admin => {
                Actor::Operator(self.id)
            }
        }
    }

    /// Returns the author of audit entries. `request_id` is the id of the HTTP request.
    pub fn audit_context(&self, request_id: Option<String>) -> AuditContext {
        AuditContext {
            actor: AuditActor::Operator {
                id: self.id,
                name: self.name.clone(),
            },
            request_id,
        }
    }

    /// Returns whether the operator's role permits `call`, named as in [`RIGHTS`].
    pub fn may(&self, call: &str) -> bool {
        let least = Right::least_role_for(call);
        least.is_some_and(|least| self.role.includes(least))
    }

    /// Returns whether the scope includes `store`. For the operator, no other store exists.
    pub fn reaches(&self, store: StoreId) -> bool {
        let bound = self.stores.as_ref();
        bound.is_none_or(|stores| stores.contains(&store))
    }
}

/// An [`Operator`] with all of its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorRecord {
    /// The operator without its tokens.
    pub operator: Operator,
    /// Tokens, oldest first, including expired tokens, but not revoked tokens.
    pub tokens: Vec<OperatorToken>,
}
