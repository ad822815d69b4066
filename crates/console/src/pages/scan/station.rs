//! State of a station. All of it is in the URL of its page, so that each page determines the effect
//! of a scan: two windows cannot interfere.

use pressline_backoffice::production::{
    BatchNumber, Bench, ItemCode, ItemUnits, ScannedCode, StepName, is_label,
};
use pressline_domain::value::ServiceOrderId;

use crate::shell::{Answer, Fields, Message, Reply, SignedInRequest, counted};

pub(super) const SCAN: &str = "/console/scan";

pub(super) const STEP: &str = "step";
const ORDER: &str = "order";
const ITEM: &str = "item";
pub(super) const CARRIER: &str = "carrier";
pub(super) const CONFIRM: &str = "confirm";
const LABEL: &str = "label";
const OTHER: &str = "other";
const BATCH: &str = "batch";
const TRACKING: &str = "trackingNumber";
const SHIPMENT: &str = "shipment";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Station {
    pub(super) step: StepName,
    pub(super) position: usize,
    /// True if `step` is the last step, at which the items of an order are collected and shipped.
    pub(super) is_last: bool,
    pub(super) bench: Bench,
    /// Code of the last scanned item; empty if no item was scanned.
    pub(super) item: String,
    /// Carrier for parcels, as the settings or the previous parcel set it; empty if unknown.
    pub(super) carrier: String,
    /// Setting of the station: true if a scanned label waits until a scan of an item confirms it.
    pub(super) confirms: bool,
    pub(super) batch: Option<BatchNumber>,
    /// Tracking number scanned before all units were packed, for the parcel form; otherwise empty.
    pub(super) tracking: String,
    /// Number of the order that was just shipped, and id of its parcel.
    pub(super) shipped: Option<(String, String)>,
}

impl Station {
    /// Returns `None` if the query names no step of the print shop.
    pub(super) fn from_request(visit: &SignedInRequest) -> Option<Self> {
        let steps = &visit.services().production.steps;
        let query = visit.query();
        let position = steps.position(query.get(STEP))?;
        let shipped = order_in(query.get(SHIPMENT)).zip(query.get(SHIPMENT).split_once('/'));
        Some(Self {
            step: steps.names().get(position)?.clone(),
            position,
            is_last: position + 1 == steps.names().len(),
            // An edited URL still opens the station: values that are not valid are ignored.
            bench: Bench {
                order: order_in(query.get(ORDER)),
                label: Some(query.get(LABEL).to_owned()).filter(|label| is_label(label)),
                other: query.get(OTHER).parse().ok(),
            },
            item: item_in(query.get(ITEM)).map_or_else(String::new, |code| code.to_string()),
            carrier: query.get(CARRIER).to_owned(),
            confirms: query.has(CONFIRM),
            batch: query.get(BATCH).parse().ok(),
            tracking: query.get(TRACKING).to_owned(),
            shipped: shipped.map(|(order, (_, id))| (order.to_string(), id.to_owned())),
        })
    }

    pub(super) fn free(&self) -> Self {
        Self {
            bench: Bench::default(),
            item: String::new(),
            batch: None,
            tracking: String::new(),
            shipped: None,
            ..self.clone()
        }
    }

    /// Returns the number of the open order; empty if no order is open.
    pub(super) fn order(&self) -> String {
        let order = self.bench.order.as_ref();
        order.map_or_else(String::new, ToString::to_string)
    }

    pub(super) fn at_item(&self, code: &ItemCode) -> Self {
        Self {
            item: code.to_string(),
            bench: Bench {
                order: Some(code.order.clone()),
                ..Bench::default()
            },
            ..self.free()
        }
    }

    pub(super) fn address(&self) -> String {
        let text = |code: Option<String>| code.unwrap_or_default();
        let (shipped, other) = (self.shipped.as_ref(), self.bench.other.as_ref());
        let fields = Fields::new([
            (STEP, self.step.as_str().to_owned()),
            (ORDER, self.order()),
            (ITEM, self.item.clone()),
            (CARRIER, self.carrier.clone()),
            (CONFIRM, text(self.confirms.then(|| "on".to_owned()))),
            (LABEL, text(self.bench.label.clone())),
            (OTHER, text(other.map(ToString::to_string))),
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
        let (done_units, all) = (units.done_at(self.position), units.quantity());
        format!(
            "{done_units} of {} done at {}",
            counted(all, "unit"),
            self.step
        )
    }
}

pub(super) fn leads_to(station: &Station, message: Message) -> Answer {
    Ok(Reply::redirect(station.address()).with_message(message))
}

/// Parses the order number before the first `/` in `text`.
fn order_in(text: &str) -> Option<ServiceOrderId> {
    let number = text.split('/').next().unwrap_or_default();
    match number.parse() {
        Ok(ScannedCode::Order(number)) => Some(number),
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
        for right in ["sun-1042", "SUN-1042/0197"] {
            assert_eq!(order_in(right).unwrap().to_string(), "SUN-1042");
        }
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
            bench: Bench::default(),
            item: String::new(),
            carrier: "Dürr & Co".to_owned(),
            confirms: false,
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
