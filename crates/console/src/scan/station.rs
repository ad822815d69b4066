//! Where a station is in its work. All of it is in the address of its page, so that every page says by
//! itself what a scan does: no two windows can get in each other's way.

use pressline_domain::production::{BatchNumber, ItemCode, ItemUnits, ScannedCode, StepName};

use super::SCAN;
use crate::form::Fields;
use crate::visit::Visit;

/// The field of the step.
pub(super) const STEP: &str = "step";
/// The field of the number of the present order.
const ORDER: &str = "order";
/// The field of the code of the item that was scanned last.
const ITEM: &str = "item";
/// The field of the carrier of the parcel before.
const CARRIER: &str = "carrier";
/// The field of an item of another order than the present one.
const OTHER: &str = "other";
/// The field of a batch that was scanned.
const BATCH: &str = "batch";
/// The field of a tracking number that was scanned.
const TRACKING: &str = "trackingNumber";
/// The field of the parcel that was shipped last.
const SHIPMENT: &str = "shipment";

/// A station.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Station {
    pub(super) step: StepName,
    /// The position of its step.
    pub(super) position: usize,
    /// Whether orders are brought together and shipped here.
    pub(super) is_last: bool,
    /// The number of the order that is worked on; empty without one.
    pub(super) order: String,
    /// The code of the item that was scanned last; empty without one.
    pub(super) item: String,
    /// The carrier of the parcel before; empty without one.
    pub(super) carrier: String,
    /// An item of another order, which was not recorded.
    pub(super) other: Option<ItemCode>,
    pub(super) batch: Option<BatchNumber>,
    /// A tracking number that is not shipped yet; empty without one.
    pub(super) tracking: String,
    /// The order and the id of the parcel that was shipped last.
    pub(super) shipped: Option<(String, String)>,
}

impl Station {
    /// Returns the station of an address; `None` if that names no step of the shop.
    pub(super) fn of(visit: &Visit) -> Option<Self> {
        let steps = visit.services().production.steps();
        let query = visit.query();
        let position = steps.position(query.get(STEP))?;
        let shipped = order_in(query.get(SHIPMENT)).zip(query.get(SHIPMENT).split_once('/'));
        Some(Self {
            step: steps.names().get(position)?.clone(),
            position,
            is_last: position + 1 == steps.names().len(),
            order: order_in(query.get(ORDER)).unwrap_or_default(),
            item: item_in(query.get(ITEM)).map_or_else(String::new, |code| code.to_string()),
            carrier: query.get(CARRIER).to_owned(),
            other: item_in(query.get(OTHER)),
            batch: query.get(BATCH).parse().ok(),
            tracking: query.get(TRACKING).to_owned(),
            shipped: shipped.map(|(order, (_, id))| (order, id.to_owned())),
        })
    }

    /// Returns the station without an order.
    pub(super) fn free(&self) -> Self {
        Self {
            step: self.step.clone(),
            position: self.position,
            is_last: self.is_last,
            order: String::new(),
            item: String::new(),
            carrier: self.carrier.clone(),
            other: None,
            batch: None,
            tracking: String::new(),
            shipped: None,
        }
    }

    /// Returns the station at an order.
    pub(super) fn at_order(&self, number: String) -> Self {
        Self {
            order: number,
            ..self.free()
        }
    }

    /// Returns the station at an item.
    pub(super) fn at_item(&self, code: &ItemCode) -> Self {
        Self {
            item: code.to_string(),
            ..self.at_order(code.order.to_string())
        }
    }

    /// Returns the address of its page.
    pub(super) fn address(&self) -> String {
        let text = |code: Option<String>| code.unwrap_or_default();
        let shipped = self.shipped.as_ref();
        let fields = Fields::of([
            (STEP, self.step.as_str().to_owned()),
            (ORDER, self.order.clone()),
            (ITEM, self.item.clone()),
            (CARRIER, self.carrier.clone()),
            (OTHER, text(self.other.as_ref().map(ToString::to_string))),
            (BATCH, text(self.batch.map(|number| number.to_string()))),
            (TRACKING, self.tracking.clone()),
            (
                SHIPMENT,
                text(shipped.map(|(order, id)| format!("{order}/{id}"))),
            ),
        ]);
        fields.without(&[]).address(SCAN)
    }

    /// Returns how many units of an item are done here, of how many.
    pub(super) fn done(&self, units: &ItemUnits) -> String {
        let (done, all) = (units.done_at(self.position), units.quantity());
        format!("{done} of {all} units done at {}", self.step)
    }
}

/// Returns the number of an order that a text begins with, before the first `/`.
fn order_in(text: &str) -> Option<String> {
    let number = text.split('/').next().unwrap_or_default();
    match number.parse() {
        Ok(ScannedCode::Order(number)) => Some(number.to_string()),
        _ => None,
    }
}

fn item_in(text: &str) -> Option<ItemCode> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_orders_and_items_or_nothing() {
        assert_eq!(order_in("sun-1042"), Some("SUN-1042".to_owned()));
        assert_eq!(order_in("SUN-1042/0197"), Some("SUN-1042".to_owned()));
        for wrong in ["", "<script>", "BATCH-1", "SUN-1042-1"] {
            assert_eq!(order_in(wrong), None, "{wrong}");
        }
        assert!(item_in("SUN-1042-1").is_some() && item_in("SUN-1042").is_none());
    }

    #[test]
    fn the_address_has_only_what_is_known() {
        let free = Station {
            step: "pack".parse().unwrap(),
            position: 2,
            is_last: true,
            order: String::new(),
            item: String::new(),
            carrier: "Dürr & Co".to_owned(),
            other: None,
            batch: None,
            tracking: String::new(),
            shipped: None,
        };
        let carrier = "carrier=D%C3%BCrr%20%26%20Co";
        assert_eq!(free.address(), format!("{SCAN}?step=pack&{carrier}"));
        let code: ItemCode = "SUN-7-2".parse().unwrap();
        let at_item = free.at_item(&code).address();
        assert_eq!(
            at_item,
            format!("{SCAN}?step=pack&order=SUN-7&item=SUN-7-2&{carrier}")
        );
    }
}
