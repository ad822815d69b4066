//! Operators' requests about shipments.

use crate::check::{
    Field, IssueCode, Path, Report, Warning, integer, limits, order_id, text, url, version, word,
};
use crate::fulfilment::{
    CanonicalNumber, ShipCommand, ShipmentUpdate, ShippedUnits, Tracking, number_in_barcode,
};
use crate::order::{Order, OrderError, ShipmentLookup};
use crate::value::{ShipmentId, Timestamp, timestamp};

use super::command::find_items;
use super::item::{entries, entry, too_many};

/// A request about a shipment, as received. A new shipment requires `order_id`, a change
/// `shipment_id`; a carrier's report `status`, with `shipment_id` or carrier and tracking number.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShipmentDraft {
    /// Service order id, such as `DEMO-17`.
    pub order_id: Field<String>,
    /// The service's id of the shipment.
    pub shipment_id: Field<String>,
    /// Version that the order must have; absent for any version.
    pub version: Field<i64>,
    /// Reason for the request, in words.
    pub reason: Field<String>,
    /// Caller's own reference of the shipment, `ref` in requests.
    pub reference: Field<String>,
    /// Name of the carrier.
    pub carrier: Field<String>,
    /// The carrier's number of the parcel.
    pub tracking_number: Field<String>,
    /// URL of a page that shows where the parcel is.
    pub tracking_url: Field<String>,
    /// Time when the carrier got the parcel, in milliseconds since 1970.
    pub shipped_at: Field<i64>,
    /// Units in the parcel; absent for all unshipped units of items ready or in production.
    pub line_items: Field<Vec<Field<UnitsDraft>>>,
    /// Status in a carrier's report: `delivered` or `returned`.
    pub status: Field<String>,
    /// Time of `status`, in milliseconds since 1970; absent for now.
    pub at: Field<i64>,
}

/// An item and a number of its units, as received. It is an entry of `line_items`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UnitsDraft {
    /// The service's id of the item.
    pub app_item_id: Field<String>,
    /// Number of units, 1 to 1000.
    pub quantity: Field<i64>,
}

pub(crate) struct ValidShipment {
    /// Order id in the request; `None` if only other fields name the shipment.
    pub(crate) order_id: Option<String>,
    pub(crate) version: Option<u32>,
    pub(crate) reason: Option<String>,
    pub(crate) values: ShipmentUpdate,
    /// Index of the entry, item id and number of units; `None` for all unshipped units.
    units: Option<Vec<(usize, String, u32)>>,
    pub(crate) warnings: Vec<Warning>,
}

pub(crate) struct NamedShipment {
    pub(crate) lookup: ShipmentLookup,
    /// Carrier of the shipment; `None` for any carrier.
    pub(crate) carrier: Option<String>,
}

/// `at` is the time of the arrival or return; `None` stands for now.
pub(crate) struct ShipmentReport {
    pub(crate) tracking: Tracking,
    pub(crate) at: Option<Timestamp>,
}

impl ShipmentDraft {
    /// Returns the values of the shipment, without its items, and adds problems to `report`.
    pub fn values(&self, report: &mut Report) -> ShipmentUpdate {
        let root = Path::Root;
        ShipmentUpdate {
            reference: text(&self.reference, &root.key("ref"), report),
            carrier: text(&self.carrier, &root.key("carrier"), report),
            tracking_number: tracking_number(&self.carrier, &self.tracking_number, report),
            tracking_url: url(&self.tracking_url, &root.key("trackingUrl"), report),
            shipped_at: timestamp(&self.shipped_at, &root.key("shippedAt"), report),
        }
    }

    pub(crate) fn check_new(&self) -> Result<(String, ValidShipment), Report> {
        let items = Path::Root.key("line_items");
        if let Some(report) = too_many(&self.line_items, &items) {
            return Err(report);
        }
        let report = &mut Report::default();
        let units = self.units(&items, report);
        let order_id = order_id(&self.order_id, &Path::Root.key("order_id"), report);
        let valid = self.valid(None, units, report);
        without_violations(report, order_id.map(|order_id| (order_id, valid)))
    }

    pub(crate) fn check_change(&self) -> Result<(NamedShipment, ValidShipment), Report> {
        let report = &mut Report::default();
        let shipment = self.id("the `id` of a shipment", report);
        let valid = self.valid(self.order(report), None, report);
        without_violations(report, shipment.map(|shipment| (shipment, valid)))
    }

    /// The report names the shipment by its id, or by carrier and tracking number.
    pub(crate) fn check_report(
        &self,
    ) -> Result<(NamedShipment, ShipmentReport, ValidShipment), Report> {
        let report = &mut Report::default();
        let shipment = if self.carrier.is_blank() && self.tracking_number.is_blank() {
            let what = "the `id` of a shipment, or `carrier` and `trackingNumber` instead";
            self.id(what, report)
        } else {
            self.parcel(report)
        };
        let tracking = self.tracking(report);
        let at = timestamp(&self.at, &Path::Root.key("at"), report);
        let valid = self.valid(self.order(report), None, report);
        let read = shipment
            .zip(tracking)
            .map(|(shipment, tracking)| (shipment, ShipmentReport { tracking, at }, valid));
        without_violations(report, read)
    }

    pub(crate) fn check_lookup(&self) -> Result<(NamedShipment, Vec<Warning>), Report> {
        let report = &mut Report::default();
        let carrier = text(&self.carrier, &Path::Root.key("carrier"), report);
        let number = self.number(report);
        let warnings = std::mem::take(&mut report.warnings);
        let shipment = number.map(|number| NamedShipment {
            lookup: ShipmentLookup::TrackingNumber(CanonicalNumber::new(&number)),
            carrier,
        });
        without_violations(report, shipment.map(|shipment| (shipment, warnings)))
    }

