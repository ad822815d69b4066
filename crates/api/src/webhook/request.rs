//! The bodies of requests about webhooks. Fields that several of them have are repeated, because serde's `flatten` takes
//! all keys: an unknown one would not be reported.

use std::borrow::Cow;

use pressline_backoffice::webhook::{
    DeliveryDraft, EnableDraft, EndpointDraft, EndpointIdDraft, RecoverDraft, ResendDraft,
    RotateSecretDraft,
};
use pressline_domain::field::Field;
use pressline_domain::page::PageDraft;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::json::{Body, Lenient, Unknown, body};
use crate::schema::{DeliveryStatusName, EventName, PayloadName, StartName};

/// The body of a store's request: without the fields that only a request of the shop has.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct OfStore<T>(T);

/// The fields that only a request of the shop has.
const OF_SHOP: &[&str] = &["storeId", "stores"];

impl<T: Body> Body for OfStore<T> {
    type Draft = T::Draft;
    const LEFT_OUT: &'static [&'static str] = OF_SHOP;

    fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> T::Draft {
        self.0.draft(at, unknown)
    }
}

impl<T: ToSchema> ToSchema for OfStore<T> {
    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}

impl<T: PartialSchema> PartialSchema for OfStore<T> {
    fn schema() -> RefOr<Schema> {
        let mut schema = T::schema();
        if let RefOr::T(Schema::Object(body)) = &mut schema {
            for field in OF_SHOP {
                body.properties.remove(*field);
            }
        }
        schema
    }
}

/// A new endpoint.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateWebhook {
    /// The store whose endpoint it is; absent for an endpoint of the shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// Of an endpoint of the shop, ids of the stores that it hears. Empty for all, also those that are created later.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// Where events are sent: an http or https URL that the internet can reach, without credentials.
    #[schema(value_type = String, format = "uri", max_length = 2048)]
    url: Lenient<String>,
    /// Types of events that it gets. Empty for all.
    #[schema(value_type = Option<Vec<EventName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// `full`, also if it is absent: events are sent as the feed has them. `thin`: only ids and changed paths.
    #[schema(value_type = Option<PayloadName>)]
    payload: Lenient<String>,
    /// A description for people.
    #[schema(value_type = Option<String>, max_length = 255)]
    description: Lenient<String>,
}

body! {
    CreateWebhook => EndpointDraft {
        webhook_id: Field::Absent, store_id, stores, url, types, payload, description,
    }
}

/// Which endpoint to change, and how. Absent fields stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UpdateWebhook {
    /// The endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// The store whose endpoint it is; absent for an endpoint of the shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// Of an endpoint of the shop, ids of the stores that it hears. Empty for all, also those that are created later.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// Where events are sent: an http or https URL that the internet can reach, without credentials.
    #[schema(value_type = Option<String>, format = "uri", max_length = 2048)]
    url: Lenient<String>,
    /// Types of events that it gets. Empty for all.
    #[schema(value_type = Option<Vec<EventName>>)]
    types: Lenient<Vec<Field<String>>>,
    /// `full`: events are sent as the feed has them. `thin`: only ids and changed paths.
    #[schema(value_type = Option<PayloadName>)]
    payload: Lenient<String>,
    /// A description for people. An empty one is removed.
    #[schema(value_type = Option<String>, max_length = 255)]
    description: Lenient<String>,
}

body! {
    UpdateWebhook => EndpointDraft {
        webhook_id, store_id, stores, url, types, payload, description,
    }
}

/// Which endpoints to list. Every field is optional.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListWebhooks {
    /// The endpoint; absent for all.
    #[schema(value_type = Option<String>, format = "uuid")]
    webhook_id: Lenient<String>,
    /// The store whose endpoints are listed; absent for those of the shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
}

body! { ListWebhooks => EndpointIdDraft { webhook_id, store_id } }

/// Which endpoint.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebhookIdRequest {
    /// The endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// The store whose endpoint it is; absent for an endpoint of the shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
}

body! { WebhookIdRequest => EndpointIdDraft { webhook_id, store_id } }

/// Which endpoint to enable, and where it begins: either `from` or `afterSequence`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EnableWebhook {
    /// The endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// The store whose endpoint it is; absent for an endpoint of the shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// `stopped`: it goes on where it stopped. `now`: it gets what happens from now on.
    #[schema(value_type = Option<StartName>)]
    from: Lenient<String>,
    /// It gets the events with a higher sequence. Only of an endpoint of a store.
    #[schema(value_type = Option<i64>, minimum = 0)]
    after_sequence: Lenient<i64>,
}

body! {
    EnableWebhook => EnableDraft {
        which: EndpointIdDraft { webhook_id, store_id },
        from, after_sequence,
    }
}

/// Which endpoint gets another secret.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RotateWebhookSecret {
    /// The endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// The store whose endpoint it is; absent for an endpoint of the shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// How long the old secret signs too, in seconds; a day if it is absent.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 604_800)]
    keep_old_seconds: Lenient<i64>,
}

body! {
    RotateWebhookSecret => RotateSecretDraft {
        which: EndpointIdDraft { webhook_id, store_id },
        keep_old_seconds,
    }
}

/// The deliveries to find. Every field is optional; `{}` finds all.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchDeliveries {
    /// Only deliveries to this endpoint.
    #[schema(value_type = Option<String>, format = "uuid")]
    webhook_id: Lenient<String>,
    /// The store to whose endpoints they went; absent for those of the shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// Only deliveries of events of this order: its id, or the service's order number.
    #[serde(rename = "order_id")]
    #[schema(value_type = Option<String>, max_length = 128)]
    order_id: Lenient<String>,
    /// Only deliveries of the event with this sequence.
    #[schema(value_type = Option<i64>, minimum = 1)]
    sequence: Lenient<i64>,
    /// Only deliveries that ended so.
    #[schema(value_type = Option<DeliveryStatusName>)]
    status: Lenient<String>,
    /// Earliest time of the attempt, in milliseconds since 1970; 0 for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    from_time: Lenient<i64>,
    /// Latest time of the attempt, in milliseconds since 1970; 0 for no limit.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    to_time: Lenient<i64>,
    /// Deliveries on a page; 20 if it is absent.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, with the same filters.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

body! {
    SearchDeliveries => DeliveryDraft {
        webhook_id, store_id, order_id, sequence, status, from_time, to_time,
        paging: PageDraft { page: Field::Absent, size, cursor },
    }
}

/// Which delivery's event to send again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResendDelivery {
    /// The delivery.
    #[schema(value_type = String, format = "uuid")]
    delivery_id: Lenient<String>,
    /// The store to whose endpoint it went; absent for an endpoint of the shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
}

body! { ResendDelivery => ResendDraft { delivery_id, store_id } }

/// To which endpoint to send everything again that it did not take, since when: either `afterSequence` or `fromTime`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecoverDeliveries {
    /// The endpoint.
    #[schema(value_type = String, format = "uuid")]
    webhook_id: Lenient<String>,
    /// The store whose endpoint it is; absent for an endpoint of the shop.
    #[schema(value_type = Option<String>, format = "uuid")]
    store_id: Lenient<String>,
    /// Events with a higher sequence. Only of an endpoint of a store.
    #[schema(value_type = Option<i64>, minimum = 0)]
    after_sequence: Lenient<i64>,
    /// Events that happened at this time or later, in milliseconds since 1970: not before the log of deliveries begins.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 100_000_000_000_000i64)]
    from_time: Lenient<i64>,
}

body! {
    RecoverDeliveries => RecoverDraft {
        webhook_id, store_id, after_sequence, from_time,
    }
}
