//! Unchecked requests about endpoints, and their validation.

use std::collections::BTreeSet;

use super::caller::EndpointTarget;
use super::endpoint::{EndpointOwner, EndpointPayload, EndpointScope};
use super::subscription::SubscriptionStart;
use crate::fields::{number, required};
use crate::limits;
use pressline_domain::check::{self, Field, IssueCode, Path, Report, text, word};
use pressline_domain::event::EventType;
use pressline_domain::value::{EndpointId, StoreId};
use pressline_kit::url::{UrlFault, UrlPolicy};

type Texts = Field<Vec<Field<String>>>;

/// Unchecked request to create or change an endpoint.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EndpointDraft {
    /// Id of the endpoint to change; not used by
    /// [`EndpointService::create`](super::EndpointService::create).
    pub webhook_id: Field<String>,
    /// Id of the store that owns the endpoint, in operator calls; absent for the print shop.
    pub store_id: Field<String>,
    /// URL that receives the events, by `POST`.
    pub url: Field<String>,
    /// Types of events to receive; empty for all.
    pub types: Texts,
    /// Content of sent events: `full` or `thin`.
    pub payload: Field<String>,
    /// Description of the endpoint, for people. In a change, an empty string removes it.
    pub description: Field<String>,
    /// Ids of the stores to receive events of; empty for all. Endpoints of the print shop only.
    pub stores: Texts,
}

/// Unchecked request that names an endpoint.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EndpointIdDraft {
    /// Id of the endpoint. [`EndpointService::list`](super::EndpointService::list) accepts requests
    /// without it, for all endpoints of the owner.
    pub webhook_id: Field<String>,
    /// Id of the store that owns the endpoint, in operator calls; absent for the print shop.
    pub store_id: Field<String>,
}

/// Unchecked request to enable an endpoint. Has either `from` or `after_sequence`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EnableDraft {
    /// `webhook_id` and `store_id` of the endpoint.
    pub which: EndpointIdDraft,
    /// Position at which to continue: `now`, or `stopped` for the position of the endpoint's stop.
    pub from: Field<String>,
    /// Sequence after which events are sent, instead of `from`. Endpoints of stores only.
    pub after_sequence: Field<i64>,
}

/// Unchecked request to issue a new secret for an endpoint.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RotateSecretDraft {
    /// `webhook_id` and `store_id` of the endpoint.
    pub which: EndpointIdDraft,
    /// Seconds for which the previous secret signs; by default [`limits::USUAL_KEEP_OLD_SECRET`].
    pub keep_old_seconds: Field<i64>,
}

/// `None` for absent fields. Valid only if the check of the draft added no violation.
#[derive(Debug, Clone, Default)]
pub(super) struct EndpointValues {
    pub(super) url: Option<String>,
    pub(super) types: Option<BTreeSet<EventType>>,
    pub(super) payload: Option<EndpointPayload>,
    /// `Some(None)` if the field is blank, to remove the description.
    pub(super) description: Option<Option<String>>,
    pub(super) scope: Option<EndpointScope>,
}

impl EndpointDraft {
    pub(super) fn values(
        &self,
        reached: &EndpointTarget<'_>,
        policy: &UrlPolicy,
        report: &mut Report,
    ) -> EndpointValues {
        let root = Path::Root;
        let payloads = EndpointPayload::ALL.map(|payload| (payload.as_str(), payload));
        let description = text(&self.description, &root.key("description"), report);
        EndpointValues {
            url: self.url(policy, report),
            types: self.types(report),
            payload: word(&self.payload, &root.key("payload"), payloads, report),
            description: (!self.description.is_absent()).then_some(description),
            scope: self.scope(reached, report),
        }
    }

    fn url(&self, policy: &UrlPolicy, report: &mut Report) -> Option<String> {
        let path = Path::Root.key("url");
        self.url.read(&path, report)?;
        if self.url.is_blank() {
            report.required(&path, "the URL that events are sent to");
            return None;
        }
        let url = self.url.text()?;
        match policy.check(url) {
            Ok(_) => Some(url.to_owned()),
            Err(problem) => {
                let code = match problem.fault {
                    UrlFault::Format => IssueCode::InvalidFormat,
                    UrlFault::Port => IssueCode::PortNotAllowed,
                    UrlFault::Address => IssueCode::AddressNotAllowed,
                };
                report.violation(&path, code, problem.message);
                None
            }
        }
    }

    fn types(&self, report: &mut Report) -> Option<BTreeSet<EventType>> {
        let known = EventType::ALL.map(|kind| (kind.as_str(), kind));
        let types = check::chosen(&self.types, &Path::Root.key("types"), &known, report);
        (!self.types.is_absent()).then_some(types)
    }

    /// Returns `None` if the request has no `stores`, or if the endpoint belongs to a store.
    fn scope(&self, reached: &EndpointTarget<'_>, report: &mut Report) -> Option<EndpointScope> {
        let path = Path::Root.key("stores");
        if let EndpointOwner::Store(_) = reached.owner {
            if !self.stores.is_absent() {
                let message = "an endpoint of a store receives events of that store only; leave out `stores` or `storeId`";
                report.violation(&path, IssueCode::Conflict, message);
            }
            return None;
        }
        if self.stores.is_absent() {
            return None;
        }
        let stores: BTreeSet<StoreId> = check::each(&self.stores, &path, report, |name| {
            name.parse()
                .map_err(|_| format!("`{name}` is not the id of a store"))
        });
        Some(if stores.is_empty() {
            EndpointScope::AllStores
        } else {
            EndpointScope::Stores(stores)
        })
    }
}

pub(super) fn webhook_id(field: &Field<String>, report: &mut Report) -> Option<EndpointId> {
    required(field, "webhookId", "the id of a webhook endpoint", report)
}

impl EnableDraft {
    /// Positions at which an endpoint can continue, by name; `None` continues where it stopped.
    pub const STARTS: [(&'static str, Option<SubscriptionStart>); 2] =
        [("stopped", None), ("now", Some(SubscriptionStart::Now))];

    /// Returns `Some(None)` to continue where it stopped; `None`, with a violation, if invalid.
    pub(super) fn start(
        &self,
        owner: EndpointOwner,
        report: &mut Report,
    ) -> Option<Option<SubscriptionStart>> {
        let (from, after) = (Path::Root.key("from"), Path::Root.key("afterSequence"));
        let start = word(&self.from, &from, Self::STARTS, report);
        let range = (0, i64::MAX);
        let sequence = number(&self.after_sequence, "afterSequence", range, report);
        let problem = match (self.from.is_blank(), self.after_sequence.is_absent()) {
            (true, true) => {
                report.required(
                    &from,
                    "where to begin: `stopped`, `now`, or `afterSequence`",
                );
                return None;
            }
            (false, false) => "send either `from` or `afterSequence`, not both",
            (true, false) if owner == EndpointOwner::Shop => {
                "several stores have no common sequence; send `from` instead"
            }
            (true, false) => {
                return sequence.map(|sequence| Some(SubscriptionStart::After(sequence)));
            }
            (false, true) => return start,
        };
        report.violation(&after, IssueCode::Conflict, problem);
        None
    }
}

impl RotateSecretDraft {
    pub(super) fn keep_old_seconds(&self, report: &mut Report) -> u32 {
        let range = (0, limits::KEEP_OLD_SECRET);
        let seconds = number(&self.keep_old_seconds, "keepOldSeconds", range, report);
        seconds.unwrap_or(limits::USUAL_KEEP_OLD_SECRET)
    }
}
