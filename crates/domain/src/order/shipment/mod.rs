//! The use cases of shipments: load, decide, write.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::command::{ATTEMPTS, too_many_changes};
use super::request::{NamedShipment, ShipmentDraft, ValidShipment};
use super::{
    Order, OrderError, OrderScope, OrderService, OrderWrite, ShipmentLookup, ShipmentMatch,
};
use crate::check::{IssueCode, Path, Report, Warning};
use crate::error::{RepositoryError, Result};
use crate::fulfilment::{
    Caller, Context, Decision, Refusal, Shipment, Tracking, ship, track, update_shipment, void,
};
use crate::value::{OrderId, ShipmentId, StoreId};

/// Maximum number of shipments that a lookup reads, before carriers are compared.
pub(super) const LOOKED_UP: u32 = 1000;
// Maximum number of shipments in a response.
const LISTED: usize = 100;

/// Result of a request about a shipment.
#[derive(Debug, Clone, PartialEq)]
pub struct Shipped {
    /// The shipment as it is now.
    pub shipment: Shipment,
    /// The shipment's order as it is now.
    pub order: Order,
    /// Problems of the request that did not prevent the result.
    pub warnings: Vec<Warning>,
    /// `true` if nothing was written, because the shipment already was as requested.
    pub replayed: bool,
}

/// Result of a search for shipments.
#[derive(Debug, Clone, PartialEq)]
pub struct ShipmentMatches {
    /// Up to 100 shipments. Shipments of newer orders come first.
    pub shipments: Vec<ShipmentMatch>,
    /// Problems of the request that did not prevent the result.
    pub warnings: Vec<Warning>,
}

type ShipmentDecision = Result<(ShipmentId, Decision), OrderError>;

impl OrderService {
    /// Records a shipment. A repeated request with the same content returns the stored shipment.
    ///
    /// # Errors
    /// Any [`OrderError`] except [`OrderError::Duplicate`].
    pub async fn create_shipment(
        &self,
        reach: impl Into<OrderScope<'_>>,
        draft: &ShipmentDraft,
        by: &Caller,
    ) -> Result<Shipped, OrderError> {
        let (name, valid) = draft.check_new()?;
        let named = self.named(reach.into(), &name).await?;
        let order = self.stored(&named).await?;
        let id = self.shipment_id();
        self.about(order, valid, by, |order, valid, context| {
            let command = valid.command(id, order)?;
            // A repeated request gets the id of the stored shipment.
            let stored = command.repeated(order).map(|stored| stored.id);
            let decision = decided(ship(order, &command, context), order)?;
            Ok((stored.unwrap_or(id), decision))
        })
        .await
    }

    /// Changes values of a shipment. Same errors as [`OrderService::create_shipment`].
    pub async fn update_shipment(
        &self,
        reach: impl Into<OrderScope<'_>>,
        draft: &ShipmentDraft,
        by: &Caller,
    ) -> Result<Shipped, OrderError> {
        let (id, order, valid) = self.the_shipment(reach.into(), draft).await?;
        self.about(order, valid, by, |order, valid, context| {
            let updated = update_shipment(order, id, valid.values.clone(), context);
            Ok((id, decided(updated, order)?))
        })
        .await
    }

    /// Voids a shipment. Same errors as [`OrderService::create_shipment`].
    pub async fn void_shipment(
        &self,
        reach: impl Into<OrderScope<'_>>,
        draft: &ShipmentDraft,
        by: &Caller,
    ) -> Result<Shipped, OrderError> {
        let (id, order, valid) = self.the_shipment(reach.into(), draft).await?;
        self.about(order, valid, by, |order, _, context| {
            Ok((id, decided(void(order, id, context), order)?))
        })
        .await
    }

    /// Records a carrier's report about a shipment.
    ///
    /// # Errors
    /// Same errors as [`OrderService::create_shipment`]; [`OrderError::Invalid`] also if the report
    /// would change several shipments with the same tracking number.
    pub async fn track_shipment(
        &self,
        reach: impl Into<OrderScope<'_>>,
        draft: &ShipmentDraft,
        by: &Caller,
    ) -> Result<Shipped, OrderError> {
        let (named, report, valid) = draft.check_report()?;
        let found = self.named_shipments(reach.into(), &named, &valid).await?;
        let found = reported(found, report.tracking)?;
        let (id, order) = (found.shipment.id, self.order_of(&found).await?);
        self.about(order, valid, by, |order, _, context| {
            let tracked = track(order, id, report.tracking, report.at, context);
            Ok((id, decided(tracked, order)?))
        })
        .await
    }

    /// Finds shipments by their tracking number, including void shipments.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` has no valid tracking number, and
    /// [`OrderError::Repository`] if a query fails.
    pub async fn find_shipments(
        &self,
        reach: impl Into<OrderScope<'_>>,
        draft: &ShipmentDraft,
    ) -> Result<ShipmentMatches, OrderError> {
        let (named, mut warnings) = draft.check_lookup()?;
        let mut shipments = self.look_up(reach.into(), &named).await?;
        if shipments.len() > LISTED {
            shipments.truncate(LISTED);
            let message = format!("more than {LISTED} shipments have this number");
            let mut report = Report::default();
            report.warning(&Path::Root.key("trackingNumber"), IssueCode::More, message);
            warnings.append(&mut report.warnings);
        }
        Ok(ShipmentMatches {
            shipments,
            warnings,
        })
    }

