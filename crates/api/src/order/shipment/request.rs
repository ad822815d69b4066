//! Request bodies of operations on shipments.

use pressline_domain::order::request::{ShipmentDraft, UnitsDraft};

use crate::json::bodies;
use crate::schema::TrackingName;

bodies! {
    /// Units of an item in a parcel.
    #[schema(as = Units)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct UnitsBody {
        /// Id of the item: the `id` of its entry in the order's `childDetails`.
        app_item_id: String [pattern = r"\S", max_length = 255],
        /// Number of units, at most the number of unshipped units of the item.
        quantity: i64 [minimum = 1, maximum = 1000],
    }
    draft UnitsDraft

    /// A parcel to record. If the parcel is already recorded, absent fields are not compared with
    /// the recorded values.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct CreateShipment {
        /// The service's number of the order, such as `SUN-12`, whose prefix identifies the store; or
        /// the order's `id`.
        #[serde(rename = "order_id")]
        order_id: String [pattern = r"\S", max_length = 128],
        /// Expected version: the `version` that you have read. If the order has another version
        /// now, nothing is changed.
        version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
        /// Your reference, unique among the order's shipments. If absent, `carrier` and
        /// `trackingNumber` identify the shipment.
        #[serde(rename = "ref")]
        reference: Option<String> [max_length = 255],
        /// Name of the carrier.
        carrier: Option<String> [max_length = 255],
        /// Tracking number of the parcel, or the barcode of its label. If the barcode contains more
        /// than the number (USPS: `420` and the postal code before it), only the number is kept.
        tracking_number: Option<String> [max_length = 255],
        /// URL to track the parcel. If absent, it is derived from `trackingNumber` for well-known
        /// carriers.
        tracking_url: Option<String> [format = "uri", max_length = 2048],
        /// Time of the handover to the carrier, in milliseconds since 1970; default now.
        shipped_at: Option<i64> [minimum = 100_000_000_001i64, maximum = 100_000_000_000_000i64],
        /// Units in the parcel. If absent, all unshipped units of items that are `ready` or
        /// `in-production`.
        #[serde(rename = "line_items")]
        line_items: Option<Vec<UnitsBody>> [min_items = 1, max_items = 100],
    }
    draft ShipmentDraft { .. }

    /// New values of a shipment. Absent fields remain unchanged.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct UpdateShipment {
        /// Id of the shipment.
        shipment_id: String [format = "uuid"],
        /// The service's number or `id` of the order. If present, the shipment must belong to this
        /// order.
        #[serde(rename = "order_id")]
        order_id: Option<String> [max_length = 128],
        /// Expected `version` of the order. If the order has another version now, nothing is
        /// changed.
        version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
        /// Reason, for the order's history.
        reason: Option<String> [max_length = 255],
        /// Your own reference of the shipment.
        #[serde(rename = "ref")]
        reference: Option<String> [max_length = 255],
        /// Name of the carrier.
        carrier: Option<String> [max_length = 255],
        /// Tracking number of the parcel, or the barcode of its label. If the barcode contains more
        /// than the number (USPS: `420` and the postal code before it), only the number is kept.
        tracking_number: Option<String> [max_length = 255],
        /// URL to track the parcel.
        tracking_url: Option<String> [format = "uri", max_length = 2048],
        /// Time of the handover to the carrier, in milliseconds since 1970.
        shipped_at: Option<i64> [minimum = 100_000_000_001i64, maximum = 100_000_000_000_000i64],
    }
    draft ShipmentDraft { .. }

    /// A shipment to void because it was recorded by mistake.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct VoidShipment {
        /// Id of the shipment.
        shipment_id: String [format = "uuid"],
        /// Reason, for the order's history.
        reason: String [pattern = r"\S", max_length = 255],
        /// The service's number or `id` of the order. If present, the shipment must belong to this
        /// order.
        #[serde(rename = "order_id")]
        order_id: Option<String> [max_length = 128],
        /// Expected `version` of the order. If the order has another version now, nothing is
        /// changed.
        version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
    }
    draft ShipmentDraft { .. }

    /// A carrier's report on a parcel, identified by `shipmentId` or by `carrier` and
    /// `trackingNumber`.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct TrackShipment {
        /// Id of the shipment. Not together with `carrier` and `trackingNumber`.
        shipment_id: Option<String> [format = "uuid"],
        /// Name of the carrier, in any letter case.
        carrier: Option<String> [max_length = 255],
        /// Tracking number of the parcel. Letter case and white space do not count.
        tracking_number: Option<String> [max_length = 255],
        /// State of the parcel: `delivered` or `returned`.
        status: TrackingName,
        /// Time of the delivery or return, in milliseconds since 1970; default now.
        at: Option<i64> [minimum = 100_000_000_001i64, maximum = 100_000_000_000_000i64],
        /// The service's number or `id` of the order. If present, the shipment must belong to this
        /// order.
        #[serde(rename = "order_id")]
        order_id: Option<String> [max_length = 128],
        /// Expected `version` of the order. If the order has another version now, nothing is
        /// changed.
        version: Option<i64> [minimum = 1, maximum = 4_294_967_295u32],
    }
    draft ShipmentDraft { .. }

    /// Search for shipments by tracking number.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct FindShipments {
        /// Tracking number of the parcel, or the barcode of its label. Letter case and white space do
        /// not count.
        tracking_number: String [pattern = r"\S", max_length = 255],
        /// Name of the carrier, in any letter case. If absent, any carrier.
        carrier: Option<String> [max_length = 255],
    }
    draft ShipmentDraft { .. }
}
