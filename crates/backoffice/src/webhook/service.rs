//! Service of endpoints, over its ports.

use std::sync::Arc;

use super::caller::{EndpointCaller, EndpointTarget};
use super::draft::{EndpointIdDraft, webhook_id};
use super::endpoint::{
    Endpoint, EndpointOwner, EndpointRecord, EndpointScope, EndpointSecret, EndpointState,
};
use super::error::{Result, WebhookError};
use super::port::{DeliveryLog, EndpointDirectory, EndpointObserver, TestBodies, TestSender};
use super::subscription::{Lag, SubscriptionStart};
use crate::audit::{AuditAction, AuditRecorder, audited};
use crate::fields::valid;
use pressline_domain::check::{IssueCode, Path, Report, Warning};
use pressline_domain::error::RepositoryError;
use pressline_domain::event::EventFeed;
use pressline_domain::order::OrderRepository;
use pressline_domain::runtime::{Clock, IdSource};
use pressline_domain::store::{KeyIssuer, KeyOwner, SecretKey, StoreDirectory, StoreKey};
use pressline_domain::value::{EndpointId, KeyId, StoreId, Timestamp};
use pressline_kit::url::UrlPolicy;

/// A concurrent change, or a rotation of the master key, makes an attempt fail.
pub(super) const ATTEMPTS: usize = 5;

/// Policies for the URLs of endpoints.
#[derive(Debug, Clone, Default)]
pub struct EndpointUrls {
    /// Policy for endpoints of the print shop.
    pub shop: UrlPolicy,
    /// Policy for endpoints of stores.
    pub stores: UrlPolicy,
}

/// Dependencies of [`EndpointService`].
#[derive(Clone)]
pub struct EndpointPorts {
    /// Stores endpoints.
    pub endpoints: Arc<dyn EndpointDirectory>,
    /// Finds stores and the current sealing key.
    pub stores: Arc<dyn StoreDirectory>,
    /// Gives the sequence of each store's latest event.
    pub feed: Arc<dyn EventFeed>,
    /// Creates and seals secrets.
    pub issuer: Arc<dyn KeyIssuer>,
    /// Gives the timestamps of changes.
    pub clock: Arc<dyn Clock>,
    /// Generates ids of endpoints, secrets and tests.
    pub ids: Arc<dyn IdSource>,
    /// Log of the deliveries of the last `log_days` days.
    pub log: Arc<dyn DeliveryLog>,
    /// Days after which a delivery is removed from `log`.
    pub log_days: u32,
    /// Finds the orders that deliveries are searched by.
    pub orders: Arc<dyn OrderRepository>,
    /// Sends test events.
    pub sender: Arc<dyn TestSender>,
    /// Serializes test events.
    pub bodies: Arc<dyn TestBodies>,
}

/// Creates, changes, lists and tests endpoints, searches deliveries, and sends events again.
#[derive(Clone)]
pub struct EndpointService {
    pub(super) ports: EndpointPorts,
    urls: EndpointUrls,
    observer: Option<Arc<dyn EndpointObserver>>,
    pub(super) recorder: AuditRecorder,
}

/// An endpoint with its backlog at the time `at`.
#[derive(Debug, Clone, PartialEq)]
pub struct EndpointView {
    /// The endpoint with its settings, secrets and health.
    pub record: EndpointRecord,
    /// Backlog of the endpoint at the time `at`.
    pub lag: Lag,
    /// Time at which `record` and `lag` were read.
    pub at: Timestamp,
}

/// Result of a request that changes an endpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct EndpointOutcome {
    /// The endpoint after the change.
    pub view: EndpointView,
    /// Warnings about the request; may be empty.
    pub warnings: Vec<Warning>,
    /// `true` if the request changed nothing, because the endpoint already had the requested state.
    /// Always `false` for [`EndpointService::update`].
    pub replayed: bool,
}

/// An endpoint with a new secret. The secret can be read in this result only.
#[derive(Debug, Clone)]
pub struct EndpointWithSecret {
    /// The endpoint after the change.
    pub outcome: EndpointOutcome,
    /// The secret in plain text: `whsec_` and the key in base64.
    pub secret: SecretKey,
}

impl EndpointView {
    /// Returns the time until which nothing is sent; `None` if the endpoint is not paused. The time
    /// may have passed if the endpoint is being probed.
    pub fn paused_until(&self) -> Option<Timestamp> {
        let pause = self.record.state.pause?;
        // A probed endpoint counts as paused until a probe succeeds.
        let is_pausing = pause.probing.is_some() || pause.until > self.at;
        is_pausing.then_some(pause.until)
    }

    /// Returns the end of the previous secret; `None` if only the newest secret signs.
    pub fn old_secret_until(&self) -> Option<Timestamp> {
        let mut live = self.record.live_secrets(self.at);
        live.find_map(|secret| secret.expires_at)
    }

