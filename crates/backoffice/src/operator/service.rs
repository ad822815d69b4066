//! Administration of operators: creation, and tokens.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use super::{
    Operator, OperatorDirectory, OperatorRecord, OperatorRole, OperatorToken, Revocation,
    SecretSource, TokenText,
};
use crate::audit::{AuditAction, AuditRecorder, audited};
use pressline_domain::check::limits;
use pressline_domain::error::{RepositoryError, Source};
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::value::{OperatorId, StoreId, Timestamp, TokenId};
use pressline_kit::boxed;

type Result<T, E = OperatorError> = std::result::Result<T, E>;

/// Bounded because the tokens of all operators are cached in memory.
const MAX_TOKENS: usize = 100;
const MAX_LIFETIME: Duration = Duration::from_secs(3650 * 24 * 60 * 60);

/// Values for [`OperatorAdmin::create`] and [`OperatorAdmin::invite`].
#[derive(Debug, Clone)]
pub struct NewOperator {
    /// Name of 1 to 255 characters, not in the format of an id.
    pub name: String,
    /// Role; it determines the permitted calls.
    pub role: OperatorRole,
    /// Stores that the operator is bound to; `None` for all stores.
    pub stores: Option<BTreeSet<StoreId>>,
    /// Lifetime of the first token; `None` if it never expires.
    pub lifetime: Option<Duration>,
}

/// An operator with a new token. The token's plain text is not stored, so it cannot be read later.
#[derive(Debug, Clone)]
pub struct OperatorWithToken {
    /// Operator who owns the token.
    pub operator: Operator,
    /// The new token as it is stored: with a digest of its secret.
    pub token: OperatorToken,
    /// The token in plain text, to be shown once to its owner.
    pub text: TokenText,
}

