//! Requests about deliveries, as they came in.

use super::super::delivery::DeliveryStatus;
use super::super::draft::optional_webhook_id;
use super::super::endpoint::EndpointOwner;
use super::super::port::{DeliveryFilter, RecoverFrom};
use crate::store::parsed;
use pressline_domain::check::{integer, moment, order_name, word};
use pressline_domain::field::Field;
use pressline_domain::id::DeliveryId;
use pressline_domain::order::search::time_range;
use pressline_domain::page::{ListDigest, ListId, PageDraft};
use pressline_domain::report::{IssueCode, Path, Report};
use pressline_domain::time::Timestamp;

/// A search for deliveries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeliveryDraft {
    /// Of this endpoint.
    pub webhook_id: Field<String>,
    /// Of a call of the shop, the store whose endpoints' deliveries are searched.
    pub store_id: Field<String>,
    /// Of this order: its id, or its service order id.
    pub order_id: Field<String>,
    /// Of the event with this sequence.
    pub sequence: Field<i64>,
    /// That ended so.
    pub status: Field<String>,
    /// That began at this time or later, milliseconds; 0 is open.
    pub from_time: Field<i64>,
    /// That began at this time or before, milliseconds; 0 is open.
    pub to_time: Field<i64>,
    /// Which page, by cursor only.
    pub paging: PageDraft,
}

/// The delivery whose event is sent again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResendDraft {
    /// The delivery.
    pub delivery_id: Field<String>,
    /// Of a call of the shop, the store whose endpoint's delivery it is.
    pub store_id: Field<String>,
}

/// The endpoint to which everything is sent again that it did not take.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecoverDraft {
    /// The endpoint.
    pub webhook_id: Field<String>,
    /// Of a call of the shop, the store whose endpoint it is.
    pub store_id: Field<String>,
    /// The sequence after which events are sent again.
    pub after_sequence: Field<i64>,
    /// The time from which on events are sent again, milliseconds.
    pub from_time: Field<i64>,
}

impl DeliveryDraft {
    const FIELDS: &str = "webhookId, storeId, order_id, sequence, status, fromTime and toTime";

    /// Checks the fields that choose deliveries, and reports all problems. The order is not in the filter yet:
    /// only its name is returned.
    pub(super) fn check_filter(&self, report: &mut Report) -> (DeliveryFilter, Option<String>) {
        let root = Path::Root;
        let sequence = integer(&self.sequence, &root.key("sequence"), (1, i64::MAX), report);
        let statuses = DeliveryStatus::ALL.map(|status| (status.as_str(), status));
        let (from, to) = time_range(&self.from_time, &self.to_time, report);
        let filter = DeliveryFilter {
            endpoint: optional_webhook_id(&self.webhook_id, report),
            order: None,
            sequence: sequence.and_then(|sequence| u64::try_from(sequence).ok()),
            status: word(&self.status, &root.key("status"), statuses, report),
            from,
            to,
        };
        let is_named = !self.order_id.is_blank();
        let order = is_named.then(|| order_name(&self.order_id, report));
        (filter, order.flatten())
    }
}

pub(super) fn list(owner: EndpointOwner, filter: &DeliveryFilter, order: Option<&str>) -> ListId {
    let digest = ListDigest::new("deliveries");
    let digest = match owner {
        EndpointOwner::Store(store) => digest.store(store),
        EndpointOwner::Shop => digest.text("shop"),
    };
    let endpoint = filter.endpoint.map(|id| id.to_string());
    let sequence = filter.sequence.map(|sequence| sequence.to_string());
    let status = filter.status.map(|status| status.as_str().to_owned());
    let order = order.map(str::to_owned);
    let texts = [endpoint, order, sequence, status].map(Option::unwrap_or_default);
    let digest = digest.texts(texts.iter());
    let digest = digest.time(filter.from).time(filter.to);
    digest.list(DeliveryDraft::FIELDS)
}

impl ResendDraft {
    pub(super) fn delivery(&self, report: &mut Report) -> Option<DeliveryId> {
        if self.delivery_id.is_blank() {
            let what = "the id of a delivery";
            report.required(&Path::Root.key("deliveryId"), what);
        }
        parsed(&self.delivery_id, "deliveryId", report)
    }
}

impl RecoverDraft {
    /// Returns which events are sent again; `None` with a problem in the report. The log does not know of what
    /// happened before `oldest`.
    pub(super) fn from(
        &self,
        owner: EndpointOwner,
        oldest: Timestamp,
        report: &mut Report,
    ) -> Option<RecoverFrom> {
        let (after, since) = (Path::Root.key("afterSequence"), Path::Root.key("fromTime"));
        let sequence = integer(&self.after_sequence, &after, (0, i64::MAX), report);
        let sequence = sequence.and_then(|sequence| u64::try_from(sequence).ok());
        let moment = moment(&self.from_time, &since, report);
        if moment.is_some_and(|moment| moment < oldest) {
            let message = format!("the log of deliveries begins at {oldest}");
            report.violation(&since, IssueCode::OutOfRange, message);
        }
        match (self.after_sequence.is_absent(), self.from_time.is_absent()) {
            (true, true) => report.required(&since, "a time, or afterSequence"),
            (false, false) => {
                let message = "send either afterSequence or fromTime, not both";
                report.violation(&after, IssueCode::Conflict, message);
            }
            (false, true) if owner == EndpointOwner::Shop => {
                let message = "an endpoint of several stores has no one sequence; send fromTime";
                report.violation(&after, IssueCode::Conflict, message);
            }
            (false, true) => return sequence.map(RecoverFrom::After),
            (true, false) => return moment.map(RecoverFrom::Since),
        }
        None
    }
}