    fn valid(
        &self,
        order_id: Option<String>,
        units: Option<Vec<(usize, String, u32)>>,
        report: &mut Report,
    ) -> ValidShipment {
        ValidShipment {
            order_id,
            version: version(&self.version, &Path::Root.key("version"), report),
            reason: text(&self.reason, &Path::Root.key("reason"), report),
            values: self.values(report),
            units,
            warnings: std::mem::take(&mut report.warnings),
        }
    }

    fn order(&self, report: &mut Report) -> Option<String> {
        if self.order_id.is_blank() {
            return None;
        }
        order_id(&self.order_id, &Path::Root.key("order_id"), report)
    }

    fn id(&self, what: &str, report: &mut Report) -> Option<NamedShipment> {
        let path = Path::Root.key("shipmentId");
        let id_field = self.shipment_id.demand(&path, what, report);
        let id: ShipmentId = match text(id_field, &path, report)?.parse() {
            Ok(id) => id,
            Err(error) => {
                report.violation(&path, IssueCode::InvalidFormat, error.to_string());
                return None;
            }
        };
        Some(NamedShipment {
            lookup: ShipmentLookup::Id(id),
            carrier: None,
        })
    }

    fn parcel(&self, report: &mut Report) -> Option<NamedShipment> {
        if !self.shipment_id.is_blank() {
            let message = "send either `shipmentId`, or `carrier` and `trackingNumber`";
            report.violation(&Path::Root.key("shipmentId"), IssueCode::Conflict, message);
        }
        let path = Path::Root.key("carrier");
        let carrier_field = self
            .carrier
            .demand(&path, "the carrier of the parcel", report);
        let carrier = text(carrier_field, &path, report);
        let number = self.number(report)?;
        let lookup = ShipmentLookup::TrackingNumber(CanonicalNumber::new(&number));
        Some(NamedShipment { lookup, carrier })
    }

    fn number(&self, report: &mut Report) -> Option<String> {
        let path = Path::Root.key("trackingNumber");
        let what = "the carrier's number of the parcel";
        let number = self.tracking_number.demand(&path, what, report);
        tracking_number(&self.carrier, number, report)
    }

    fn tracking(&self, report: &mut Report) -> Option<Tracking> {
        let path = Path::Root.key("status");
        let status = self
            .status
            .demand(&path, "`delivered` or `returned`", report);
        let words = Tracking::ALL.map(|tracking| (tracking.as_str(), tracking));
        word(status, &path, words, report)
    }

    fn units(&self, path: &Path<'_>, report: &mut Report) -> Option<Vec<(usize, String, u32)>> {
        if self.line_items.is_absent() {
            return None;
        }
        let drafts = entries(&self.line_items, path, report)?;
        if drafts.is_empty() {
            report.required(path, "at least one item; leave `line_items` out for all");
        }
        let mut units = Vec::with_capacity(drafts.len());
        for (index, draft) in drafts.iter().enumerate() {
            let path = path.index(index);
            let draft = entry(draft, &path, report);
            let read = draft.and_then(|draft| draft.check(&path, report));
            units.extend(read.map(|(id, quantity)| (index, id, quantity)));
        }
        Some(units)
    }
}

impl UnitsDraft {
    pub(super) fn check(&self, path: &Path<'_>, report: &mut Report) -> Option<(String, u32)> {
        let (id_path, quantity_path) = (path.key("appItemId"), path.key("quantity"));
        if self.app_item_id.is_blank() {
            report.required(&id_path, "the `id` of an entry of the order's childDetails");
        }
        if self.quantity.is_absent() {
            report.required(&quantity_path, "the number of units");
        }
        let id = text(&self.app_item_id, &id_path, report);
        let range = (1, i64::from(limits::QUANTITY));
        let quantity = integer(&self.quantity, &quantity_path, range, report);
        id.zip(quantity.and_then(|quantity| u32::try_from(quantity).ok()))
    }
}

impl ValidShipment {
    pub(crate) fn command(&self, id: ShipmentId, order: &Order) -> Result<ShipCommand, OrderError> {
        let items = self.units.as_ref().map(|units| {
            let names = units.iter().map(|(index, name, _)| (*index, name.as_str()));
            let ids = find_items(order, names)?;
            let quantities = units.iter().map(|(_, _, quantity)| *quantity);
            let units = ids
                .into_iter()
                .zip(quantities)
                .map(|(id, quantity)| ShippedUnits { id, quantity });
            Ok::<_, OrderError>(units.collect())
        });
        Ok(ShipCommand {
            id,
            items: items.transpose()?,
            values: self.values.clone(),
        })
    }
}

/// Returns the tracking number in the field `trackingNumber` of any request. If the field contains
/// the barcode of a label of `carrier`, returns only its number. `None` if it is blank, or if a violation was reported.
pub fn tracking_number(
    carrier: &Field<String>,
    number: &Field<String>,
    report: &mut Report,
) -> Option<String> {
    // Not checked as text before: a control character separates the fields in a barcode.
    let scanned = number
        .text()
        .and_then(|text| number_in_barcode(carrier.text(), text));
    match scanned {
        Some(number) => Some(number),
        None => text(number, &Path::Root.key("trackingNumber"), report),
    }
}

fn without_violations<T>(report: &mut Report, read: Option<T>) -> Result<T, Report> {
    match read {
        Some(read) if report.violations.is_empty() => Ok(read),
        _ => Err(std::mem::take(report)),
    }
}
