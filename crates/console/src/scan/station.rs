//! Where a station is in its work. All of it is in the address of its page, so that every page says by
//! itself what a scan does: no two windows can get in each other's way.

use pressline_domain::production::{BatchNumber, ItemCode, ItemUnits, ScannedCode, StepName};

use super::SCAN;
use crate::form::Fields;
use crate::visit::Visit;

pub(super) const STEP: &str = "step";
const ORDER: &str = "order";
const ITEM: &str = "item";
const CARRIER: &str = "carrier";
const OTHER: &str = "other";
const BATCH: &str = "batch";
const TRACKING: &str = "trackingNumber";
const SHIPMENT: &str = "shipment";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Station {
    pub(super) step: StepName,
    pub(super) position: usize,
    /// Whether orders are brought together and shipped here.
    pub(super) is_last: bool,
    /// Number of the present order; empty without one.
    pub(super) order: String,
    /// Code of the item scanned last; empty without one.
    pub(super) item: String,
    /// Carrier of the previous parcel; empty without one.
    pub(super) carrier: String,
    /// Item of another order, which was not recorded.
    pub(super) other: Option<ItemCode>,
    pub(super) batch: Option<BatchNumber>,
    /// Scanned tracking number, not shipped yet; empty without one.
    pub(super) tracking: String,
    /// Last shipped order and id of its parcel.
    pub(super) shipped: Option<(String, String)>,
}

impl Station {
    /// `None` if the address names no step of the shop.
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

    pub(super) fn at_order(&self, number: String) -> Self {
        Self {
            order: number,
            ..self.free()
        }
    }

    pub(super) fn at_item(&self, code: &ItemCode) -> Self {
        Self {
            item: code.to_string(),
            ..self.at_order(code.order.to_string())
        }
    }

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

    pub(super) fn done(&self, units: &ItemUnits) -> String {
        let (done, all) = (units.done_at(self.position), units.quantity());
        format!("{done} of {all} units done at {}", self.step)
    }
}

/// Order number before the first `/`.
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
