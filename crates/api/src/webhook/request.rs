//! Request bodies of operations on webhooks. Common fields are repeated in each struct, because
//! serde's `flatten` accepts all keys, so unknown keys would not be reported.

use pressline_backoffice::webhook::{
    DeliveryDraft, EnableDraft, EndpointDraft, EndpointIdDraft, RecoverDraft, ResendDraft,
    RotateSecretDraft,
};
use pressline_domain::check::Field;
use pressline_domain::value::page::PageDraft;

use crate::json::bodies;
use crate::schema::{DeliveryStatusName, EventName, PayloadName, StartName};

/// Fields that only requests of operators have.
pub(crate) const OPERATOR_FIELDS: &[&str] = &["storeId", "stores"];

bodies! {
    /// A webhook endpoint to create.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct CreateWebhook {
        /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
        store_id: Option<String> [format = "uuid"],
        /// Ids of the stores from which the endpoint receives events. Empty for all stores,
        /// including future stores. Only for endpoints of the print shop.
        stores: Option<Vec<String>>,
        /// Receiver of the events: an `http` or `https` URL that is reachable from the internet,
        /// without credentials.
        url: String [format = "uri", max_length = 2048],
        /// Event types to send. Empty for all types.
        types: Option<Vec<EventName>>,
        /// `full`, the default: events are sent as in the feed. `thin`: only ids and changed paths.
        payload: Option<PayloadName>,
        /// Description for people.
        description: Option<String> [max_length = 255],
    }
    draft EndpointDraft {
        // A new endpoint gets its id from the service.
        webhook_id: Field::Absent, store_id, stores, url, types, payload, description,
    }

    /// Changes of a webhook endpoint. Absent fields remain unchanged.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct UpdateWebhook {
        /// Id of the endpoint.
        webhook_id: String [format = "uuid"],
        /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
        store_id: Option<String> [format = "uuid"],
        /// Ids of the stores from which the endpoint receives events. Empty for all stores,
        /// including future stores. Only for endpoints of the print shop.
        stores: Option<Vec<String>>,
        /// Receiver of the events: an `http` or `https` URL that is reachable from the internet,
        /// without credentials.
        url: Option<String> [format = "uri", max_length = 2048],
        /// Event types to send. Empty for all types.
        types: Option<Vec<EventName>>,
        /// `full`: events are sent as in the feed. `thin`: only ids and changed paths.
        payload: Option<PayloadName>,
        /// Description for people; an empty string removes it.
        description: Option<String> [max_length = 255],
    }
    draft EndpointDraft

    /// Query for webhook endpoints. Every field is optional.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ListWebhooks {
        /// Id of the endpoint; if absent, all endpoints.
        webhook_id: Option<String> [format = "uuid"],
        /// Id of the store that owns the endpoints; absent for endpoints of the print shop.
        store_id: Option<String> [format = "uuid"],
    }
    draft EndpointIdDraft

    /// Reference to a webhook endpoint.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct WebhookIdRequest {
        /// Id of the endpoint.
        webhook_id: String [format = "uuid"],
        /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
        store_id: Option<String> [format = "uuid"],
    }
    draft EndpointIdDraft

    /// An endpoint to enable. Either `from` or `afterSequence` gives the event to start at.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct EnableWebhook {
        /// Id of the endpoint.
        webhook_id: String [format = "uuid"],
        /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
        store_id: Option<String> [format = "uuid"],
        /// `stopped`: the endpoint continues where it stopped. `now`: it gets events from now on.
        from: Option<StartName>,
        /// The endpoint gets events with a higher `sequence`. Only for endpoints of a store.
        after_sequence: Option<i64> [minimum = 0],
    }
    draft EnableDraft {
        which: EndpointIdDraft { webhook_id, store_id },
        from, after_sequence,
    }

    /// An endpoint to create another secret for.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct RotateWebhookSecret {
        /// Id of the endpoint.
        webhook_id: String [format = "uuid"],
        /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
        store_id: Option<String> [format = "uuid"],
        /// Time during which the old secret also signs, in seconds; default `86400`, a day.
        keep_old_seconds: Option<i64> [minimum = 0, maximum = 604_800],
    }
    draft RotateSecretDraft {
        which: EndpointIdDraft { webhook_id, store_id },
        keep_old_seconds,
    }

    /// Search for deliveries. Every field is optional; `{}` finds all deliveries.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct SearchDeliveries {
        /// Only deliveries to this endpoint.
        webhook_id: Option<String> [format = "uuid"],
        /// Id of the store that owns the endpoints; absent for endpoints of the print shop.
        store_id: Option<String> [format = "uuid"],
        /// Only deliveries of events of this order: its `order_id`, or the service's order
        /// number or `id`.
        #[serde(rename = "order_id")]
        order_id: Option<String> [max_length = 128],
        /// Only deliveries of the event with this `sequence`.
        sequence: Option<i64> [minimum = 1],
        /// Only deliveries with this result: `succeeded` or `failed`.
        status: Option<DeliveryStatusName>,
        /// Earliest time of the attempt, in milliseconds since 1970; `0` for no limit.
        from_time: Option<i64> [minimum = 0, maximum = 100_000_000_000_000i64],
        /// Latest time of the attempt, in milliseconds since 1970; `0` for no limit.
        to_time: Option<i64> [minimum = 0, maximum = 100_000_000_000_000i64],
        /// Number of deliveries per page; default `20`.
        size: Option<i64> [minimum = 1, maximum = 100],
        /// The `nextCursor` of the previous page, to read the next page. All filters must be the
        /// same.
        cursor: Option<String>,
    }
    draft DeliveryDraft {
        webhook_id, store_id, order_id, sequence, status, from_time, to_time,
        paging: PageDraft { page: Field::Absent, size, cursor },
    }

    /// A delivery to repeat: its event is sent again.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ResendDelivery {
        /// Id of the delivery.
        delivery_id: String [format = "uuid"],
        /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
        store_id: Option<String> [format = "uuid"],
    }
    draft ResendDraft

    /// Recovery of an endpoint: sends events since `afterSequence` or `fromTime` again if the
    /// endpoint has not accepted them. The request has either field, not both.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct RecoverDeliveries {
        /// Id of the endpoint.
        webhook_id: String [format = "uuid"],
        /// Id of the store that owns the endpoint; absent for an endpoint of the print shop.
        store_id: Option<String> [format = "uuid"],
        /// Only events with a higher `sequence`. Only for endpoints of a store.
        after_sequence: Option<i64> [minimum = 0],
        /// Only events at this time or later, in milliseconds since 1970. It cannot be earlier than
        /// the delivery log, which usually covers 30 days.
        from_time: Option<i64> [minimum = 0, maximum = 100_000_000_000_000i64],
    }
    draft RecoverDraft
}
