//! Searches of the delivery log, and repeated sending of events.

mod draft;

use std::cmp::Reverse;

use super::caller::{EndpointCaller, EndpointTarget};
use super::delivery::Delivery;
use super::draft::webhook_id;
use super::endpoint::{EndpointOwner, EndpointRecord};
use super::error::{Result, WebhookError};
use super::port::DeliveryFilter;
use super::service::EndpointService;
use crate::audit::AuditAction;
use crate::fields::{required, valid};
use pressline_domain::check::{IssueCode, Path, Report};
use pressline_domain::order::Lookup;
use pressline_domain::value::page::Page;
use pressline_domain::value::{DeliveryId, OrderId, ServiceOrderId, StoreId};

use draft::list;

pub use draft::{DeliveryDraft, RecoverDraft, ResendDraft};

const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

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
    ) -> Result<Page<Delivery>> {
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
        if let Some(name) = order {
            filter.order = Some(self.order_id(&reached, &name).await?);
        }
        let (before, count) = (window.after(), window.count());
        // The log is filtered by owner, not by a set of stores.
        let mut found = if reached.bound.is_some() {
            let found = self.found_by_bound(&reached, &filter, before, count);
            found.await?
        } else {
            let log = &self.ports.log;
            log.search(reached.owner, &filter, before, count).await?
        };
        let last = window.cut(&mut found, |delivery| delivery.id);
        Ok(window.page(found, last.as_ref()))
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
        let found = self.ports.log.find(reached.owner, id).await?;
        let delivery = found.ok_or(WebhookError::DeliveryNotFound)?;
        let endpoint = self.reached(&reached, delivery.endpoint).await;
        let record = match endpoint {
            // To the caller, a delivery of an inaccessible endpoint does not exist.
            Err(WebhookError::NotFound) => return Err(WebhookError::DeliveryNotFound),
            found => found?,
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
        let trail = &self.trail;
        trail.record(AuditAction::DeliveryResent, subject).await?;
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
        let (trail, action) = (&self.trail, AuditAction::DeliveriesRecovered);
        trail.record(action, id.to_string()).await?;
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
        let mut found = Vec::new();
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
            found.extend(of_endpoint);
        }
        found.sort_by_key(|delivery| Reverse(delivery.id));
        found.truncate(wanted);
        Ok(found)
    }

    /// Finds `name`: a service order id or, within a single store, also the store's own order id.
    async fn order_id(&self, reached: &EndpointTarget<'_>, name: &str) -> Result<OrderId> {
        let (store, lookup) = self.lookup(reached, name).await?;
        let found = self.ports.orders.find(store, &lookup).await?;
        let order = found.ok_or(WebhookError::OrderNotFound)?;
        Ok(order.content.id)
    }

    async fn lookup(&self, reached: &EndpointTarget<'_>, name: &str) -> Result<(StoreId, Lookup)> {
        if let Some(store) = reached.caller {
            return Ok((store.id, Lookup::named(name, store)));
        }
        let stores = &self.ports.stores;
        if let EndpointOwner::Store(id) = reached.owner {
            let record = stores.find(id).await?;
            let record = record.ok_or(WebhookError::StoreNotFound(id))?;
            return Ok((id, Lookup::named(name, &record.store)));
        }
        // Only the service order id tells the store.
        let number: Result<ServiceOrderId, _> = name.parse();
        let number = number.map_err(|_| WebhookError::OrderNotFound)?;
        let store = stores.with_prefix(&number.prefix).await?;
        let own = store.filter(|store| reached.has_store(store.id));
        let store = own.ok_or(WebhookError::OrderNotFound)?;
        Ok((store.id, Lookup::numbered(number.number)))
    }
}

fn check_enabled(record: &EndpointRecord) -> Result<()> {
    let disabled = record.state.disabled.map(|_| WebhookError::Disabled);
    disabled.map_or(Ok(()), Err)
}
