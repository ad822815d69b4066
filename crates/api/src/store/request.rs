//! Request bodies of operations on stores.

use pressline_backoffice::store::{StoreDraft, StoreIdDraft};
use pressline_domain::check::Path;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Body, Lenient, Unknown, body};

/// A request without fields.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NoFields {}

impl Body for NoFields {
    type Draft = ();

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) {}
}

/// Reference to a store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreIdRequest {
    /// Id of the store.
    #[schema(value_type = String, format = "uuid")]
    store_id: Lenient<String>,
}

body! { StoreIdRequest => StoreIdDraft { store_id, .. } }

/// Reference to a key of a store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreKeyRequest {
    /// Id of the store.
    #[schema(value_type = String, format = "uuid")]
    store_id: Lenient<String>,
    /// Id of the key.
    #[schema(value_type = String, format = "uuid")]
    key_id: Lenient<String>,
}

body! { StoreKeyRequest => StoreIdDraft { store_id, key_id } }

/// A store to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateStore {
    /// Name for people.
    #[schema(value_type = String, pattern = r"\S", max_length = 255)]
    name: Lenient<String>,
    /// Prefix of the store's order numbers, unique among stores. Derived from `name` if absent.
    #[schema(value_type = Option<String>, pattern = "^[A-Z0-9]{1,12}$")]
    prefix: Lenient<String>,
    /// Whether the store is a test store: its orders are not produced, and are not in the print
    /// shop's queues. Default `false`; cannot be changed later.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
    /// ISO 4217 code of the currency of the store's orders; default `USD`.
    #[schema(value_type = Option<String>, pattern = "^[A-Z]{3}$")]
    currency: Lenient<String>,
    /// Whether unknown SKUs, unknown ship classes and missing rates are errors instead of warnings;
    /// default `false`.
    #[schema(value_type = Option<bool>)]
    strict_catalog: Lenient<bool>,
    /// Whether creating, updating and searching orders also requires `X-Service-Timestamp`, as all
    /// other calls do; default `false`.
    #[schema(value_type = Option<bool>)]
    require_timestamp: Lenient<bool>,
    /// Whether searches need no signature; default `false`.
    #[schema(value_type = Option<bool>)]
    allow_unsigned_search: Lenient<bool>,
    /// Length of the window in which the store can freely change its orders, in seconds; default:
    /// the service's setting.
    #[schema(value_type = Option<u32>, maximum = 1_209_600)]
    cooling_off_seconds: Lenient<i64>,
    /// Time limit for shipping an item after it has become `ready`, in seconds; `0` for no limit;
    /// default three days.
    #[schema(value_type = Option<u32>, maximum = 7_776_000)]
    #[serde(rename = "promiseSeconds")]
    ship_by_seconds: Lenient<i64>,
    /// Lines to print on the store's packing slips.
    #[schema(value_type = Option<String>, max_length = 500)]
    slip_note: Lenient<String>,
}

body! {
    CreateStore => StoreDraft {
        name, prefix, test, currency, strict_catalog, require_timestamp,
        allow_unsigned_search, cooling_off_seconds, ship_by_seconds, slip_note, ..
    }
}

/// Changes of a store's settings. Absent fields remain unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetStore {
    /// Id of the store.
    #[schema(value_type = String, format = "uuid")]
    store_id: Lenient<String>,
    /// Name for people.
    #[schema(value_type = Option<String>, max_length = 255)]
    name: Lenient<String>,
    /// ISO 4217 code of the currency of new orders.
    #[schema(value_type = Option<String>, pattern = "^[A-Z]{3}$")]
    currency: Lenient<String>,
    /// Whether unknown SKUs, unknown ship classes and missing rates are errors instead of warnings.
    #[schema(value_type = Option<bool>)]
    strict_catalog: Lenient<bool>,
    /// Whether creating, updating and searching orders also requires `X-Service-Timestamp`, as all
    /// other calls do.
    #[schema(value_type = Option<bool>)]
    require_timestamp: Lenient<bool>,
    /// Whether searches need no signature.
    #[schema(value_type = Option<bool>)]
    allow_unsigned_search: Lenient<bool>,
    /// Length of the window in which the store can freely change new orders, in seconds.
    #[schema(value_type = Option<u32>, maximum = 1_209_600)]
    cooling_off_seconds: Lenient<i64>,
    /// Time limit for shipping an item after it has become `ready`, in seconds; `0` for no limit.
    #[schema(value_type = Option<u32>, maximum = 7_776_000)]
    #[serde(rename = "promiseSeconds")]
    ship_by_seconds: Lenient<i64>,
    /// Lines to print on the store's packing slips; a blank string removes them.
    #[schema(value_type = Option<String>, max_length = 500)]
    slip_note: Lenient<String>,
    /// Expected `version`; 412 if the store has changed since. If absent, any version.
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
            ship_by_seconds: self.ship_by_seconds.0,
            slip_note: self.slip_note.0,
            version: self.version.0,
            ..StoreDraft::default()
        };
        (which, draft)
    }
}
