//! Search of the delivery log.

use std::cmp::Reverse;

use super::super::caller::{EndpointCaller, EndpointTarget};
use super::super::delivery::Delivery;
use super::super::endpoint::EndpointOwner;
use super::super::error::{Result, WebhookError};
use super::super::port::DeliveryFilter;
use super::DeliveryService;
use super::draft::{DeliveryDraft, list};
use pressline_domain::check::report::Report;
use pressline_domain::order::Lookup;
use pressline_domain::value::id::{DeliveryId, OrderId, ServiceOrderId, StoreId};
use pressline_domain::value::page::Page;

impl DeliveryService {
    /// Returns a page of the deliveries that match `draft`, newest first, for the endpoints of a
    /// single owner: the calling store, the store named in `draft`, or the print shop.
    ///
    /// # Errors
    /// [`WebhookError::Invalid`] if `draft` is invalid; [`WebhookError::StoreNotFound`],
    /// [`WebhookError::NotFound`] or [`WebhookError::OrderNotFound`] if it names an unknown store,
    /// endpoint or order.
    pub async fn search(
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
        self.endpoints.check_owner(&reached).await?;
        if let Some(id) = filter.endpoint {
            self.endpoints.reached(&reached, id).await?;
        }
        if let Some(name) = order {
            filter.order = Some(self.order(&reached, &name).await?);
        }
        let (before, count) = (window.after(), window.count());
        // The log is filtered by owner, not by a set of stores.
        let mut found = if reached.bound.is_some() {
            let found = self.found_by_bound(&reached, &filter, before, count);
            found.await?
        } else {
            let log = &self.log;
            log.search(reached.owner, &filter, before, count).await?
        };
        let last = window.cut(&mut found, |delivery| delivery.id);
        Ok(window.page(found, last.as_ref()))
    }

    /// Searches for an operator bound to some stores. Leaves out events of other stores, because an
    /// endpoint may have received these events before its scope changed.
    async fn found_by_bound(
        &self,
        reached: &EndpointTarget<'_>,
        filter: &DeliveryFilter,
        before: Option<DeliveryId>,
        count: u32,
    ) -> Result<Vec<Delivery>> {
        let wanted = usize::try_from(count).unwrap_or(usize::MAX);
        let records = self.endpoints.ports.endpoints.list(reached.owner).await?;
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
                let log = &self.log;
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

    /// Returns the internal id of the order `name`: a service order id or, if `reached` is a single
    /// store, also the store's own order id.
    async fn order(&self, reached: &EndpointTarget<'_>, name: &str) -> Result<OrderId> {
        let (store, lookup) = self.lookup(reached, name).await?;
        let found = self.orders.find(store, &lookup).await?;
        let order = found.ok_or(WebhookError::OrderNotFound)?;
        Ok(order.content.id)
    }

    async fn lookup(&self, reached: &EndpointTarget<'_>, name: &str) -> Result<(StoreId, Lookup)> {
        if let Some(store) = reached.caller {
            return Ok((store.id, Lookup::named(name, store)));
        }
        let stores = &self.endpoints.ports.stores;
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
