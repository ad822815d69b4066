//! The bodies of requests about webhooks. Fields that several of them have are repeated, because serde's `flatten` takes
//! all keys: an unknown one would not be reported.

use std::borrow::Cow;

use pressline_domain::field::Field;
use pressline_domain::page::PageDraft;
use pressline_domain::report::Path;
use pressline_domain::webhook::{
    DeliveryDraft, EnableDraft, EndpointDraft, EndpointIdDraft, RecoverDraft, ResendDraft,
    RotateSecretDraft,
};
use serde::Deserialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::json::{Body, Lenient, Unknown};
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

impl Body for CreateWebhook {
    type Draft = EndpointDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> EndpointDraft {
        EndpointDraft {
            webhook_id: Field::Absent,
            store_id: self.store_id.0,
            stores: self.stores.0,
            url: self.url.0,
            types: self.types.0,
            payload: self.payload.0,
            description: self.description.0,
        }
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

impl Body for UpdateWebhook {
    type Draft = EndpointDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> EndpointDraft {
        EndpointDraft {
            webhook_id: self.webhook_id.0,
            store_id: self.store_id.0,
            stores: self.stores.0,
            url: self.url.0,
            types: self.types.0,
            payload: self.payload.0,
            description: self.description.0,
        }
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

impl Body for ListWebhooks {
    type Draft = EndpointIdDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> EndpointIdDraft {
        EndpointIdDraft {
            webhook_id: self.webhook_id.0,
            store_id: self.store_id.0,
        }
    }
}

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

impl Body for WebhookIdRequest {
    type Draft = EndpointIdDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> EndpointIdDraft {
        EndpointIdDraft {
            webhook_id: self.webhook_id.0,
            store_id: self.store_id.0,
        }
    }
}

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

impl Body for EnableWebhook {
    type Draft = EnableDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> EnableDraft {
        EnableDraft {
            which: EndpointIdDraft {
                webhook_id: self.webhook_id.0,
                store_id: self.store_id.0,
            },
            from: self.from.0,
            after_sequence: self.after_sequence.0,
        }
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

impl Body for RotateWebhookSecret {
    type Draft = RotateSecretDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> RotateSecretDraft {
        RotateSecretDraft {
            which: EndpointIdDraft {
                webhook_id: self.webhook_id.0,
                store_id: self.store_id.0,
            },
            keep_old_seconds: self.keep_old_seconds.0,
        }
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

impl Body for SearchDeliveries {
    type Draft = DeliveryDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> DeliveryDraft {
        DeliveryDraft {
            webhook_id: self.webhook_id.0,
            store_id: self.store_id.0,
            order_id: self.order_id.0,
            sequence: self.sequence.0,
            status: self.status.0,
            from_time: self.from_time.0,
            to_time: self.to_time.0,
            paging: PageDraft {
                page: Field::Absent,
                size: self.size.0,
                cursor: self.cursor.0,
            },
        }
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

impl Body for ResendDelivery {
    type Draft = ResendDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> ResendDraft {
        ResendDraft {
            delivery_id: self.delivery_id.0,
            store_id: self.store_id.0,
        }
    }
}

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

impl Body for RecoverDeliveries {
    type Draft = RecoverDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> RecoverDraft {
        RecoverDraft {
            webhook_id: self.webhook_id.0,
            store_id: self.store_id.0,
            after_sequence: self.after_sequence.0,
            from_time: self.from_time.0,
        }
    }
}
