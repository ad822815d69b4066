//! The use cases of shipments: load, decide, write.

use super::request::{NamedShipment, ShipmentDraft, ValidShipment};
use super::writer::{ATTEMPTS, too_many_changes};
use super::{
    Order, OrderError, OrderScope, OrderShipper, OrderWrite, ShipmentLookup, ShipmentMatch,
};
use crate::check::{IssueCode, Path, Report, Warning};
use crate::error::{RepositoryError, Result};
use crate::fulfilment::{
    Caller, Change, Context, Decision, Refusal, Shipment, Tracking, ship, track, update_shipment,
    void,
};
use crate::value::ShipmentId;

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

type ShipmentDecision = Result<(ShipmentId, Decision), OrderError>;

impl OrderShipper {
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
        let named_order = self.writer.reader.named(reach.into(), &name).await?;
        let order = self.writer.reader.stored(&named_order).await?;
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

    /// Changes values of a shipment. Same errors as [`OrderShipper::create_shipment`].
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

    /// Voids a shipment. Same errors as [`OrderShipper::create_shipment`].
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
    /// Same errors as [`OrderShipper::create_shipment`]; [`OrderError::Invalid`] also if the report
    /// would change several shipments with the same tracking number.
    pub async fn track_shipment(
        &self,
        reach: impl Into<OrderScope<'_>>,
        draft: &ShipmentDraft,
        by: &Caller,
    ) -> Result<Shipped, OrderError> {
        let (named_shipment, report, valid) = draft.check_report()?;
        let matches = self
            .named_shipments(reach.into(), &named_shipment, &valid)
            .await?;
        let shipment_match = reported(matches, report.tracking)?;
        let (id, order) = (
            shipment_match.shipment.id,
            self.order_of(&shipment_match).await?,
        );
        self.about(order, valid, by, |order, _, context| {
            let tracked = track(order, id, report.tracking, report.at, context);
            Ok((id, decided(tracked, order)?))
        })
        .await
    }

    /// Writes `change` about shipments, which the caller has decided, and notifies the observers.
    /// For imports, which decide about all parcels of an order before they write. For a single
    /// shipment, use [`create_shipment`](Self::create_shipment), which decides again after a race.
    ///
    /// # Errors
    /// Same errors as [`OrderRepository::write`](super::OrderRepository::write).
    pub async fn write(&self, change: Change) -> Result<Order> {
        self.writer.write(OrderWrite::change(change)).await
    }

    async fn about(
        &self,
        mut order: Order,
        valid: ValidShipment,
        by: &Caller,
        decide: impl Fn(&Order, &ValidShipment, &Context) -> ShipmentDecision + Send + Sync,
    ) -> Result<Shipped, OrderError> {
        for _ in 0..ATTEMPTS {
            let context = self.writer.context(by, &valid.reason, valid.version);
            let (id, decision) = decide(&order, &valid, &context)?;
            let change = match decision {
                Decision::Unchanged => return shipped(order, id, valid.warnings, true),
                Decision::Changed(change) => *change,
            };
            match self.writer.write(OrderWrite::change(change)).await {
                Ok(order) => return shipped(order, id, valid.warnings, false),
                Err(RepositoryError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
            // Lost a race: the next attempt decides about the order as it is now.
            let (store, id) = (order.content.store_id, order.content.id);
            let stored = self.writer.reader.load_order(store, id).await?;
            order = stored.ok_or(OrderError::NotFound)?;
        }
        Err(too_many_changes())
    }

    async fn the_shipment(
        &self,
        reach: OrderScope<'_>,
        draft: &ShipmentDraft,
    ) -> Result<(ShipmentId, Order, ValidShipment), OrderError> {
        let (named_shipment, valid) = draft.check_change()?;
        let matches = self.named_shipments(reach, &named_shipment, &valid).await?;
        let shipment_match = matches.first().ok_or(OrderError::UnknownShipment)?;
        Ok((
            shipment_match.shipment.id,
            self.order_of(shipment_match).await?,
            valid,
        ))
    }

    async fn named_shipments(
        &self,
        reach: OrderScope<'_>,
        named_shipment: &NamedShipment,
        valid: &ValidShipment,
    ) -> Result<Vec<ShipmentMatch>, OrderError> {
        let Some(order_id) = &valid.order_id else {
            return self.writer.reader.look_up(reach, named_shipment).await;
        };
        let order = self.writer.reader.reached(reach, order_id).await?;
        let matches = ShipmentMatch::of_order(&order, &named_shipment.lookup);
        Ok(matches
            .filter(|shipment_match| named_shipment.is_sent_by_carrier(shipment_match))
            .collect())
    }

    async fn order_of(&self, shipment_match: &ShipmentMatch) -> Result<Order, OrderError> {
        let order = self
            .writer
            .reader
            .load_order(shipment_match.store, shipment_match.order)
            .await?;
        order.ok_or(OrderError::NotFound)
    }

    fn shipment_id(&self) -> ShipmentId {
        ShipmentId::new(self.writer.ids.next(self.writer.now()))
    }
}

impl ShipmentMatch {
    pub(crate) fn of_order<'a>(
        order: &'a Order,
        lookup: &'a ShipmentLookup,
    ) -> impl Iterator<Item = Self> + 'a {
        let latest_first = order.shipments.iter().rev();
        let id = order.content.id;
        latest_first
            .filter(move |shipment| lookup.finds(id, shipment))
            .map(|shipment| Self {
                store: order.content.store_id,
                order: order.content.id,
                service_order_id: order.service_order_id.clone(),
                shipment: shipment.clone(),
            })
    }
}

/// Returns the shipment that the report changes, else a shipment that is not void, else the first
/// of `matches`. Refuses a report that would change several shipments, and an empty `matches`.
fn reported(matches: Vec<ShipmentMatch>, tracking: Tracking) -> Result<ShipmentMatch, OrderError> {
    let moved = || {
        matches
            .iter()
            .filter(|candidate| tracking.moves(&candidate.shipment))
    };
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
    let counts = || {
        matches
            .iter()
            .filter(|candidate| candidate.shipment.counts())
    };
    let one = moved()
        .next()
        .or_else(|| counts().next())
        .or(matches.first());
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