/// Error of creating an operator, or of issuing or revoking a token.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorError {
    /// No operator has this name.
    #[error("there is no operator `{0}`")]
    NotFound(String),
    /// No token has this id.
    #[error("there is no token {0}")]
    NoSuchToken(TokenId),
    /// The name is not valid: see [`NewOperator::name`].
    #[error(
        "the operator's name must have 1 to {} characters, must not begin or end with a space, and must not be a UUID",
        limits::TEXT
    )]
    Name,
    /// Another operator has this name.
    #[error("there is an operator `{0}` already; `pressline operator token` makes another token")]
    NameTaken(String),
    /// The new operator is a carrier: carriers cannot sign in, so they cannot be invited.
    #[error("a carrier does not sign in: `pressline operator create` makes one with a token")]
    Carrier,
    /// The lifetime is less than 1 s or more than 3650 days.
    #[error("a token must expire after at least 1 second and at most 3650 days")]
    Lifetime,
    /// The operator already has the maximum number of tokens.
    #[error("the operator has {MAX_TOKENS} tokens, the maximum; revoke some first")]
    TooManyTokens,
    /// The system provides no randomness.
    #[error("no token can be made")]
    Secret(#[source] Source),
    /// A call of the [`OperatorDirectory`] failed.
    #[error("the directory of operators failed")]
    Repository(#[from] RepositoryError),
}

/// Operator names, keyed by id.
pub type OperatorNames = HashMap<OperatorId, String>;

/// Creates operators, and issues and revokes their tokens.
#[derive(Clone)]
pub struct OperatorAdmin {
    directory: Arc<dyn OperatorDirectory>,
    secrets: Arc<dyn SecretSource>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    recorder: AuditRecorder,
}

audited!(OperatorAdmin);

impl OperatorAdmin {
    /// Creates the service over `directory`, without an audit log: see [`audited`](Self::audited).
    pub fn new(
        directory: Arc<dyn OperatorDirectory>,
        secrets: Arc<dyn SecretSource>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
    ) -> Self {
        Self {
            directory,
            secrets,
            clock,
            ids,
            recorder: AuditRecorder::default(),
        }
    }

    /// Creates an operator with its first token, valid for `new.lifetime`.
    #[boxed]
    pub async fn create(&self, new: NewOperator) -> Result<OperatorWithToken> {
        let (token, text) = self.issue(self.clock.now(), new.lifetime)?;
        let operator = self.add(new, vec![token.clone()]).await?;
        Ok(OperatorWithToken {
            operator,
            token,
            text,
        })
    }

    /// Creates an operator without a token, for a person who signs in by a link of
    /// [`SessionService::make_link`](super::SessionService::make_link). `new.lifetime` is ignored.
    #[boxed]
    pub async fn invite(&self, new: NewOperator) -> Result<Operator> {
        if !new.role.may_sign_in() {
            return Err(OperatorError::Carrier);
        }
        self.add(new, Vec::new()).await
    }

    async fn add(&self, new: NewOperator, tokens: Vec<OperatorToken>) -> Result<Operator> {
        check_name(&new.name)?;
        let now = self.clock.now();
        let operator = Operator {
            id: OperatorId::new(self.ids.next(now)),
            name: new.name,
            role: new.role,
            stores: new.stores,
            created_at: now,
        };
        let record = OperatorRecord { operator, tokens };
        let subject = format!("{} {}", record.operator.name, record.operator.role.as_str());
        let action = AuditAction::OperatorCreated;
        // Recorded first: an action that cannot be recorded is not done.
        self.recorder.record(action, subject).await?;
        match self.directory.add(&record).await {
            Ok(()) => Ok(record.operator),
            Err(RepositoryError::Duplicate(_)) => {
                Err(OperatorError::NameTaken(record.operator.name))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Issues another token for the operator `name`; without a `lifetime`, it never expires.
    #[boxed]
    pub async fn issue_token(
        &self,
        name: &str,
        lifetime: Option<Duration>,
    ) -> Result<OperatorWithToken> {
        let record = self.find(name).await?;
        if record.tokens.len() >= MAX_TOKENS {
            return Err(OperatorError::TooManyTokens);
        }
        let (token, text) = self.issue(self.clock.now(), lifetime)?;
        let operator = record.operator;
        let subject = format!("{} {}", operator.name, token.id);
        let action = AuditAction::TokenCreated;
        self.recorder.record(action, subject).await?;
        self.directory.add_token(operator.id, &token).await?;
        Ok(OperatorWithToken {
            operator,
            token,
            text,
        })
    }

    /// Returns all operators with their tokens, oldest first.
    #[boxed]
    pub async fn list(&self) -> Result<Vec<OperatorRecord>> {
        Ok(self.directory.list().await?)
    }

    /// Returns the names of all operators, keyed by id.
    #[boxed]
    pub async fn names(&self) -> Result<OperatorNames, RepositoryError> {
        let records = self.directory.list().await?.into_iter();
        let names = records.map(|record| (record.operator.id, record.operator.name));
        Ok(names.collect())
    }

    /// Returns an empty map, without a query, if `are_needed` is `false`.
    pub(crate) async fn names_if(
        &self,
        are_needed: bool,
    ) -> Result<OperatorNames, RepositoryError> {
        if !are_needed {
            return Ok(OperatorNames::new());
        }
        self.names().await
    }

    /// Revokes the token `id`, and returns its operator without the token.
    #[boxed]
    pub async fn revoke_token(&self, id: TokenId) -> Result<OperatorRecord> {
        let records = self.directory.list().await?;
        // The audit log and the response name the owner of the token.
        let is_owner = |record: &OperatorRecord| record.tokens.iter().any(|token| token.id == id);
        let mut owner = records
            .into_iter()
            .find(is_owner)
            .ok_or(OperatorError::NoSuchToken(id))?;
        let subject = format!("{} {id}", owner.operator.name);
        let action = AuditAction::TokenRevoked;
        self.recorder.record(action, subject).await?;
        self.directory.revoke(Revocation::Token(id)).await?;
        owner.tokens.retain(|token| token.id != id);
        Ok(owner)
    }

    /// Revokes all access of the operator `name`: tokens, password, sessions and sign-in links.
    /// Returns the operator without tokens. The operator can get a new token or link later.
    #[boxed]
    pub async fn revoke_all(&self, name: &str) -> Result<OperatorRecord> {
        let mut record = self.find(name).await?;
        let all = Revocation::Operator(record.operator.id);
        let action = AuditAction::OperatorRevoked;
        self.recorder
            .record(action, record.operator.name.as_str())
            .await?;
        self.directory.revoke(all).await?;
        record.tokens.clear();
        Ok(record)
    }

    async fn find(&self, name: &str) -> Result<OperatorRecord> {
        let mut records = self.directory.list().await?.into_iter();
        records
            .find(|record| record.operator.name == name)
            .ok_or_else(|| OperatorError::NotFound(name.to_owned()))
    }

    fn issue(
        &self,
        now: Timestamp,
        lifetime: Option<Duration>,
    ) -> Result<(OperatorToken, TokenText)> {
        let expires_at = lifetime.map(|lifetime| expiry(now, lifetime)).transpose()?;
        let secret = self.secrets.secret().map_err(OperatorError::Secret)?;
        let text = TokenText::new(TokenId::new(self.ids.next(now)), &secret);
        let token = OperatorToken {
            id: text.id(),
            digest: text.digest(),
            created_at: now,
            expires_at,
            last_used_at: None,
        };
        Ok((token, text))
    }
}

fn expiry(now: Timestamp, lifetime: Duration) -> Result<Timestamp> {
    if lifetime.as_secs() == 0 || lifetime > MAX_LIFETIME {
        return Err(OperatorError::Lifetime);
    }
    let millis = i64::try_from(lifetime.as_millis()).map_err(|_| OperatorError::Lifetime)?;
    let expires = now.as_millis().saturating_add(millis);
    Ok(Timestamp::from_millis(expires))
}

/// Refuses invalid names, also names in the form of an id: the command `revoke` takes both.
fn check_name(name: &str) -> Result<()> {
    let fits = !name.is_empty()
        && name == name.trim()
        && name.chars().count() <= limits::TEXT
        && !name.chars().any(char::is_control)
        && name.parse::<TokenId>().is_err();
    fits.then_some(()).ok_or(OperatorError::Name)
}
