//! The use cases of endpoints, over the ports.

use std::sync::Arc;

use super::caller::{EndpointCaller, EndpointTarget};
use super::draft::{EndpointIdDraft, webhook_id};
use super::endpoint::{
    Endpoint, EndpointOwner, EndpointRecord, EndpointScope, EndpointSecret, EndpointState,
};
use super::error::{WebhookError, valid};
use super::port::{EndpointDirectory, EndpointObserver};
use super::subscription::{Lag, SubscriptionStart};
use crate::audit::{Audit, AuditAction, AuditRecorder, Author};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::EventFeed;
use pressline_domain::id::{EndpointId, KeyId, StoreId};
use pressline_domain::report::{IssueCode, Path, Report, Warning};
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::store::{KeyIssuer, KeyOwner, SecretKey, StoreDirectory, StoreKey};
use pressline_domain::time::Timestamp;
use pressline_kit::url::UrlPolicy;

/// Maximum number of times that a change is decided because another one, or another master key, came in between.
pub(super) const ATTEMPTS: usize = 5;

/// Which URLs endpoints can have.
#[derive(Debug, Clone, Default)]
pub struct EndpointUrls {
    /// Those of the shop's endpoints.
    pub shop: UrlPolicy,
    /// Those of stores' own endpoints.
    pub stores: UrlPolicy,
}

/// The ports of an [`EndpointService`].
#[derive(Clone)]
pub struct EndpointPorts {
    /// Keeps endpoints.
    pub endpoints: Arc<dyn EndpointDirectory>,
    /// Keeps the stores whose events they hear.
    pub stores: Arc<dyn StoreDirectory>,
    /// Reads these events.
    pub feed: Arc<dyn EventFeed>,
    /// Makes secrets.
    pub issuer: Arc<dyn KeyIssuer>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Makes ids.
    pub ids: Arc<dyn IdSource>,
}

/// Sets endpoints up.
#[derive(Clone)]
pub struct EndpointService {
    pub(super) ports: EndpointPorts,
    urls: EndpointUrls,
    observer: Option<Arc<dyn EndpointObserver>>,
    pub(super) trail: AuditRecorder,
}

/// An endpoint as its owner sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct EndpointView {
    /// The endpoint.
    pub record: EndpointRecord,
    /// How far it is behind.
    pub lag: Lag,
    /// When it was looked at.
    pub at: Timestamp,
}

/// The outcome of a request that changes an endpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct EndpointOutcome {
    /// The endpoint as it now is.
    pub view: EndpointView,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
    /// True if it was so already.
    pub replayed: bool,
}

/// An endpoint with a secret that was just made: the only time that it can be read.
#[derive(Debug, Clone)]
pub struct EndpointWithSecret {
    /// The outcome.
    pub outcome: EndpointOutcome,
    /// The secret.
    pub secret: SecretKey,
}

impl EndpointView {
    /// Returns when nothing is sent before, if the endpoint pauses.
    pub fn paused_until(&self) -> Option<Timestamp> {
        let pause = self.record.state.pause?;
        let is_pausing = pause.probing.is_some() || pause.until > self.at;
        is_pausing.then_some(pause.until)
    }

    /// Returns when the secret before the latest one stops signing, if it signs.
    pub fn old_secret_until(&self) -> Option<Timestamp> {
        let mut live = self.record.live_secrets(self.at);
        live.find_map(|secret| secret.expires_at)
    }

    /// Returns the age of the oldest event that is not settled, in seconds; 0 if there is none.
    pub fn oldest_seconds(&self) -> u64 {
        let age = |oldest: Timestamp| self.at.millis_since(oldest) / 1000;
        let seconds = self.lag.oldest.map_or(0, age);
        u64::try_from(seconds).unwrap_or(0)
    }
}

impl EndpointState {
    /// Returns the state without a pause: whatever waits is tried at once, and the next failure pauses again.
    pub(super) fn tried_at_once(self) -> Self {
        Self {
            pause: None,
            failures: self.failures.min(super::deliver::PAUSING - 1),
            ..self
        }
    }
}

impl EndpointService {
    /// Returns the service over these ports.
    pub fn new(ports: EndpointPorts, urls: EndpointUrls) -> Self {
        Self {
            ports,
            urls,
            observer: None,
            trail: AuditRecorder::default(),
        }
    }

    /// Returns the service that tells this observer which endpoints it changes, and which are to be sent events again.
    #[must_use]
    pub fn observed_by(mut self, observer: Arc<dyn EndpointObserver>) -> Self {
        self.observer = Some(observer);
        self
    }

    pub(super) fn changed(&self, endpoint: EndpointId) {
        if let Some(observer) = &self.observer {
            observer.changed(endpoint);
        }
    }

    /// Records changes in this audit, once an author is known.
    #[must_use]
    pub fn audited(mut self, audit: Audit) -> Self {
        self.trail = AuditRecorder::new(audit);
        self
    }

    /// Returns the same use cases for this author, whose changes are recorded.
    pub fn by(&self, author: Author) -> Self {
        Self {
            trail: self.trail.by(author),
            ..self.clone()
        }
    }

    pub(super) fn url_policy(&self, owner: EndpointOwner) -> &UrlPolicy {
        match owner {
            EndpointOwner::Shop => &self.urls.shop,
            EndpointOwner::Store(_) => &self.urls.stores,
        }
    }

