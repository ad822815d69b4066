//! Endpoints: settings, owner and health.

use std::collections::BTreeSet;

use crate::limits;
use pressline_domain::event::{EndpointDisabled, EventType, Payload};
use pressline_domain::store::StoreKey;
use pressline_domain::value::{EndpointId, StoreId, Timestamp};

/// Stores that an endpoint receives events of. The scope also determines the [`EndpointOwner`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndpointScope {
    /// Endpoint of a store; it receives the events of this store only.
    Store(StoreId),
    /// Endpoint of the print shop for the events of all stores, including later stores.
    AllStores,
    /// Endpoint of the print shop; it receives the events of a set of stores.
    Stores(BTreeSet<StoreId>),
}

/// Party that manages endpoints: a store or the print shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EndpointOwner {
    /// The store with this id.
    Store(StoreId),
    /// The print shop, represented by its operators.
    Shop,
}

impl EndpointScope {
    /// Returns the store of a `Store` scope, else the print shop.
    pub fn owner(&self) -> EndpointOwner {
        match self {
            Self::Store(store) => EndpointOwner::Store(*store),
            Self::AllStores | Self::Stores(_) => EndpointOwner::Shop,
        }
    }

    /// Returns whether the scope includes `store`.
    pub fn includes(&self, store: StoreId) -> bool {
        match self {
            Self::Store(own) => *own == store,
            Self::AllStores => true,
            Self::Stores(stores) => stores.contains(&store),
        }
    }
}

pressline_kit::named! {
    /// Content of the events that an endpoint receives.
    pub enum EndpointPayload {
        /// The changed values, and the whole order as it was right after the event.
        Full = "full",
        /// Ids and the paths of changed values: no personal data.
        Thin = "thin",
    }
}

impl From<EndpointPayload> for Payload {
    fn from(payload: EndpointPayload) -> Self {
        match payload {
            EndpointPayload::Full => Self::Full,
            EndpointPayload::Thin => Self::Thin,
        }
    }
}

/// Settings of an endpoint, as chosen by its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Id of the endpoint, `webhookId` in requests.
    pub id: EndpointId,
    /// Stores that the endpoint receives events of.
    pub scope: EndpointScope,
    /// URL that receives the events.
    pub url: String,
    /// Types of events that the endpoint receives; empty for all.
    pub types: BTreeSet<EventType>,
    /// Content of sent events: full or thin.
    pub payload: EndpointPayload,
    /// Description of the endpoint, for people; `None` if it has none.
    pub description: Option<String>,
    /// Time at which the endpoint was created; later changes keep it.
    pub created_at: Timestamp,
    /// Time of the last change by the owner.
    pub updated_at: Timestamp,
}

/// Secret with which the events of an endpoint are signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointSecret {
    /// The secret, encrypted with the master key.
    pub key: StoreKey,
    /// Time from which this secret no longer signs; `None` for the newest secret.
    pub expires_at: Option<Timestamp>,
}

pressline_kit::named! {
    /// Reason why an endpoint is disabled.
    pub enum DisabledReason {
        /// The owner disabled the endpoint.
        Requested = "requested",
        /// The receiver responded with status 410.
        Gone = "gone",
        /// No attempt succeeded for five days.
        Failing = "failing",
    }
}

/// Time and reason of disabling an endpoint: no event is sent until its owner enables it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disabled {
    /// Reason for disabling the endpoint, such as [`DisabledReason::Requested`].
    pub reason: DisabledReason,
    /// Time at which the endpoint was disabled.
    pub at: Timestamp,
}

impl Disabled {
    /// Returns the event that announces the disabling of `endpoint`.
    pub fn event(&self, endpoint: EndpointId) -> EndpointDisabled {
        EndpointDisabled {
            endpoint,
            at: self.at,
            reason: self.reason.as_str().to_owned(),
        }
    }
}

/// Pause of an endpoint: nothing is sent before `until`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// End of the pause. Then single events are tried, and the first success removes the pause.
    pub until: Timestamp,
    /// Progress of probing; `None` if the receiver asked for the pause, so nothing is probed.
    pub probing: Option<Probing>,
}

/// Progress of probing: sending single events, to find out whether a failing endpoint works again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probing {
    /// Number of probes sent since the endpoint began to be probed.
    pub attempts: u32,
    /// Store of the subscription that probes: its event failed last before the pause.
    pub store: StoreId,
}

/// Fault that a test store requests for the next event of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxAction {
    /// The event is not sent. It is logged as failed and not retried.
    Drop,
    /// The event is sent twice.
    Repeat,
    /// The event is sent this number of seconds later.
    Delay(u32),
    /// The event is sent after the next event, even if the two events concern different orders. If
    /// there is no next event, it is sent after 10 s.
    Reorder,
}

/// Health of an endpoint: disabling, failures, pause, and the fault that a test store requested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EndpointState {
    /// Reason and time of disabling; `None` if the endpoint is enabled.
    pub disabled: Option<Disabled>,
    /// Number of failed attempts since the last success, over all subscriptions. Status 410 and
    /// responses that ask for a pause are not counted.
    pub failures: u32,
    /// Start of the first failed attempt since the last success; `None` after a success.
    pub failing_since: Option<Timestamp>,
    /// Pause, possibly in the past; `None` if the endpoint is not paused.
    pub pause: Option<Pause>,
    /// Fault for the next event; `None` for normal delivery. Endpoints of test stores only.
    pub sandbox: Option<SandboxAction>,
}

/// An endpoint as stored, with its secrets and health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointRecord {
    /// Settings, as chosen by the owner.
    pub endpoint: Endpoint,
    /// Secrets, newest first, up to [`limits::ENDPOINT_SECRETS`].
    pub secrets: Vec<EndpointSecret>,
    /// Health: failures, pause and disabling.
    pub state: EndpointState,
    /// Version of the record: 1 at creation; each change adds 1.
    pub version: u32,
}

impl EndpointRecord {
    /// Returns the secrets that sign at `now`, newest first.
    pub fn live_secrets(&self, now: Timestamp) -> impl Iterator<Item = &EndpointSecret> {
        let is_live = move |secret: &&EndpointSecret| secret.expires_at.is_none_or(|end| end > now);
        let live = self.secrets.iter().filter(is_live);
        live.take(limits::ENDPOINT_SECRETS)
    }
}
