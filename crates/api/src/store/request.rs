//! Request bodies of operations on stores.

use pressline_backoffice::store::{StoreDraft, StoreIdDraft};
use pressline_domain::check::Path;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Body, Unknown, bodies};

/// A request without fields.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NoFields {}

impl Body for NoFields {
    type Draft = ();

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) {}
}

bodies! {
    /// Reference to a store.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct StoreIdRequest {
        /// Id of the store.
        store_id: String [format = "uuid"],
    }
    draft StoreIdDraft { .. }

    /// Reference to a key of a store.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct StoreKeyRequest {
        /// Id of the store.
        store_id: String [format = "uuid"],
        /// Id of the key.
        key_id: String [format = "uuid"],
    }
    draft StoreIdDraft

    /// A store to create.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct CreateStore {
        /// Name for people.
        name: String [pattern = r"\S", max_length = 255],
        /// Prefix of the store's order numbers, unique among stores. Derived from `name` if absent.
        prefix: Option<String> [pattern = "^[A-Z0-9]{1,12}$"],
        /// Whether the store is a test store: its orders are not produced, and are not in the print
        /// shop's queues. Default `false`; cannot be changed later.
        test: Option<bool>,
        /// ISO 4217 code of the currency of the store's orders; default `USD`.
        currency: Option<String> [pattern = "^[A-Z]{3}$"],
        /// Whether unknown SKUs, unknown ship classes and missing rates are errors instead of
        /// warnings; default `false`.
        strict_catalog: Option<bool>,
        /// Whether creating, updating and searching orders also requires `X-Service-Timestamp`, as
        /// all other calls do; default `false`.
        require_timestamp: Option<bool>,
        /// Whether searches need no signature; default `false`.
        allow_unsigned_search: Option<bool>,
        /// Length of the window in which the store can freely change its orders, in seconds;
        /// default: the service's setting.
        cooling_off_seconds: Option<u32> [maximum = 1_209_600],
        /// Time limit for shipping an item after it has become `ready`, in seconds; `0` for no
        /// limit; default three days.
        #[serde(rename = "promiseSeconds")]
        ship_by_seconds: Option<u32> [maximum = 7_776_000],
        /// Lines to print on the store's packing slips.
        slip_note: Option<String> [max_length = 500],
    }
    draft StoreDraft { .. }

    /// Changes of a store's settings. Absent fields remain unchanged.
    #[serde(rename_all = "camelCase")]
    pub(crate) struct SetStore {
        /// Id of the store.
        store_id: String [format = "uuid"],
        /// Name for people.
        name: Option<String> [max_length = 255],
        /// ISO 4217 code of the currency of new orders.
        currency: Option<String> [pattern = "^[A-Z]{3}$"],
        /// Whether unknown SKUs, unknown ship classes and missing rates are errors instead of
        /// warnings.
        strict_catalog: Option<bool>,
        /// Whether creating, updating and searching orders also requires `X-Service-Timestamp`, as
        /// all other calls do.
        require_timestamp: Option<bool>,
        /// Whether searches need no signature.
        allow_unsigned_search: Option<bool>,
        /// Length of the window in which the store can freely change new orders, in seconds.
        cooling_off_seconds: Option<u32> [maximum = 1_209_600],
        /// Time limit for shipping an item after it has become `ready`, in seconds; `0` for no
        /// limit.
        #[serde(rename = "promiseSeconds")]
        ship_by_seconds: Option<u32> [maximum = 7_776_000],
        /// Lines to print on the store's packing slips; a blank string removes them.
        slip_note: Option<String> [max_length = 500],
        /// Expected `version`; 412 if the store has changed since. If absent, any version.
        version: Option<u32> [minimum = 1],
    }
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
