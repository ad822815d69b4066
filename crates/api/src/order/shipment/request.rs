//! The bodies of requests about shipments.

use pressline_domain::field::Field;
use pressline_domain::order::request::{ShipmentDraft, UnitsDraft};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, Object, body};
use crate::schema::TrackingName;

/// Units of an item.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = Units)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UnitsBody {
    /// The `id` of an entry of the order's `childDetails`.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    app_item_id: Lenient<String>,
    /// Number of units, at most those that are not shipped.
    #[schema(value_type = i64, minimum = 1, maximum = 1000)]
    quantity: Lenient<i64>,
}

body! { UnitsBody => UnitsDraft { app_item_id, quantity } }

/// A parcel. What is absent equals what is stored, if the parcel is recorded already.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateShipment {
    /// The service's number of the order; its prefix names the store.
    #[serde(rename = "order_id")]
    #[schema(value_type = String, pattern = r"\S", max_length = 128)]
    order_id: Lenient<String>,
    /// The version that you have read. If the order has another version now, nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Your reference, unique among the order's shipments. If it is absent, carrier and tracking number
    /// identify the shipment.
    #[serde(rename = "ref")]
    #[schema(value_type = Option<String>, max_length = 255)]
    reference: Lenient<String>,
    /// The carrier.
    #[schema(value_type = Option<String>, max_length = 255)]
    carrier: Lenient<String>,
    /// The carrier's number of the parcel.
    #[schema(value_type = Option<String>, max_length = 255)]
    tracking_number: Lenient<String>,
    /// Where the parcel can be followed. Of usual carriers it follows from the number.
    #[schema(value_type = Option<String>, format = "uri", max_length = 2048)]
    tracking_url: Lenient<String>,
    /// When it was handed to the carrier, in milliseconds since 1970; now if it is absent.
    #[schema(value_type = Option<i64>, minimum = 100_000_000_001i64, maximum = 100_000_000_000_000i64)]
    shipped_at: Lenient<i64>,
    /// The units; if it is absent, all that are not shipped of items that are ready or in production.
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

/// New values of a shipment. Absent ones stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UpdateShipment {
    /// The shipment's id.
    #[schema(value_type = String, format = "uuid")]
    shipment_id: Lenient<String>,
    /// The service's number of the order. It is not needed.
    #[serde(rename = "order_id")]
    #[schema(value_type = Option<String>, max_length = 128)]
    order_id: Lenient<String>,
    /// The version of the order that you have read. If it has another version now, nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
    /// Why, for the history of the order.
    #[schema(value_type = Option<String>, max_length = 255)]
    reason: Lenient<String>,
    /// Your reference.
    #[serde(rename = "ref")]
    #[schema(value_type = Option<String>, max_length = 255)]
    reference: Lenient<String>,
    /// The carrier.
    #[schema(value_type = Option<String>, max_length = 255)]
    carrier: Lenient<String>,
    /// The carrier's number of the parcel.
    #[schema(value_type = Option<String>, max_length = 255)]
    tracking_number: Lenient<String>,
    /// Where the parcel can be followed.
    #[schema(value_type = Option<String>, format = "uri", max_length = 2048)]
    tracking_url: Lenient<String>,
    /// When it was handed to the carrier, in milliseconds since 1970.
    #[schema(value_type = Option<i64>, minimum = 100_000_000_001i64, maximum = 100_000_000_000_000i64)]
    shipped_at: Lenient<i64>,
}

body! {
    UpdateShipment => ShipmentDraft {
        shipment_id, order_id, version, reason, reference, carrier, tracking_number,
        tracking_url, shipped_at, ..
    }
}

/// A shipment that was recorded by mistake.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoidShipment {
    /// The shipment's id.
    #[schema(value_type = String, format = "uuid")]
    shipment_id: Lenient<String>,
    /// Why, for the history of the order.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    reason: Lenient<String>,
    /// The service's number of the order. It is not needed.
    #[serde(rename = "order_id")]
    #[schema(value_type = Option<String>, max_length = 128)]
    order_id: Lenient<String>,
    /// The version of the order that you have read. If it has another version now, nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
}

body! {
    VoidShipment => ShipmentDraft {
        shipment_id, order_id, version, reason, ..
    }
}

/// What a carrier reports of a parcel, which is named by `shipmentId` or by `carrier` and `trackingNumber`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrackShipment {
    /// The shipment's id. Not together with `carrier` and `trackingNumber`.
    #[schema(value_type = Option<String>, format = "uuid")]
    shipment_id: Lenient<String>,
    /// The carrier; case makes no difference.
    #[schema(value_type = Option<String>, max_length = 255)]
    carrier: Lenient<String>,
    /// The carrier's number of the parcel.
    #[schema(value_type = Option<String>, max_length = 255)]
    tracking_number: Lenient<String>,
    /// What became of the parcel.
    #[schema(value_type = TrackingName)]
    status: Lenient<String>,
    /// When that happened, in milliseconds since 1970; now if it is absent.
    #[schema(value_type = Option<i64>, minimum = 100_000_000_001i64, maximum = 100_000_000_000_000i64)]
    at: Lenient<i64>,
    /// The service's number of the order. It is not needed.
    #[serde(rename = "order_id")]
    #[schema(value_type = Option<String>, max_length = 128)]
    order_id: Lenient<String>,
    /// The version of the order that you have read. If it has another version now, nothing is changed.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 4_294_967_295u32)]
    version: Lenient<i64>,
}

body! {
    TrackShipment => ShipmentDraft {
        shipment_id, carrier, tracking_number, status, at, order_id, version, ..
    }
}

/// Which shipments to find.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FindShipments {
    /// The carrier's number of the parcel.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    tracking_number: Lenient<String>,
    /// The carrier; case makes no difference. Any carrier if it is absent.
    #[schema(value_type = Option<String>, max_length = 255)]
    carrier: Lenient<String>,
}

body! { FindShipments => ShipmentDraft { tracking_number, carrier, .. } }
