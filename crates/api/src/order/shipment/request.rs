//! Request bodies of operations on shipments.

use pressline_domain::check::Field;
use pressline_domain::order::request::{ShipmentDraft, UnitsDraft};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, Object, body};
use crate::schema::TrackingName;

/// Units of an item in a parcel.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Units)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UnitsBody {
    /// Id of the item: the `id` of its entry in the order's `childDetails`.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    app_item_id: Lenient<String>,
    /// Number of units, at most the number of unshipped units of the item.
    #[schema(value_type = i64, minimum = 1, maximum = 1000)]
    quantity: Lenient<i64>,
}

body! { UnitsBody => UnitsDraft { app_item_id, quantity } }

/// A parcel to record. If the parcel is already recorded, absent fields are not compared with the
/// recorded values.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateShipment {
    /// The service's number of the order, such as `SUN-12`; its prefix identifies the store.
    #[serde(rename = "order_id")]
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// Expected version: the `version` that you have read. If the order has another version now,
    /// nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Your reference, unique among the order's shipments. If absent, `carrier` and
    /// `trackingNumber` identify the shipment.
    #[serde(rename = "ref")]
    #[schema(value_type = Option<String>, max_length = 255)]
    reference: Lenient<String>,
    /// Name of the carrier.
    #[schema(value_type = Option<String>, max_length = 255)]
    carrier: Lenient<String>,
    /// Tracking number of the parcel.
    #[schema(value_type = Option<String>, max_length = 255)]
    tracking_number: Lenient<String>,
    /// URL to track the parcel. If absent, it is derived from `trackingNumber` for well-known
    /// carriers.
    #[schema(value_type = Option<String>, format = "uri", max_length = 2048)]
    tracking_url: Lenient<String>,
    /// Time of the handover to the carrier, in milliseconds since 1970; default now.
    #[schema(value_type = Option<i64>, minimum = 100_000_000_001i64, maximum = 100_000_000_000_000i64)]
    shipped_at: Lenient<i64>,
    /// Units in the parcel. If absent, all unshipped units of items that are `ready` or
    /// `in-production`.
    #[serde(rename = "line_items")]
    #[schema(value_type = Option<Vec<UnitsBody>>, min_items = 1, max_items = 100)]
    line_items: Lenient<Vec<Field<Object<UnitsBody>>>>,
}

body! {
    CreateShipment => ShipmentDraft {
        order_id, version, reference, carrier, tracking_number, tracking_url, shipped_at,
        line_items: list("line_items"), ..
    }
}

/// New values of a shipment. Absent fields remain unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UpdateShipment {
    /// Id of the shipment.
    #[schema(value_type = String, format = "uuid")]
    shipment_id: Lenient<String>,
    /// The service's number of the order. If present, the shipment must belong to this order.
    #[serde(rename = "order_id")]
    #[schema(value_type = Option<String>, max_length = 128)]
    order_id: Lenient<String>,
    /// Expected `version` of the order. If the order has another version now, nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Reason, for the order's history.
    #[schema(value_type = Option<String>, max_length = 255)]
    reason: Lenient<String>,
    /// Your own reference of the shipment.
    #[serde(rename = "ref")]
    #[schema(value_type = Option<String>, max_length = 255)]
    reference: Lenient<String>,
    /// Name of the carrier.
    #[schema(value_type = Option<String>, max_length = 255)]
    carrier: Lenient<String>,
    /// Tracking number of the parcel.
    #[schema(value_type = Option<String>, max_length = 255)]
    tracking_number: Lenient<String>,
    /// URL to track the parcel.
    #[schema(value_type = Option<String>, format = "uri", max_length = 2048)]
    tracking_url: Lenient<String>,
    /// Time of the handover to the carrier, in milliseconds since 1970.
    #[schema(value_type = Option<i64>, minimum = 100_000_000_001i64, maximum = 100_000_000_000_000i64)]
    shipped_at: Lenient<i64>,
}

body! {
    UpdateShipment => ShipmentDraft {
        shipment_id, order_id, version, reason, reference, carrier, tracking_number,
        tracking_url, shipped_at, ..
    }
}

/// A shipment to void because it was recorded by mistake.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoidShipment {
    /// Id of the shipment.
    #[schema(value_type = String, format = "uuid")]
    shipment_id: Lenient<String>,
    /// Reason, for the order's history.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    reason: Lenient<String>,
    /// The service's number of the order. If present, the shipment must belong to this order.
    #[serde(rename = "order_id")]
    #[schema(value_type = Option<String>, max_length = 128)]
    order_id: Lenient<String>,
    /// Expected `version` of the order. If the order has another version now, nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
}

body! {
    VoidShipment => ShipmentDraft {
        shipment_id, order_id, version, reason, ..
    }
}

/// A carrier's report on a parcel, identified by `shipmentId` or by `carrier` and `trackingNumber`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrackShipment {
    /// Id of the shipment. Not together with `carrier` and `trackingNumber`.
    #[schema(value_type = Option<String>, format = "uuid")]
    shipment_id: Lenient<String>,
    /// Name of the carrier, in any letter case.
    #[schema(value_type = Option<String>, max_length = 255)]
    carrier: Lenient<String>,
    /// Tracking number of the parcel.
    #[schema(value_type = Option<String>, max_length = 255)]
    tracking_number: Lenient<String>,
    /// State of the parcel: `delivered` or `returned`.
    #[schema(value_type = TrackingName)]
    status: Lenient<String>,
    /// Time of the delivery or return, in milliseconds since 1970; default now.
    #[schema(value_type = Option<i64>, minimum = 100_000_000_001i64, maximum = 100_000_000_000_000i64)]
    at: Lenient<i64>,
    /// The service's number of the order. If present, the shipment must belong to this order.
    #[serde(rename = "order_id")]
    #[schema(value_type = Option<String>, max_length = 128)]
    order_id: Lenient<String>,
    /// Expected `version` of the order. If the order has another version now, nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
}

body! {
    TrackShipment => ShipmentDraft {
        shipment_id, carrier, tracking_number, status, at, order_id, version, ..
    }
}

/// Search for shipments by tracking number.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FindShipments {
    /// Tracking number of the parcel.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    tracking_number: Lenient<String>,
    /// Name of the carrier, in any letter case. If absent, any carrier.
    #[schema(value_type = Option<String>, max_length = 255)]
    carrier: Lenient<String>,
}

body! { FindShipments => ShipmentDraft { tracking_number, carrier, .. } }
