//! Unchecked requests about deliveries, and their validation.

use super::super::delivery::DeliveryStatus;
use super::super::endpoint::EndpointOwner;
use super::super::port::{DeliveryFilter, RecoverFrom};
use crate::fields::{parsed, sequence};
use pressline_domain::check::{Field, IssueCode, Path, Report, order_name, word};
use pressline_domain::order::search::time_range;
use pressline_domain::value::page::{ListDigest, ListId, PageDraft};
use pressline_domain::value::{Timestamp, timestamp};

/// Unchecked search for deliveries. Absent fields do not restrict it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeliveryDraft {
    /// Id of the endpoint that the events were sent to.
    pub webhook_id: Field<String>,
    /// Id of the store that owns the endpoints, in operator calls; absent for the print shop.
    pub store_id: Field<String>,
    /// Id of the event's order: a service order id such as `SUN-1042` or, if a store owns the
    /// endpoint, also the store's own order id.
    pub order_id: Field<String>,
    /// Sequence of the event.
    pub sequence: Field<i64>,
    /// Result of the delivery: `succeeded` or `failed`.
    pub status: Field<String>,
    /// Earliest `started_at` of the delivery, in milliseconds since 1970; 0 for no bound.
    pub from_time: Field<i64>,
    /// Latest `started_at` of the delivery, in milliseconds since 1970; 0 for no bound.
    pub to_time: Field<i64>,
    /// Page size and cursor; page numbers are refused.
    pub paging: PageDraft,
}

/// Unchecked request to send the event of a delivery again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResendDraft {
    /// Id of the delivery. Its event is sent again.
    pub delivery_id: Field<String>,
    /// Id of the store that owns the endpoint, in operator calls; absent for the print shop.
    pub store_id: Field<String>,
}

/// Unchecked request to send all undelivered events to an endpoint again. Has either
/// `after_sequence` or `from_time`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecoverDraft {
    /// Id of the endpoint that the events are sent to.
    pub webhook_id: Field<String>,
    /// Id of the store that owns the endpoint, in operator calls; absent for the print shop.
    pub store_id: Field<String>,
    /// Sequence after which to send again, instead of `from_time`. Endpoints of stores only.
    pub after_sequence: Field<i64>,
    /// Time from which events are sent again, in milliseconds since 1970.
    pub from_time: Field<i64>,
}

impl DeliveryDraft {
    const FIELDS: &str = "webhookId, storeId, order_id, sequence, status, fromTime and toTime";

    /// Returns the name of the order separately, because the order's internal id is not known.
    pub(super) fn check_filter(&self, report: &mut Report) -> (DeliveryFilter, Option<String>) {
        let root = Path::Root;
        let sequence = sequence(&self.sequence, "sequence", 1, report);
        let statuses = DeliveryStatus::ALL.map(|status| (status.as_str(), status));
        let (from, to) = time_range(&self.from_time, &self.to_time, report);
        let filter = DeliveryFilter {
            endpoint: parsed(&self.webhook_id, "webhookId", report),
            order: None,
            sequence,
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
    // The digest ties a cursor to the owner and the filter of its list.
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

impl RecoverDraft {
    /// Returns `None` without a valid position. The log has no deliveries from before `oldest`.
    pub(super) fn from(
        &self,
        owner: EndpointOwner,
        oldest: Timestamp,
        report: &mut Report,
    ) -> Option<RecoverFrom> {
        let (after, since) = (Path::Root.key("afterSequence"), Path::Root.key("fromTime"));
        let sequence = sequence(&self.after_sequence, "afterSequence", 0, report);
        let moment = timestamp(&self.from_time, &since, report);
        if moment.is_some_and(|moment| moment < oldest) {
            let message =
                format!("`fromTime` must not be before the delivery log begins: {oldest}");
            report.violation(&since, IssueCode::OutOfRange, message);
        }
        match (self.after_sequence.is_absent(), self.from_time.is_absent()) {
            (true, true) => report.required(&since, "a time, or `afterSequence`"),
            (false, false) => {
                let message = "send either `afterSequence` or `fromTime`, not both";
                report.violation(&after, IssueCode::Conflict, message);
            }
            (false, true) if owner == EndpointOwner::Shop => {
                let message = "several stores have no common sequence; send `fromTime` instead";
                report.violation(&after, IssueCode::Conflict, message);
            }
            (false, true) => return sequence.map(RecoverFrom::After),
            (true, false) => return moment.map(RecoverFrom::Since),
        }
        None
    }
}
