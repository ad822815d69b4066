//! Request bodies of operations on webhooks. Common fields are repeated in each struct, because
//! serde's `flatten` accepts all keys, so unknown keys would not be reported.

use pressline_backoffice::webhook::{
    DeliveryDraft, EnableDraft, EndpointDraft, EndpointIdDraft, RecoverDraft, ResendDraft,
    RotateSecretDraft,
};
use pressline_domain::check::Field;
use pressline_domain::value::page::PageDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, body};
use crate::schema::{DeliveryStatusName, EventName, PayloadName, StartName};

/// Fields that only requests of operators have.
pub(crate) const OPERATOR_FIELDS: &[&str] = &["storeId", "stores"];

/// A webhook endpoint to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateWebhook {
    /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// Ids of the stores from which the endpoint receives events. Empty for all stores, including
    /// future stores. Only for endpoints of the print shop.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// Receiver of the events: an `http` or `https` URL that is reachable from the internet,
    /// without credentials.
    #[schema(value_type = String, format = "uri", max_length = 2048)]
    url: Lenient<String>,
    /// Event types to send. Empty for all types.
    #[schema(value_type = Option<Vec<EventName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// `full`, the default: events are sent as in the feed. `thin`: only ids and changed paths.
    #[schema(value_type = Option<PayloadName>)]
    payload: Lenient<String>,
    /// Description for people.
    #[schema(value_type = Option<String>, max_length = 255)]
    description: Lenient<String>,
}

body! {
    CreateWebhook => EndpointDraft {
        // A new endpoint gets its id from the service.
        webhook_id: Field::Absent, store_id, stores, url, types, payload, description,
    }
}

/// Changes of a webhook endpoint. Absent fields remain unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UpdateWebhook {
    /// Id of the endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// Ids of the stores from which the endpoint receives events. Empty for all stores, including
    /// future stores. Only for endpoints of the print shop.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// Receiver of the events: an `http` or `https` URL that is reachable from the internet,
    /// without credentials.
    #[schema(value_type = Option<String>, format = "uri", max_length = 2048)]
    url: Lenient<String>,
    /// Event types to send. Empty for all types.
    #[schema(value_type = Option<Vec<EventName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// `full`: events are sent as in the feed. `thin`: only ids and changed paths.
    #[schema(value_type = Option<PayloadName>)]
    payload: Lenient<String>,
    /// Description for people; an empty string removes it.
    #[schema(value_type = Option<String>, max_length = 255)]
    description: Lenient<String>,
}

body! {
    UpdateWebhook => EndpointDraft {
        webhook_id, store_id, stores, url, types, payload, description,
    }
}

/// Query for webhook endpoints. Every field is optional.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListWebhooks {
    /// Id of the endpoint; if absent, all endpoints.
    #[schema(value_type = Option<String>, format = "uuid")]
    webhook_id: Lenient<String>,
    /// Id of the store that owns the endpoints; absent for endpoints of the print shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
}

body! { ListWebhooks => EndpointIdDraft { webhook_id, store_id } }

/// Reference to a webhook endpoint.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookIdRequest {
    /// Id of the endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
}

body! { WebhookIdRequest => EndpointIdDraft { webhook_id, store_id } }

/// An endpoint to enable. Either `from` or `afterSequence` gives the event to start at.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnableWebhook {
    /// Id of the endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// `stopped`: the endpoint continues where it stopped. `now`: it gets events from now on.
    #[schema(value_type = Option<StartName>)]
    from: Lenient<String>,
    /// The endpoint gets events with a higher `sequence`. Only for endpoints of a store.
    #[schema(value_type = Option<i64>, minimum = 0)]
    after_sequence: Lenient<i64>,
}

body! {
    EnableWebhook => EnableDraft {
        which: EndpointIdDraft { webhook_id, store_id },
        from, after_sequence,
    }
}

/// An endpoint to create another secret for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RotateWebhookSecret {
    /// Id of the endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// Time during which the old secret also signs, in seconds; default `86400`, a day.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 604_800)]
    keep_old_seconds: Lenient<i64>,
}

body! {
    RotateWebhookSecret => RotateSecretDraft {
        which: EndpointIdDraft { webhook_id, store_id },
        keep_old_seconds,
    }
}

/// Search for deliveries. Every field is optional; `{}` finds all deliveries.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchDeliveries {
    /// Only deliveries to this endpoint.
    #[schema(value_type = Option<String>, format = "uuid")]
    webhook_id: Lenient<String>,
    /// Id of the store that owns the endpoints; absent for endpoints of the print shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// Only deliveries of events of this order: its `order_id`, or the service's order number.
    #[serde(rename = "order_id")]
    #[schema(value_type = Option<String>, max_length = 128)]
    order_id: Lenient<String>,
    /// Only deliveries of the event with this `sequence`.
    #[schema(value_type = Option<i64>, minimum = 1)]
    sequence: Lenient<i64>,
    /// Only deliveries with this result: `succeeded` or `failed`.
    #[schema(value_type = Option<DeliveryStatusName>)]
    status: Lenient<String>,
    /// Earliest time of the attempt, in milliseconds since 1970; `0` for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    from_time: Lenient<i64>,
    /// Latest time of the attempt, in milliseconds since 1970; `0` for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    to_time: Lenient<i64>,
    /// Number of deliveries per page; default `20`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, to read the next page. All filters must be the same.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

body! {
    SearchDeliveries => DeliveryDraft {
        webhook_id, store_id, order_id, sequence, status, from_time, to_time,
        paging: PageDraft { page: Field::Absent, size, cursor },
    }
}

/// A delivery to repeat: its event is sent again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResendDelivery {
    /// Id of the delivery.
    #[schema(value_type = String, format = "uuid")]
    delivery_id: Lenient<String>,
    /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
}

body! { ResendDelivery => ResendDraft { delivery_id, store_id } }

/// Recovery of an endpoint: sends events since `afterSequence` or `fromTime` again if the endpoint
/// has not accepted them. The request has either field, not both.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoverDeliveries {
    /// Id of the endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// Only events with a higher `sequence`. Only for endpoints of a store.
    #[schema(value_type = Option<i64>, minimum = 0)]
    after_sequence: Lenient<i64>,
    /// Only events at this time or later, in milliseconds since 1970. It cannot be earlier than the
    /// delivery log, which usually covers 30 days.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    from_time: Lenient<i64>,
}

body! {
    RecoverDeliveries => RecoverDraft {
        webhook_id, store_id, after_sequence, from_time,
    }
}
