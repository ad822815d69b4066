//! List of parcels across stores, for operators.

use std::collections::BTreeSet;

use crate::operator::Operator;
use crate::queue::{StoreFilter, StoresDraft};
use crate::store::{StoreAdmin, StoreError};
use pressline_domain::check::{self, Field, Path, Report, limits, text};
use pressline_domain::fulfilment::{CanonicalNumber, Shipment, ShipmentStatus};
use pressline_domain::order::request::tracking_number;
use pressline_domain::order::search::time_range;
use pressline_domain::order::{OrderError, OrderRepository, ShipmentLookup, ShipmentMatch};
use pressline_domain::value::page::{ListDigest, Page, PageDraft, Window};
use pressline_domain::value::{OrderId, StoreId, Timestamp};

/// Filter fields, for error messages about cursors.
const FIELDS: &str = "trackingNumber, carrier, statuses, fromTime, toTime, stores and test";
/// Parcels read per tracking number: carriers reuse numbers after months.
const LOOKED_UP: u32 = 1000;
/// Usual number of parcels read per query. A larger query follows if they are all of one order.
const READ: u32 = 300;
/// Maximum number of reads for a page, with one or two queries each. If a filter matches few
/// parcels, a page can be shorter than requested, although further pages follow.
const READS: u32 = 10;

/// Unchecked search for parcels across stores.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParcelsDraft {
    /// Complete tracking number of the parcels to find; absent for any.
    pub tracking_number: Field<String>,
    /// Name of the carrier of the parcels to find, such as `DHL`; absent for any. Case is ignored.
    pub carrier: Field<String>,
    /// Statuses of the parcels to find, such as `delivered`; absent or empty for any.
    pub statuses: Field<Vec<Field<String>>>,
    /// Earliest shipping time, in milliseconds since 1970; 0 means no limit.
    pub from_time: Field<i64>,
    /// Latest shipping time, in milliseconds since 1970; 0 means no limit.
    pub to_time: Field<i64>,
    /// Stores to include. Test stores are included only if `stores.test` is `true`.
    pub stores: StoresDraft,
    /// Page size and cursor; page numbers are refused.
    pub paging: PageDraft,
}

struct ValidParcels {
    number: Option<CanonicalNumber>,
    carrier: Option<String>,
    statuses: BTreeSet<ShipmentStatus>,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    stores: StoreFilter,
    window: Window<OrderId>,
}

impl ParcelsDraft {
    fn check(&self, operator: &Operator) -> Result<ValidParcels, Report> {
        let (root, report) = (Path::Root, &mut Report::default());
        let number = tracking_number(&self.carrier, &self.tracking_number, report)
            .as_deref()
            .map(CanonicalNumber::new);
        let carrier = text(&self.carrier, &root.key("carrier"), report);
        let known = ShipmentStatus::ALL.map(|status| (status.as_str(), status));
        let statuses = check::chosen(&self.statuses, &root.key("statuses"), &known, report);
        let (from, to) = time_range(&self.from_time, &self.to_time, report);
        let store_filter = self.stores.check(report);
        let digest = ListDigest::new("parcels")
            .text(number.as_ref().map_or("", CanonicalNumber::as_str))
            .text(carrier.as_deref().unwrap_or_default())
            .texts(statuses.iter().map(|status| status.as_str()))
            .time(from)
            .time(to);
        let list = store_filter.digest(digest).list(FIELDS);
        let window = self.paging.check_by_cursor(list, report);
        report.check()?;
        Ok(ValidParcels {
            number,
            carrier,
            statuses,
            from,
            to,
            stores: store_filter.within(&operator.stores),
            window,
        })
    }
}

impl ValidParcels {
    fn matches(&self, shipment: &Shipment) -> bool {
        let carrier = self.carrier.as_deref();
        carrier.is_none_or(|carrier| shipment.is_sent_by(carrier))
            && (self.statuses.is_empty() || self.statuses.contains(&shipment.status))
            && self.from.is_none_or(|from| shipment.shipped_at >= from)
            && self.to.is_none_or(|to| shipment.shipped_at <= to)
    }
}

impl ParcelsDraft {
    /// Returns a page of the parcels that match the search, in the stores that `operator` has
    /// access to. Parcels of newer orders come first; within an order, the latest parcel comes
    /// first. A page ends between two orders, so it can have slightly more entries than requested.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if a field is invalid; [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn find(
        &self,
        orders: &dyn OrderRepository,
        stores: &StoreAdmin,
        operator: &Operator,
    ) -> Result<Page<ShipmentMatch>, OrderError> {
        let valid = self.check(operator)?;
        let records = stores.list().await.map_err(|error| match error {
            StoreError::Repository(error) => OrderError::Repository(error),
            // Listing stores has no other errors.
            other => OrderError::Repository(pressline_domain::error::RepositoryError::Refused(
                other.into(),
            )),
        })?;
        let all = records.iter().map(|record| &record.store);
        let asked: BTreeSet<StoreId> = all
            .filter(|store| valid.stores.include(store.id, store.test))
            .map(|store| store.id)
            .collect();
        let mut before = valid.window.after().unwrap_or(OrderId::HIGHEST);
        let limit = valid.window.limit();
        let (mut entries, mut last) = (Vec::new(), None);
        for _ in 0..READS {
            let (read, has_more) = valid.before(orders, &asked, before).await?;
            // The cursor is an order id, so the page ends before the first parcel of the next
            // order.
            for parcel in read {
                if entries.len() >= limit && last != Some(parcel.order) {
                    return Ok(valid.window.page(entries, last.as_ref()));
                }
                last = Some(parcel.order);
                if valid.matches(&parcel.shipment) {
                    entries.push(parcel);
                }
            }
            match last {
                Some(order) if has_more => before = order,
                _ => return Ok(valid.window.page(entries, None)),
            }
        }
        Ok(valid.window.page(entries, last.as_ref()))
    }
}

impl ValidParcels {
    /// Returns parcels of orders below `before`, newest order first, and `true` if more orders
    /// follow. Never divides an order. Only the tracking number is applied as a filter.
    async fn before(
        &self,
        orders: &dyn OrderRepository,
        stores: &BTreeSet<StoreId>,
        before: OrderId,
    ) -> Result<(Vec<ShipmentMatch>, bool), OrderError> {
        if let Some(number) = &self.number {
            let lookup = ShipmentLookup::TrackingNumber(number.clone());
            let mut parcels = orders
                .find_shipments(Some(stores), &lookup, LOOKED_UP)
                .await?;
            // The look-up by tracking number also returns the parcels of earlier pages.
            parcels.retain(|parcel| parcel.order < before);
            return Ok((parcels, false));
        }
        let lookup = ShipmentLookup::OfOrdersBefore(before);
        // The second query reads more parcels than one order can have, so it returns at least one
        // whole order.
        let limit = u32::try_from(limits::SHIPMENTS).unwrap_or(u32::MAX);
        for count in [READ, limit.saturating_add(1)] {
            let mut parcels = orders.find_shipments(Some(stores), &lookup, count).await?;
            if u32::try_from(parcels.len()).is_ok_and(|length| length < count) {
                return Ok((parcels, false));
            }
            let last = parcels.last().map(|parcel| parcel.order);
            if parcels.first().map(|parcel| parcel.order) != last {
                // The other parcels of the last order may not have been read.
                parcels.retain(|parcel| Some(parcel.order) != last);
                return Ok((parcels, true));
            }
        }
        Ok((Vec::new(), false))
    }
}