    /// Checks that the store exists whose endpoints a call of the shop is about.
    pub(super) async fn check_owner(
        &self,
        reached: &EndpointTarget<'_>,
    ) -> Result<(), WebhookError> {
        let EndpointOwner::Store(store) = reached.owner else {
            return Ok(());
        };
        if reached.caller.is_some() || self.has_store(reached, store).await? {
            Ok(())
        } else {
            Err(WebhookError::StoreNotFound(store))
        }
    }

    async fn has_store(
        &self,
        reached: &EndpointTarget<'_>,
        id: StoreId,
    ) -> Result<bool, WebhookError> {
        Ok(reached.has_store(id) && self.ports.stores.find(id).await?.is_some())
    }

    pub(super) async fn check_scope(
        &self,
        scope: &EndpointScope,
        reached: &EndpointTarget<'_>,
        report: &mut Report,
    ) -> Result<(), WebhookError> {
        let path = Path::Root.key("stores");
        let stores = match scope {
            EndpointScope::Stores(stores) => stores,
            EndpointScope::AllStores if reached.bound.is_some() => {
                report.required(&path, "some of the stores that this operator is bound to");
                return Ok(());
            }
            EndpointScope::AllStores | EndpointScope::Store(_) => return Ok(()),
        };
        for store in stores {
            if !self.has_store(reached, *store).await? {
                let message = format!("there is no store {store}");
                report.violation(&path, IssueCode::InvalidFormat, message);
            }
        }
        Ok(())
    }

    pub(super) async fn reached(
        &self,
        reached: &EndpointTarget<'_>,
        id: EndpointId,
    ) -> Result<EndpointRecord, WebhookError> {
        let found = self.ports.endpoints.find(id).await?;
        let own = found.filter(|record| reached.has(&record.endpoint));
        own.ok_or(WebhookError::NotFound)
    }

    /// Reads which endpoint a request names, and checks its owner.
    pub(super) async fn named<'a>(
        &self,
        caller: impl Into<EndpointCaller<'a>>,
        draft: &EndpointIdDraft,
    ) -> Result<(EndpointTarget<'a>, EndpointId), WebhookError> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.store_id, &mut report);
        let id = webhook_id(&draft.webhook_id, &mut report);
        let id = valid(id, &mut report)?;
        self.check_owner(&reached).await?;
        Ok((reached, id))
    }

    /// Changes an endpoint as `decide` says, which returns `None` if nothing changes. Decides again if another change
    /// came in between. With `start`, its subscriptions begin there.
    pub(super) async fn change(
        &self,
        reached: &EndpointTarget<'_>,
        id: EndpointId,
        start: Option<SubscriptionStart>,
        decide: impl Fn(&EndpointRecord, Timestamp) -> Option<EndpointRecord>,
    ) -> Result<EndpointOutcome, WebhookError> {
        for attempt in 0..ATTEMPTS {
            let record = self.reached(reached, id).await?;
            let Some(edited) = decide(&record, self.ports.clock.now()) else {
                return self.outcome(record, true).await;
            };
            if attempt == 0 {
                let action = AuditAction::WebhookChanged;
                self.trail.record(action, id.to_string()).await?;
            }
            if let Some(changed) = self.replace(&record, edited, start).await? {
                return self.outcome(changed, false).await;
            }
        }
        Err(RepositoryError::Stale.into())
    }

    /// Stores a change, and returns the endpoint as it is stored; `None` if another change came in between.
    pub(super) async fn replace(
        &self,
        before: &EndpointRecord,
        record: EndpointRecord,
        start: Option<SubscriptionStart>,
    ) -> Result<Option<EndpointRecord>, WebhookError> {
        let expected = before.version;
        match self.ports.endpoints.replace(&record, expected, start).await {
            Ok(()) => {
                self.changed(record.endpoint.id);
                Ok(Some(EndpointRecord {
                    version: expected.saturating_add(1),
                    ..record
                }))
            }
            Err(RepositoryError::Stale) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) async fn view(&self, record: EndpointRecord) -> Result<EndpointView, WebhookError> {
        let lag = self.ports.endpoints.lag(record.endpoint.id).await?;
        Ok(EndpointView {
            record,
            lag,
            at: self.ports.clock.now(),
        })
    }

    pub(super) async fn outcome(
        &self,
        record: EndpointRecord,
        replayed: bool,
    ) -> Result<EndpointOutcome, WebhookError> {
        Ok(EndpointOutcome {
            view: self.view(record).await?,
            warnings: Vec::new(),
            replayed,
        })
    }

    /// Makes a secret, sealed with the master key that seals in the database.
    pub(super) async fn issue(
        &self,
        endpoint: EndpointId,
    ) -> Result<(EndpointSecret, SecretKey), WebhookError> {
        let seals = self.ports.stores.sealing_key().await?;
        let owner = KeyOwner::Endpoint(endpoint);
        let issued = self.ports.issuer.issue(owner, seals)?;
        let created_at = self.ports.clock.now();
        let key = StoreKey {
            id: KeyId::new(self.ports.ids.next(created_at)),
            sealed: issued.sealed,
            sealed_with: issued.sealed_with,
            created_at,
            last_used_at: None,
        };
        let expires_at = None;
        Ok((EndpointSecret { key, expires_at }, issued.secret))
    }
}

impl EndpointRecord {
    pub(super) fn changed(&self, endpoint: Endpoint, at: Timestamp) -> Self {
        Self {
            endpoint: Endpoint {
                updated_at: at,
                ..endpoint
            },
            ..self.clone()
        }
    }
}
