//! Requests about endpoints, as they came in.

use std::collections::BTreeSet;

use super::caller::EndpointTarget;
use super::endpoint::{EndpointOwner, EndpointPayload, EndpointScope};
use super::subscription::SubscriptionStart;
use crate::store::parsed;
use pressline_domain::check::{integer, text, word};
use pressline_domain::event::EventType;
use pressline_domain::field;
use pressline_domain::field::Field;
use pressline_domain::id::{EndpointId, StoreId};
use pressline_domain::limits;
use pressline_domain::report::{IssueCode, Path, Report};
use pressline_kit::url::{UrlFault, UrlPolicy};

type Texts = Field<Vec<Field<String>>>;

/// An endpoint as its owner wants it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EndpointDraft {
    /// The endpoint. Only of a change.
    pub webhook_id: Field<String>,
    /// Of a call of the shop, the store whose endpoint it is.
    pub store_id: Field<String>,
    /// Where events are sent.
    pub url: Field<String>,
    /// Types of events; empty for all.
    pub types: Texts,
    /// What is sent of them: `full` or `thin`.
    pub payload: Field<String>,
    /// A description for people. An empty one of a change removes it.
    pub description: Field<String>,
    /// Of the shop's endpoints, the stores that it hears; empty for all.
    pub stores: Texts,
}

/// The endpoint that a call is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EndpointIdDraft {
    /// The endpoint.
    pub webhook_id: Field<String>,
    /// Of a call of the shop, the store whose endpoint it is.
    pub store_id: Field<String>,
}

/// The endpoint that is enabled, and where it begins.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EnableDraft {
    /// The endpoint.
    pub which: EndpointIdDraft,
    /// `stopped` or `now`.
    pub from: Field<String>,
    /// The sequence after which it begins.
    pub after_sequence: Field<i64>,
}

/// The endpoint that gets another secret.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RotateSecretDraft {
    /// The endpoint.
    pub which: EndpointIdDraft,
    /// How long the secret that was the latest signs too, in seconds.
    pub keep_old_seconds: Field<i64>,
}

/// The values of an [`EndpointDraft`] that were checked; `None` for those that it leaves out.
#[derive(Debug, Clone, Default)]
pub(super) struct EndpointValues {
    pub(super) url: Option<String>,
    pub(super) types: Option<BTreeSet<EventType>>,
    pub(super) payload: Option<EndpointPayload>,
    /// `Some(None)` removes it.
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
        let types = field::chosen(&self.types, &Path::Root.key("types"), &known, report);
        (!self.types.is_absent()).then_some(types)
    }

    /// Returns what an endpoint of the shop hears; `None` if the request does not say so.
    fn scope(&self, reached: &EndpointTarget<'_>, report: &mut Report) -> Option<EndpointScope> {
        let path = Path::Root.key("stores");
        if let EndpointOwner::Store(_) = reached.owner {
            if !self.stores.is_absent() {
                let message =
                    "an endpoint of a store hears that store only; leave out stores or storeId";
                report.violation(&path, IssueCode::Conflict, message);
            }
            return None;
        }
        if self.stores.is_absent() {
            return None;
        }
        let stores: BTreeSet<StoreId> = field::each(&self.stores, &path, report, |name| {
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
    if field.is_blank() {
        let what = "the id of a webhook endpoint";
        report.required(&Path::Root.key("webhookId"), what);
    }
    optional_webhook_id(field, report)
}

pub(super) fn optional_webhook_id(
    field: &Field<String>,
    report: &mut Report,
) -> Option<EndpointId> {
    parsed(field, "webhookId", report)
}

impl EnableDraft {
    /// Where an endpoint can begin, by its name; `None` for where it stopped.
    pub const STARTS: [(&'static str, Option<SubscriptionStart>); 2] =
        [("stopped", None), ("now", Some(SubscriptionStart::Now))];

    /// Returns where the endpoint begins; `Some(None)` for where it stopped, `None` with a problem in the report.
    pub(super) fn start(
        &self,
        owner: EndpointOwner,
        report: &mut Report,
    ) -> Option<Option<SubscriptionStart>> {
        let (from, after) = (Path::Root.key("from"), Path::Root.key("afterSequence"));
        let named = word(&self.from, &from, Self::STARTS, report);
        let range = (0, i64::MAX);
        let sequence = integer(&self.after_sequence, &after, range, report);
        let sequence = sequence.and_then(|sequence| u64::try_from(sequence).ok());
        let problem = match (self.from.is_blank(), self.after_sequence.is_absent()) {
            (true, true) => {
                report.required(&from, "where to begin: `stopped`, `now`, or afterSequence");
                return None;
            }
            (false, false) => "send either from or afterSequence, not both",
            (true, false) if owner == EndpointOwner::Shop => {
                "an endpoint of several stores has no one sequence; send from"
            }
            (true, false) => {
                return sequence.map(|sequence| Some(SubscriptionStart::After(sequence)));
            }
            (false, true) => return named,
        };
        report.violation(&after, IssueCode::Conflict, problem);
        None
    }
}

impl RotateSecretDraft {
    pub(super) fn keep_old_seconds(&self, report: &mut Report) -> u32 {
        let path = Path::Root.key("keepOldSeconds");
        let range = (0, i64::from(limits::KEEP_OLD_SECRET));
        let seconds = integer(&self.keep_old_seconds, &path, range, report);
        let seconds = seconds.and_then(|seconds| u32::try_from(seconds).ok());
        seconds.unwrap_or(limits::USUAL_KEEP_OLD_SECRET)
    }
}
