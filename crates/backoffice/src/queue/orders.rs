//! Search for orders across stores.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::draft::OrdersDraft;
use super::{CrossStoreQuery, Direction, OrderRef, QueueService};
use crate::operator::Operator;
use pressline_domain::check::{Field, Report};
use pressline_domain::fulfilment::CanonicalNumber;
use pressline_domain::order::request::tracking_number;
use pressline_domain::order::search::BATCH_BYTES;
use pressline_domain::order::{OrderError, RestOfPage, SearchPage, ShipmentLookup, load_next};
use pressline_domain::value::page::{ListDigest, Window};
use pressline_domain::value::{OrderId, StoreId};

type Result<T, E = OrderError> = std::result::Result<T, E>;

/// Filter fields, for error messages about cursors.
const FIELDS: &str =
    "fromTime, toTime, searchKey, statuses, types, stores, test and trackingNumber";

/// Shipments read per tracking number: carriers reuse numbers after months.
const LOOKED_UP: u32 = 1000;

pub(super) struct ValidOrders {
    pub(super) query: CrossStoreQuery,
    pub(super) number: Option<CanonicalNumber>,
    window: Window<OrderId>,
}

impl OrdersDraft {
    pub(super) fn check(&self, operator: &Operator, limit: u32) -> Result<ValidOrders, Report> {
        let report = &mut Report::default();
        let filter = self.search.check_filter(report);
        let store_filter = self.stores.check(report);
        let number = tracking_number(&Field::Absent, &self.tracking_number, report)
            .as_deref()
            .map(CanonicalNumber::new);
        let digest = filter
            .digest(ListDigest::new("operator's orders"))
            .text(number.as_ref().map_or("", CanonicalNumber::as_str));
        let list = store_filter.digest(digest).list(FIELDS);
        let paging = &self.search.paging;
        let window = paging.check_by_cursor_up_to(limit, list, report);
        report.check()?;
        let end = filter.to.map_or(OrderId::HIGHEST, OrderId::first_after);
        let query = CrossStoreQuery {
            stores: store_filter.within(&operator.stores),
            from: filter.from.map_or(OrderId::LOWEST, OrderId::first_of),
            before: window.after().map_or(end, |id| end.min(id)),
            key: filter.key,
            statuses: filter.statuses,
            kinds: filter.kinds,
            direction: Direction::NewestFirst,
            count: window.count(),
        };
        Ok(ValidOrders {
            query,
            number,
            window,
        })
    }
}

impl QueueService {
    /// Returns a page of the orders in the stores of `operator`, newest first. `limit` is the
    /// maximum size of a page. If orders are very large, [`SearchPage::page`] has only the first,
    /// and [`SearchPage::rest`] reads the others.
    #[pressline_kit::boxed]
    pub async fn orders(
        &self,
        operator: &Operator,
        draft: &OrdersDraft,
        limit: u32,
    ) -> Result<SearchPage> {
        let ValidOrders {
            query,
            number,
            window,
        } = draft.check(operator, limit)?;
        let mut places = self.places(number, &query).await?;
        let last = window.cut(&mut places, |place| place.order.id);
        let (mut orders, later_places) = self.read(&places).await?;
        // `read` returns ascending ids, and the list is newest first.
        orders.reverse();
        let later = later_places.iter().map(|place| (place.store, place.order));
        let rest = RestOfPage::new(Arc::clone(&self.orders), later.collect());
        let page = window.page(orders, last.as_ref());
        Ok(SearchPage { page, rest })
    }

    /// Returns the first orders of `query`; with a tracking `number`, only orders of its shipments.
    pub(super) async fn places(
        &self,
        number: Option<CanonicalNumber>,
        query: &CrossStoreQuery,
    ) -> Result<Vec<OrderRef>> {
        let Some(number) = number else {
            return Ok(self.queue.page(query).await?);
        };
        let lookup = ShipmentLookup::TrackingNumber(number);
        let stores = query.stores.set.as_ref();
        let mut by_store: BTreeMap<StoreId, BTreeSet<OrderId>> = BTreeMap::new();
        for shipment in self
            .orders
            .find_shipments(stores, &lookup, LOOKED_UP)
            .await?
        {
            if (query.from..query.before).contains(&shipment.order) {
                let of_store = by_store.entry(shipment.store).or_default();
                of_store.insert(shipment.order);
            }
        }
        let mut places = Vec::new();
        for (store, of_store) in by_store {
            let ids: Vec<OrderId> = of_store.into_iter().collect();
            let mut rest = ids.as_slice();
            while !rest.is_empty() {
                let orders = load_next(&*self.orders, store, &mut rest, BATCH_BYTES).await?;
                let matching = orders.iter().filter(|order| query.matches(order));
                places.extend(matching.map(OrderRef::new));
            }
        }
        places.sort_by_key(|place| place.order.id);
        if query.direction == Direction::NewestFirst {
            places.reverse();
        }
        places.truncate(usize::try_from(query.count).unwrap_or(usize::MAX));
        Ok(places)
    }
}
