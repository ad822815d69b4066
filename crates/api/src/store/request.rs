//! The bodies of requests about stores.

use pressline_backoffice::store::{StoreDraft, StoreIdDraft};
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Body, Lenient, Unknown, body};

/// Nothing.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NoFields {}

impl Body for NoFields {
    type Draft = ();

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) {}
}

/// Which store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreIdRequest {
    /// The store's id.
    #[schema(value_type = String, format = "uuid")]
    store_id: Lenient<String>,
}

body! { StoreIdRequest => StoreIdDraft { store_id, .. } }

/// Which key of which store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreKeyRequest {
    /// The store's id.
    #[schema(value_type = String, format = "uuid")]
    store_id: Lenient<String>,
    /// The key's id.
    #[schema(value_type = String, format = "uuid")]
    key_id: Lenient<String>,
}

body! { StoreKeyRequest => StoreIdDraft { store_id, key_id } }

/// What a new store is set to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateStore {
    /// A name for people.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    name: Lenient<String>,
    /// What its order numbers begin with, unique among stores. Derived from the name if absent.
    #[schema(value_type = Option<String>, pattern = "^[A-Z0-9]{1,12}$")]
    prefix: Lenient<String>,
    /// Whether it is for trying the API: its orders are not made, and are not in the shop's queues. False if absent;
    /// it cannot be changed.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
    /// ISO 4217 code of the currency of its orders; USD if absent.
    #[schema(value_type = Option<String>, pattern = "^[A-Z]{3}$")]
    currency: Lenient<String>,
    /// Whether unknown SKUs, unknown ship classes and missing rates are errors; false if absent.
    #[schema(value_type = Option<bool>)]
    strict_catalog: Lenient<bool>,
    /// Whether all calls need `X-Service-Timestamp`, also the creation, update and search of orders; false if absent.
    #[schema(value_type = Option<bool>)]
    require_timestamp: Lenient<bool>,
    /// Whether searches need no signature; false if absent.
    #[schema(value_type = Option<bool>)]
    allow_unsigned_search: Lenient<bool>,
    /// How long it may change its orders at will, in seconds; as configured if absent.
    #[schema(value_type = Option<u32>, maximum = 1_209_600)]
    cooling_off_seconds: Lenient<i64>,
    /// In which time its items are sent after they have become ready, in seconds; 0 for no promise, three days if absent.
    #[schema(value_type = Option<u32>, maximum = 7_776_000)]
    promise_seconds: Lenient<i64>,
    /// What is printed on its packing slips, in lines.
    #[schema(value_type = Option<String>, max_length = 500)]
    slip_note: Lenient<String>,
}

body! {
    CreateStore => StoreDraft {
        name, prefix, test, currency, strict_catalog, require_timestamp,
        allow_unsigned_search, cooling_off_seconds, promise_seconds, slip_note, ..
    }
}

/// Which store to change, and how. Absent fields stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetStore {
    /// The store's id.
    #[schema(value_type = String, format = "uuid")]
    store_id: Lenient<String>,
    /// A name for people.
    #[schema(value_type = Option<String>, max_length = 255)]
    name: Lenient<String>,
    /// ISO 4217 code of the currency of new orders.
    #[schema(value_type = Option<String>, pattern = "^[A-Z]{3}$")]
    currency: Lenient<String>,
    /// Whether unknown SKUs, unknown ship classes and missing rates are errors.
    #[schema(value_type = Option<bool>)]
    strict_catalog: Lenient<bool>,
    /// Whether all calls need `X-Service-Timestamp`, also the creation, update and search of orders.
    #[schema(value_type = Option<bool>)]
    require_timestamp: Lenient<bool>,
    /// Whether searches need no signature.
    #[schema(value_type = Option<bool>)]
    allow_unsigned_search: Lenient<bool>,
    /// How long it may change orders that it places from now on at will, in seconds.
    #[schema(value_type = Option<u32>, maximum = 1_209_600)]
    cooling_off_seconds: Lenient<i64>,
    /// In which time its items are sent after they have become ready, in seconds; 0 for no promise.
    #[schema(value_type = Option<u32>, maximum = 7_776_000)]
    promise_seconds: Lenient<i64>,
    /// What is printed on its packing slips, in lines; a blank text for nothing.
    #[schema(value_type = Option<String>, max_length = 500)]
    slip_note: Lenient<String>,
    /// The version that the change was made from; 412 if the store has changed since. Any version if absent.
    #[schema(value_type = Option<u32>, minimum = 1)]
    version: Lenient<i64>,
}

impl Body for SetStore {
    type Draft = (StoreIdDraft, StoreDraft);

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> Self::Draft {
        let which = StoreIdDraft {
            store_id: self.store_id.0,
            ..StoreIdDraft::default()
        };
        let draft = StoreDraft {
            name: self.name.0,
            currency: self.currency.0,
            strict_catalog: self.strict_catalog.0,
            require_timestamp: self.require_timestamp.0,
            allow_unsigned_search: self.allow_unsigned_search.0,
            cooling_off_seconds: self.cooling_off_seconds.0,
            promise_seconds: self.promise_seconds.0,
            slip_note: self.slip_note.0,
            version: self.version.0,
            ..StoreDraft::default()
        };
        (which, draft)
    }
}
