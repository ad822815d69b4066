//! Searches of the delivery log, and repeated sending of events.

use std::cmp::Reverse;

use super::caller::{EndpointCaller, EndpointTarget};
use super::delivery::{Delivery, DeliveryStatus};
use super::draft::webhook_id;
use super::endpoint::{EndpointOwner, EndpointRecord};
use super::error::{Result, WebhookError};
use super::port::{DeliveryFilter, RecoverFrom};
use super::service::EndpointService;
use crate::audit::AuditAction;
use crate::fields::{number, parsed, required, valid};
use pressline_domain::check::{Field, IssueCode, Path, Report, Warning, order_name, word};
use pressline_domain::order::search::time_range;
use pressline_domain::order::{OrderError, OrderScope, OwnOrderIds, ReadOrder};
use pressline_domain::store::StoresByPrefix;
use pressline_domain::value::page::{ListDigest, ListId, Page, PageDraft};
use pressline_domain::value::{DeliveryId, Timestamp, timestamp};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// Unchecked search for deliveries. Absent fields do not restrict it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeliveryDraft {
    /// Id of the endpoint that the events were sent to.
    pub webhook_id: Field<String>,
    /// Id of the store that owns the endpoints, in operator calls; absent for the print shop.
    pub store_id: Field<String>,
    /// Name of the event's order: a service order id such as `SUN-1042`, the service's id or, if a
    /// store owns the endpoint, also the store's own order id.
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

