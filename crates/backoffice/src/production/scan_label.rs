//! Scans of shipping labels. At the last step, the label that is scanned after all items of an
//! order sends the order.

use super::ProductionError;
use super::produced::OrderProduction;
use super::scan::{Scan, ScanAnswer, ScanError, ScanOutcome};
use super::scan_code::held_back;
use super::stop::{Stop, is_label};
use pressline_domain::check::Field;
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::{is_same_number, number_in_barcode};
use pressline_domain::order::OrderError;
use pressline_domain::order::request::{ShipmentDraft, UnitsDraft};
use pressline_domain::value::ServiceOrderId;

/// A concurrent change of the order makes an attempt fail.
const ATTEMPTS: usize = 8;

impl Scan<'_> {
    /// Refuses `label`, or sends the station's current order. If `confirms` is `true`, the label
    /// waits until an item of the order is scanned again.
    pub(super) async fn label(&self, label: &str, confirms: bool) -> ScanAnswer {
        // A barcode can contain more than the number; only the number is recorded and looked up.
        let number = number_in_barcode(self.draft.carrier.text(), label);
        let label = number.as_deref().unwrap_or(label);
        for _ in 0..ATTEMPTS {
            match self.try_label(label, confirms).await {
                // The order changed between the checks and the shipment: check it again.
                Err(ScanError::Failed(ProductionError::Order(OrderError::VersionConflict {
                    ..
                }))) => {}
                outcome => return outcome,
            }
        }
        let reason = "too many concurrent changes of one order";
        let error = RepositoryError::Unavailable(reason.into());
        Err(ProductionError::from(error).into())
    }

    async fn try_label(&self, label: &str, confirms: bool) -> ScanAnswer {
        // Only the last step sends orders.
        let present = match self.bench.order.as_ref().filter(|_| self.is_last) {
            Some(number) => self.read(number).await?,
            None => None,
        };
        let sent = self.sent_with(label).await?;
        let Some(order) = present else {
            let label = label.to_owned();
            return match sent.into_iter().next() {
                Some(order) => Ok(ScanOutcome::SentBefore { label, order }),
                None => Err(Stop::NotACode(label).into()),
            };
        };
        if let Some(stop) = self.label_stop(&order, label, &sent) {
            return Err(stop.into());
        }
        let number = order.order.service_order_id.clone();
        let label = label.to_owned();
        // Without packed units, only a label with which this order was already sent passes the
        // check.
        if order.packed().is_empty() {
            return Ok(ScanOutcome::SentBefore {
                label,
                order: number,
            });
        }
        if confirms {
            let replayed = self.bench.label.is_some();
            return Ok(ScanOutcome::Labelled {
                order: number,
                label,
                replayed,
            });
        }
        self.send(&order, &label).await
    }

    /// Returns `None` if the label is accepted. `sent` has the orders already sent with `label`.
    fn label_stop(
        &self,
        present: &OrderProduction,
        label: &str,
        sent: &[ServiceOrderId],
    ) -> Option<Stop> {
        let order = present.order.service_order_id.clone();
        if let Some(reason) = present.held_back() {
            return Some(held_back(&order, reason));
        }
        let label = label.to_owned();
        let is_packed = !present.packed().is_empty();
        // The label was scanned again after the order was sent.
        if !is_packed && sent.contains(&order) {
            return None;
        }
        if let Some(of) = sent.first().cloned() {
            return Some(Stop::UsedLabel { label, of, order });
        }
        // A waiting label is confirmed by scanning an item of its order, which removes the doubt.
        let other = self.bench.other.clone();
        if let Some(code) = other.filter(|_| self.bench.label.is_none()) {
            let present = order;
            return Some(Stop::WhoseLabel {
                label,
                code,
                present,
            });
        }
        let mut items = present.items.iter();
        if !is_label(&label) || items.any(|item| item.line.sku == label) {
            return Some(Stop::InvalidLabel { label, order });
        }
        if !is_packed {
            return Some(Stop::NothingPacked(order));
        }
        match (present.missing(self.step), &self.bench.label) {
            (0, Some(waiting)) if !is_same_number(Some(waiting), Some(&label)) => {
                Some(Stop::OtherLabel {
                    waiting: waiting.clone(),
                    order,
                })
            }
            (0, _) if !self.operator.may("shipments/create") => Some(Stop::MayNotShip(order)),
            (0, _) => None,
            (missing, _) => Some(Stop::EarlyLabel {
                label,
                order,
                missing,
            }),
        }
    }

    async fn send(&self, order: &OrderProduction, label: &str) -> ScanAnswer {
        let number = order.order.service_order_id.clone();
        let units = order.packed().into_iter().map(|(item, units)| {
            Field::Value(UnitsDraft {
                app_item_id: item.line.id.to_string().into(),
                quantity: i64::from(units).into(),
            })
        });
        let draft = ShipmentDraft {
            order_id: number.to_string().into(),
            // With the version, the shipment is refused if the order changed since it was checked.
            version: i64::from(order.order.state.version).into(),
            carrier: self.draft.carrier.clone(),
            tracking_number: label.into(),
            line_items: Field::Value(units.collect()),
            ..ShipmentDraft::default()
        };
        let scope = self.service.scope(self.operator);
        let shipper = &self.service.shipper;
        let shipped = shipper.create_shipment(scope, &draft, self.by).await;
        let shipment = Box::new(shipped.map_err(ProductionError::from)?.shipment);
        Ok(ScanOutcome::Sent(number, shipment))
    }

    async fn sent_with(&self, label: &str) -> Result<Vec<ServiceOrderId>, ProductionError> {
        let draft = ShipmentDraft {
            tracking_number: label.into(),
            ..ShipmentDraft::default()
        };
        let orders = &self.service.orders;
        match orders
            .find_shipments(self.service.scope(self.operator), &draft)
            .await
        {
            Ok(matches) => {
                let shipments = matches.shipments.into_iter();
                // A void shipment does not use up its label.
                let sent = shipments.filter(|shipment_match| shipment_match.shipment.counts());
                Ok(sent
                    .map(|shipment_match| shipment_match.service_order_id)
                    .collect())
            }
            // An invalid tracking number is not on any parcel.
            Err(OrderError::Invalid { .. }) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }
}
