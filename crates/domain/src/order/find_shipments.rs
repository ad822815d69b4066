//! Finds shipments by their tracking number.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::request::{NamedShipment, ShipmentDraft};
use super::{OrderError, OrderReader, OrderScope, ShipmentMatch};
use crate::check::{IssueCode, Path, Report, Warning};
use crate::value::StoreId;

/// Maximum number of shipments that a lookup reads, before carriers are compared.
pub(super) const LOOKED_UP: u32 = 1000;
// Maximum number of shipments in a response.
const MAX_SHIPMENTS: usize = 100;

/// Result of a search for shipments.
#[derive(Debug, Clone, PartialEq)]
pub struct ShipmentMatches {
    /// Up to 100 shipments. Shipments of newer orders come first.
    pub shipments: Vec<ShipmentMatch>,
    /// Problems of the request that did not prevent the result.
    pub warnings: Vec<Warning>,
}

impl OrderReader {
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
        let (named_shipment, mut warnings) = draft.check_lookup()?;
        let mut shipments = self.look_up(reach.into(), &named_shipment).await?;
        if shipments.len() > MAX_SHIPMENTS {
            shipments.truncate(MAX_SHIPMENTS);
            let message = format!("more than {MAX_SHIPMENTS} shipments have this number");
            let mut report = Report::default();
            report.warning(&Path::Root.key("trackingNumber"), IssueCode::More, message);
            warnings.append(&mut report.warnings);
        }
        Ok(ShipmentMatches {
            shipments,
            warnings,
        })
    }

    pub(super) async fn look_up(
        &self,
        reach: OrderScope<'_>,
        named_shipment: &NamedShipment,
    ) -> Result<Vec<ShipmentMatch>, OrderError> {
        let stores = reach.stores();
        let mut matches = self
            .orders
            .find_shipments(stores.as_deref(), &named_shipment.lookup, LOOKED_UP)
            .await?;
        matches.retain(|shipment_match| named_shipment.is_sent_by_carrier(shipment_match));
        Ok(matches)
    }
}

impl NamedShipment {
    pub(super) fn is_sent_by_carrier(&self, shipment_match: &ShipmentMatch) -> bool {
        let carrier = self.carrier.as_deref();
        carrier.is_none_or(|carrier| shipment_match.shipment.is_sent_by(carrier))
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