    /// Returns the age of the oldest unresolved event at `at`, in seconds; 0 if there is none.
    pub fn oldest_seconds(&self) -> u64 {
        let age = |oldest: Timestamp| self.at.millis_since(oldest) / 1000;
        let seconds = self.lag.oldest.map_or(0, age);
        u64::try_from(seconds).unwrap_or(0)
    }
}

impl EndpointState {
    /// Ends the pause. If failures had paused the endpoint, the next failure pauses it again.
    pub(super) fn tried_at_once(self) -> Self {
        Self {
            pause: None,
            failures: self.failures.min(super::deliver::PAUSING - 1),
            ..self
        }
    }
}

audited!(EndpointService);

impl EndpointService {
    /// Creates the service over `ports`. Checks URLs by the policies in `urls`.
    pub fn new(ports: EndpointPorts, urls: EndpointUrls) -> Self {
        Self {
            ports,
            urls,
            observer: None,
            recorder: AuditRecorder::default(),
        }
    }

    /// Returns the service with `observer` for changed endpoints and for events to send again.
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

    pub(super) fn url_policy(&self, owner: EndpointOwner) -> &UrlPolicy {
        match owner {
            EndpointOwner::Shop => &self.urls.shop,
            EndpointOwner::Store(_) => &self.urls.stores,
        }
    }

    /// Checks that the store named by an operator exists and is in the operator's scope.
    pub(super) async fn check_owner(&self, reached: &EndpointTarget<'_>) -> Result<()> {
        let EndpointOwner::Store(store) = reached.owner else {
            return Ok(());
        };
        if reached.caller.is_some() || self.has_store(reached, store).await? {
            Ok(())
        } else {
            Err(WebhookError::StoreNotFound(store))
        }
    }

    async fn has_store(&self, reached: &EndpointTarget<'_>, id: StoreId) -> Result<bool> {
        Ok(reached.has_store(id) && self.ports.stores.find(id).await?.is_some())
    }

    pub(super) async fn check_scope(
        &self,
        scope: &EndpointScope,
        reached: &EndpointTarget<'_>,
        report: &mut Report,
    ) -> Result<()> {
        let path = Path::Root.key("stores");
        let stores = match scope {
            EndpointScope::Stores(stores) => stores,
            // The endpoint would also receive events of stores outside the operator's scope.
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
    ) -> Result<EndpointRecord> {
        let record = self.ports.endpoints.find(id).await?;
        // Outside the caller's scope, an endpoint does not exist.
        let own = record.filter(|record| reached.has(&record.endpoint));
        own.ok_or(WebhookError::NotFound)
    }

    /// Checks that a named store exists in the scope of `caller`, but not that the endpoint exists.
    pub(super) async fn named<'a>(
        &self,
        caller: impl Into<EndpointCaller<'a>>,
        draft: &EndpointIdDraft,
    ) -> Result<(EndpointTarget<'a>, EndpointId)> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.store_id, &mut report);
        let id = webhook_id(&draft.webhook_id, &mut report);
        let id = valid(id, &mut report)?;
        self.check_owner(&reached).await?;
        Ok((reached, id))
    }

    /// Stores the record that `decide` returns, if any. After a conflicting change, calls `decide`
    /// again. With `start`, the endpoint's subscriptions begin at this position.
    pub(super) async fn change(
        &self,
        reached: &EndpointTarget<'_>,
        id: EndpointId,
        start: Option<SubscriptionStart>,
        decide: impl Fn(&EndpointRecord, Timestamp) -> Option<EndpointRecord>,
    ) -> Result<EndpointOutcome> {
        for attempt in 0..ATTEMPTS {
            let record = self.reached(reached, id).await?;
            let Some(edited) = decide(&record, self.ports.clock.now()) else {
                return self.outcome(record, true).await;
            };
            // Recorded once, even if concurrent changes repeat the attempt.
            if attempt == 0 {
                let action = AuditAction::WebhookChanged;
                self.recorder.record(action, id.to_string()).await?;
            }
            if let Some(changed) = self.replace(&record, edited, start).await? {
                return self.outcome(changed, false).await;
            }
        }
        Err(RepositoryError::Stale.into())
    }

    /// Returns the stored record with its new version, or `None` if another change came first.
    pub(super) async fn replace(
        &self,
        before: &EndpointRecord,
        record: EndpointRecord,
        start: Option<SubscriptionStart>,
    ) -> Result<Option<EndpointRecord>> {
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

    pub(super) async fn view(&self, record: EndpointRecord) -> Result<EndpointView> {
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
    ) -> Result<EndpointOutcome> {
        Ok(EndpointOutcome {
            view: self.view(record).await?,
            warnings: Vec::new(),
            replayed,
        })
    }

    pub(super) async fn issue(&self, endpoint: EndpointId) -> Result<(EndpointSecret, SecretKey)> {
        // The directory refuses a secret sealed with another master key.
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