/// Result of a search for deliveries.
#[derive(Debug, Clone, PartialEq)]
pub struct DeliveryMatches {
    /// The matching deliveries, newest first.
    pub page: Page<Delivery>,
    /// Warning that the name of the order also fits another order.
    pub warnings: Vec<Warning>,
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
    fn check_filter(&self, report: &mut Report) -> (DeliveryFilter, Option<String>) {
        let root = Path::Root;
        let sequence = number(&self.sequence, "sequence", (1, i64::MAX), report);
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

fn list(owner: EndpointOwner, filter: &DeliveryFilter, order: Option<&str>) -> ListId {
    // The digest ties a cursor to the owner and the filter of its list.
    let list = ListDigest::new("deliveries");
    let digest_of_owner = match owner {
        EndpointOwner::Store(store) => list.store(store),
        EndpointOwner::Shop => list.text("shop"),
    };
    let endpoint = filter.endpoint.map(|id| id.to_string());
    let sequence = filter.sequence.map(|sequence| sequence.to_string());
    let status = filter.status.map(|status| status.as_str().to_owned());
    let order = order.map(str::to_owned);
    let texts = [endpoint, order, sequence, status].map(Option::unwrap_or_default);
    let digest = digest_of_owner
        .texts(texts.iter())
        .time(filter.from)
        .time(filter.to);
    digest.list(DeliveryDraft::FIELDS)
}

impl RecoverDraft {
    /// Returns `None` without a valid position. The log has no deliveries from before `oldest`.
    fn from(
        &self,
        owner: EndpointOwner,
        oldest: Timestamp,
        report: &mut Report,
    ) -> Option<RecoverFrom> {
        let (after, since) = (Path::Root.key("afterSequence"), Path::Root.key("fromTime"));
        let range = (0, i64::MAX);
        let sequence = number(&self.after_sequence, "afterSequence", range, report);
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

impl EndpointService {
    /// Returns a page of the deliveries that match `draft`, newest first, for the endpoints of a
    /// single owner: the calling store, the store named in `draft`, or the print shop.
    ///
    /// # Errors
    /// [`WebhookError::Invalid`] if `draft` is invalid; [`WebhookError::StoreNotFound`],
    /// [`WebhookError::NotFound`] or [`WebhookError::OrderNotFound`] if it names an unknown store,
    /// endpoint or order.
    pub async fn deliveries(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &DeliveryDraft,
    ) -> Result<DeliveryMatches> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.store_id, &mut report);
        let (mut filter, order) = draft.check_filter(&mut report);
        let list = list(reached.owner, &filter, order.as_deref());
        let window = draft.paging.check_by_cursor(list, &mut report);
        report.check()?;
        self.check_owner(&reached).await?;
        if let Some(id) = filter.endpoint {
            self.reached(&reached, id).await?;
        }
        let mut warnings = Vec::new();
        if let Some(name) = order {
            let read_order = self.named_order(&reached, &name).await?;
            filter.order = Some(read_order.order.content.id);
            warnings = read_order.warnings;
        }
        let (before, count) = (window.after(), window.count());
        // The log is filtered by owner, not by a set of stores.
        let mut deliveries = if reached.bound.is_some() {
            self.found_by_bound(&reached, &filter, before, count)
                .await?
        } else {
            let log = &self.ports.log;
            log.search(reached.owner, &filter, before, count).await?
        };
        let last = window.cut(&mut deliveries, |delivery| delivery.id);
        Ok(DeliveryMatches {
            page: window.page(deliveries, last.as_ref()),
            warnings,
        })
    }

    /// Sends the event of a delivery again: immediately, and then by the retry schedule. Returns 1,
    /// or 0 if the event no longer exists or the endpoint no longer receives events of its store.
    ///
    /// # Errors
    /// [`WebhookError::Invalid`] if `draft` is invalid or the delivery was a test;
    /// [`WebhookError::DeliveryNotFound`] or [`WebhookError::StoreNotFound`] if it names an unknown
    /// delivery or store; [`WebhookError::Disabled`] if the endpoint is disabled.
    pub async fn resend(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &ResendDraft,
    ) -> Result<u64> {
        let mut report = Report::default();
        let reached = caller.into().owner(&draft.store_id, &mut report);
        let what = "the id of a delivery";
        let id = required(&draft.delivery_id, "deliveryId", what, &mut report);
        let id = valid(id, &mut report)?;
        self.check_owner(&reached).await?;
        let delivery = self
            .ports
            .log
            .find(reached.owner, id)
            .await?
            .ok_or(WebhookError::DeliveryNotFound)?;
        let endpoint = self.reached(&reached, delivery.endpoint).await;
        let record = match endpoint {
            // To the caller, a delivery of an inaccessible endpoint does not exist.
            Err(WebhookError::NotFound) => return Err(WebhookError::DeliveryNotFound),
            result => result?,
        };
        let Some(sequence) = delivery.event.sequence else {
            let message = "a test cannot be sent again; test the endpoint once more";
            let path = Path::Root.key("deliveryId");
            report.violation(&path, IssueCode::InvalidFormat, message);
            return Err(report.into());
        };
        // The endpoint may have received events of stores outside the scope before.
        if !reached.has_store(delivery.store) {
            return Err(WebhookError::DeliveryNotFound);
        }
        check_enabled(&record)?;
        let subject = format!("{} of {}", delivery.id, delivery.endpoint);
        let recorder = &self.recorder;
        recorder
            .record(AuditAction::DeliveryResent, subject)
            .await?;
        let now = self.ports.clock.now();
        let is_sent = self
            .ports
            .log
            .resend(delivery.subscription(), sequence, now)
            .await?;
        // Wakes the worker, because the message is due now.
        self.changed(delivery.endpoint);
        Ok(u64::from(is_sent))
    }

    /// Sends again the endpoint's undelivered events, after the sequence or since the time in
    /// `draft`: immediately, and then by the retry schedule. Returns the number of events. Events
    /// from before the start of the delivery log are left out.
    ///
    /// # Errors
    /// [`WebhookError::Invalid`] if `draft` is invalid or its time is before the start of the log;
    /// [`WebhookError::NotFound`] or [`WebhookError::StoreNotFound`] if it names an unknown
    /// endpoint or store; [`WebhookError::Disabled`] if the endpoint is disabled.
    pub async fn recover(
        &self,
        caller: impl Into<EndpointCaller<'_>>,
        draft: &RecoverDraft,
    ) -> Result<u64> {
        let mut report = Report::default();
        let now = self.ports.clock.now();
        let oldest = now.plus_millis(-i64::from(self.ports.log_days) * DAY_MILLIS);
        let reached = caller.into().owner(&draft.store_id, &mut report);
        let id = webhook_id(&draft.webhook_id, &mut report);
        let from = draft.from(reached.owner, oldest, &mut report);
        let (id, from) = valid(id.zip(from), &mut report)?;
        self.check_owner(&reached).await?;
        let record = self.reached(&reached, id).await?;
        check_enabled(&record)?;
        let (recorder, action) = (&self.recorder, AuditAction::DeliveriesRecovered);
        recorder.record(action, id.to_string()).await?;
        let queued = self.ports.log.recover(&record, from, oldest, now).await?;
        // Wakes the worker, because the messages are due now.
        self.changed(id);
        Ok(queued)
    }

    /// Leaves out events of other stores, received before the scope of an endpoint changed.
    async fn found_by_bound(
        &self,
        reached: &EndpointTarget<'_>,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        count: u32,
    ) -> Result<Vec<Delivery>> {
        let wanted = usize::try_from(count).unwrap_or(usize::MAX);
        let records = self.ports.endpoints.list(reached.owner).await?;
        let endpoints = records.iter().map(|record| &record.endpoint);
        let own = endpoints.filter(|endpoint| reached.has(endpoint));
        let mut deliveries = Vec::new();
        for endpoint in own.filter(|own| filter.endpoint.is_none_or(|id| own.id == id)) {
            let filter = DeliveryFilter {
                endpoint: Some(endpoint.id),
                ..filter.clone()
            };
            let (mut of_endpoint, mut before) = (Vec::new(), before);
            // Filtering drops deliveries, so pages are read until enough are left.
            while of_endpoint.len() < wanted {
                let log = &self.ports.log;
                let next = log.search(reached.owner, &filter, before, count).await?;
                let is_last = next.len() < wanted;
                before = next.last().map(|last| last.id);
                let is_own = |delivery: &Delivery| {
                    delivery.event.sequence.is_none() || reached.has_store(delivery.store)
                };
                of_endpoint.extend(next.into_iter().filter(is_own));
                if is_last {
                    break;
                }
            }
            deliveries.extend(of_endpoint);
        }
        deliveries.sort_by_key(|delivery| Reverse(delivery.id));
        deliveries.truncate(wanted);
        Ok(deliveries)
    }

    /// Finds the order `name`. Within a single store, the name can be the store's own order id.
    async fn named_order(&self, reached: &EndpointTarget<'_>, name: &str) -> Result<ReadOrder> {
        let (orders, stores) = (&*self.ports.orders, &self.ports.stores);
        let result = match (reached.caller, reached.owner) {
            (Some(store), _) => OrderScope::Store(store).read(orders, name).await,
            (None, EndpointOwner::Store(id)) => {
                let record = stores
                    .find(id)
                    .await?
                    .ok_or(WebhookError::StoreNotFound(id))?;
                OrderScope::Store(&record.store).read(orders, name).await
            }
            (None, EndpointOwner::Shop) => {
                let scope = OrderScope::Stores {
                    set: &reached.bound.cloned(),
                    by_prefix: &StoresByPrefix::new(stores.clone(), self.ports.clock.clone()),
                    own_ids: OwnOrderIds::Ambiguous,
                };
                scope.read(orders, name).await
            }
        };
        result.map_err(|error| match error {
            OrderError::Repository(error) => error.into(),
            _ => WebhookError::OrderNotFound,
        })
    }
}

fn check_enabled(record: &EndpointRecord) -> Result<()> {
    let disabled = record.state.disabled.map(|_| WebhookError::Disabled);
    disabled.map_or(Ok(()), Err)
}