    async fn about(
        &self,
        mut order: Order,
        valid: ValidShipment,
        by: &Caller,
        decide: impl Fn(&Order, &ValidShipment, &Context) -> ShipmentDecision + Send + Sync,
    ) -> Result<Shipped, OrderError> {
        for _ in 0..ATTEMPTS {
            let context = self.context(by, &valid.reason, valid.version);
            let (id, decision) = decide(&order, &valid, &context)?;
            let change = match decision {
                Decision::Unchanged => return shipped(order, id, valid.warnings, true),
                Decision::Changed(change) => *change,
            };
            match self.write(OrderWrite::change(change)).await {
                Ok(order) => return shipped(order, id, valid.warnings, false),
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
            // Lost a race: the next attempt decides about the order as it is now.
            let (store, id) = (order.content.store_id, order.content.id);
            let stored = self.load_order(store, id).await?;
            order = stored.ok_or(OrderError::NotFound)?;
        }
        Err(too_many_changes())
    }

    async fn the_shipment(
        &self,
        reach: OrderScope<'_>,
        draft: &ShipmentDraft,
    ) -> Result<(ShipmentId, Order, ValidShipment), OrderError> {
        let (named, valid) = draft.check_change()?;
        let found = self.named_shipments(reach, &named, &valid).await?;
        let found = found.first().ok_or(OrderError::UnknownShipment)?;
        Ok((found.shipment.id, self.order_of(found).await?, valid))
    }

    async fn named_shipments(
        &self,
        reach: OrderScope<'_>,
        named: &NamedShipment,
        valid: &ValidShipment,
    ) -> Result<Vec<ShipmentMatch>, OrderError> {
        let Some(order_id) = &valid.order_id else {
            return self.look_up(reach, named).await;
        };
        let order = self.reached(reach, order_id).await?;
        let found = ShipmentMatch::of_order(&order, &named.lookup);
        Ok(found
            .filter(|found| named.is_sent_by_carrier(found))
            .collect())
    }

    async fn look_up(
        &self,
        reach: OrderScope<'_>,
        named: &NamedShipment,
    ) -> Result<Vec<ShipmentMatch>, OrderError> {
        let stores = reach.stores();
        let found = self
            .orders
            .find_shipments(stores.as_deref(), &named.lookup, LOOKED_UP);
        let mut found = found.await?;
        found.retain(|found| named.is_sent_by_carrier(found));
        Ok(found)
    }

    async fn order_of(&self, found: &ShipmentMatch) -> Result<Order, OrderError> {
        let order = self.load_order(found.store, found.order).await?;
        order.ok_or(OrderError::NotFound)
    }

    pub(super) async fn load_order(&self, store: StoreId, id: OrderId) -> Result<Option<Order>> {
        let found = self.orders.load(store, &[id], u64::MAX).await?;
        Ok(found.into_iter().next())
    }

    fn shipment_id(&self) -> ShipmentId {
        ShipmentId::new(self.ids.next(self.clock.now()))
    }
}

impl NamedShipment {
    fn is_sent_by_carrier(&self, found: &ShipmentMatch) -> bool {
        let carrier = self.carrier.as_deref();
        carrier.is_none_or(|carrier| found.shipment.is_sent_by(carrier))
    }
}

impl<'a> OrderScope<'a> {
    /// Returns `None` for all stores.
    fn stores(self) -> Option<Cow<'a, BTreeSet<StoreId>>> {
        match self {
            Self::Store(store) => Some(Cow::Owned([store.id].into())),
            Self::Stores { set, .. } => set.as_ref().map(Cow::Borrowed),
        }
    }
}

impl ShipmentMatch {
    pub(crate) fn of_order<'a>(
        order: &'a Order,
        lookup: &'a ShipmentLookup,
    ) -> impl Iterator<Item = Self> + 'a {
        let latest_first = order.shipments.iter().rev();
        let id = order.content.id;
        let found = latest_first.filter(move |shipment| lookup.finds(id, shipment));
        found.map(|shipment| Self {
            store: order.content.store_id,
            order: order.content.id,
            service_order_id: order.service_order_id.clone(),
            shipment: shipment.clone(),
        })
    }
}

/// Returns the shipment that the report changes, else a shipment that is not void, else the first
/// of `found`. Refuses a report that would change several shipments, and an empty `found`.
fn reported(found: Vec<ShipmentMatch>, tracking: Tracking) -> Result<ShipmentMatch, OrderError> {
    let moved = || found.iter().filter(|found| tracking.moves(&found.shipment));
    if moved().count() > 1 {
        // A parcel can contain several orders, and carriers use a number again after months.
        let mut report = Report::default();
        for ShipmentMatch {
            service_order_id,
            shipment,
            ..
        } in moved()
        {
            let message = format!(
                "several shipments have this number; name one by `shipmentId`: {} of {service_order_id}",
                shipment.id
            );
            let path = Path::Root.key("trackingNumber");
            report.violation(&path, IssueCode::Ambiguous, message);
        }
        return Err(report.into());
    }
    let counts = || found.iter().filter(|found| found.shipment.counts());
    let one = moved().next().or_else(|| counts().next()).or(found.first());
    one.cloned().ok_or(OrderError::UnknownShipment)
}

fn decided(decision: Result<Decision, Refusal>, order: &Order) -> Result<Decision, OrderError> {
    decision.map_err(|refusal| OrderError::refused(refusal, order))
}

fn shipped(
    order: Order,
    id: ShipmentId,
    warnings: Vec<Warning>,
    replayed: bool,
) -> Result<Shipped, OrderError> {
    let shipment = order.shipments.iter().find(|shipment| shipment.id == id);
    Ok(Shipped {
        shipment: shipment.cloned().ok_or(OrderError::UnknownShipment)?,
        order,
        warnings,
        replayed,
    })
}
