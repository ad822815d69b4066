//! Endpoints: who hears of which events, and how they do at present.

use std::collections::BTreeSet;

use pressline_domain::event::{EndpointDisabled, EventType, Payload};
use pressline_domain::id::{EndpointId, StoreId};
use pressline_domain::limits;
use pressline_domain::store::StoreKey;
use pressline_domain::time::Timestamp;

/// Whose events an endpoint hears, and so to whom it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndpointScope {
    /// An endpoint of a store, which hears its events.
    Store(StoreId),
    /// An endpoint of the shop, which hears the events of all stores, also of those that are created later.
    AllStores,
    /// An endpoint of the shop, which hears the events of these stores.
    Stores(BTreeSet<StoreId>),
}

/// To whom endpoints belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EndpointOwner {
    /// A store.
    Store(StoreId),
    /// The shop.
    Shop,
}

impl EndpointScope {
    /// Returns to whom the endpoint belongs.
    pub fn owner(&self) -> EndpointOwner {
        match self {
            Self::Store(store) => EndpointOwner::Store(*store),
            Self::AllStores | Self::Stores(_) => EndpointOwner::Shop,
        }
    }

    /// Returns whether the events of this store are heard.
    pub fn hears(&self, store: StoreId) -> bool {
        match self {
            Self::Store(own) => *own == store,
            Self::AllStores => true,
            Self::Stores(stores) => stores.contains(&store),
        }
    }
}

pressline_kit::named! {
    /// What an endpoint gets of an event.
    pub enum EndpointPayload {
        /// What changed, and the order as it was right after the event.
        Full = "full",
        /// Ids and the paths of what changed: no personal data.
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

/// An endpoint as its owner set it up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Its id.
    pub id: EndpointId,
    /// Whose events it hears.
    pub scope: EndpointScope,
    /// Where events are sent.
    pub url: String,
    /// Types of the events that it gets; empty for all.
    pub types: BTreeSet<EventType>,
    /// What it gets of them.
    pub payload: EndpointPayload,
    /// A description for people.
    pub description: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its owner last changed it.
    pub updated_at: Timestamp,
}

/// A secret of an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointSecret {
    /// The secret at rest.
    pub key: StoreKey,
    /// When it stops signing; `None` for the one that was made last.
    pub expires_at: Option<Timestamp>,
}

pressline_kit::named! {
    /// Why an endpoint is disabled.
    pub enum DisabledReason {
        /// Its owner disabled it.
        Requested = "requested",
        /// The receiver responded with 410.
        Gone = "gone",
        /// No attempt succeeded for five days.
        Failing = "failing",
    }
}

/// Since when no event is sent to an endpoint for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disabled {
    /// Why.
    pub reason: DisabledReason,
    /// Since when.
    pub at: Timestamp,
}

impl Disabled {
    /// Returns the event that says so of an endpoint.
    pub fn event(&self, endpoint: EndpointId) -> EndpointDisabled {
        EndpointDisabled {
            endpoint,
            at: self.at,
            reason: self.reason.as_str().to_owned(),
        }
    }
}

/// An endpoint's pause: until it ends, nothing is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// When it ends.
    pub until: Timestamp,
    /// How the endpoint is probed after it; `None` if the receiver asked for the pause.
    pub probing: Option<Probing>,
}

/// The attempts to find out whether an endpoint that failed altogether works again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probing {
    /// Attempts so far.
    pub attempts: u32,
    /// The store whose oldest unsettled event is tried: that of the failure which began the pause.
    pub store: StoreId,
}

/// What a test store wants to happen to the next event of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SandboxAction {
    /// It is not sent, and logged as failed, without a further attempt.
    Drop,
    /// It is sent twice.
    Repeat,
    /// It is sent this many seconds later.
    Delay(u32),
    /// It is sent after the event that follows it, of whichever order, at the latest after 10 s.
    Reorder,
}

/// How an endpoint does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EndpointState {
    /// Whether and why it is disabled.
    pub disabled: Option<Disabled>,
    /// Failed attempts since the last one that succeeded, over all subscriptions.
    pub failures: u32,
    /// When the first of the attempts without success began; `None` after a success.
    pub failing_since: Option<Timestamp>,
    /// The pause, also when its end has passed.
    pub pause: Option<Pause>,
    /// What happens to the next event, of a test store's endpoint.
    pub sandbox: Option<SandboxAction>,
}

/// An endpoint as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointRecord {
    /// As its owner set it up.
    pub endpoint: Endpoint,
    /// Its secrets, newest first, at most [`limits::ENDPOINT_SECRETS`].
    pub secrets: Vec<EndpointSecret>,
    /// How it does.
    pub state: EndpointState,
    /// 1 at creation, one more with every change of any part.
    pub version: u32,
}

impl EndpointRecord {
    /// Returns the secrets that sign at a moment, newest first.
    pub fn live_secrets(&self, now: Timestamp) -> impl Iterator<Item = &EndpointSecret> {
        let is_live = move |secret: &&EndpointSecret| secret.expires_at.is_none_or(|end| end > now);
        let live = self.secrets.iter().filter(is_live);
        live.take(limits::ENDPOINT_SECRETS)
    }
}
