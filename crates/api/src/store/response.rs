//! Stores in responses, and in the output of the command line.

use pressline_backoffice::store::StoreWithSecret;
use pressline_domain::check::Warning;
use pressline_domain::store::{StoreKey, StoreRecord};
use serde::Serialize;
use utoipa::ToSchema;

use crate::response::{Envelope, Response, ResponseOf, json};

/// A store with its valid keys.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Store)]
#[serde(rename_all = "camelCase")]
pub struct StoreDocument {
    /// Id of the store.
    #[schema(format = "uuid")]
    store_id: String,
    /// Name for people.
    name: String,
    /// Prefix of the store's order numbers, such as `SUN`.
    #[schema(pattern = "^[A-Z0-9]{1,12}$")]
    prefix: String,
    /// ISO 4217 code of the currency of the store's orders.
    #[schema(pattern = "^[A-Z]{3}$")]
    currency: &'static str,
    /// Whether the store is a test store.
    test: bool,
    /// Whether the store's calls are served.
    enabled: bool,
    /// Whether unknown SKUs, unknown ship classes and missing rates are errors instead of warnings.
    strict_catalog: bool,
    /// Whether creating, updating and searching orders also requires `X-Service-Timestamp`, as all
    /// other calls do.
    require_timestamp: bool,
    /// Whether searches need no signature.
    allow_unsigned_search: bool,
    /// Length of the window in which the store can freely change its orders, in seconds; `null` for
    /// the service's setting.
    cooling_off_seconds: Option<u32>,
    /// Time limit for shipping an item after it has become ready, in seconds; 0 for no limit,
    /// `null` for three days.
    #[serde(rename = "promiseSeconds")]
    ship_by_seconds: Option<u32>,
    /// Lines to print on the store's packing slips; `null` if there are none.
    slip_note: Option<String>,
    /// Time of creation.
    #[schema(format = "date-time")]
    created_at: String,
    /// Version of the store: `1` at creation, and one more after each change.
    version: u32,
    /// Valid keys, oldest first.
    keys: Vec<KeyDocument>,
    /// Id of the new key. Only in responses that create a key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = "uuid")]
    key_id: Option<String>,
    /// Secret of the key `keyId`. Only in responses that create a key; no other response shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    secret_key: Option<String>,
}

/// A key of a store, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StoreKey)]
#[serde(rename_all = "camelCase")]
struct KeyDocument {
    /// Id of the key.
    #[schema(format = "uuid")]
    key_id: String,
    /// Time of creation.
    #[schema(format = "date-time")]
    created_at: String,
    /// Time of the latest call signed with the key, to the minute; `null` before the first call.
    #[schema(format = "date-time")]
    last_used_at: Option<String>,
}

impl From<&StoreKey> for KeyDocument {
    fn from(key: &StoreKey) -> Self {
        Self {
            key_id: key.id.to_string(),
            created_at: key.created_at.to_string(),
            last_used_at: key.last_used_at.map(|at| at.to_string()),
        }
    }
}

impl From<&StoreRecord> for StoreDocument {
    fn from(record: &StoreRecord) -> Self {
        let store = &record.store;
        Self {
            store_id: store.id.to_string(),
            name: store.name.clone(),
            prefix: store.prefix.to_string(),
            currency: store.currency.code(),
            test: store.test,
            enabled: store.enabled,
            strict_catalog: store.settings.strict_catalog,
            require_timestamp: store.settings.require_timestamp,
            allow_unsigned_search: store.settings.allow_unsigned_search,
            cooling_off_seconds: store.settings.cooling_off_seconds,
            ship_by_seconds: store.settings.ship_by_seconds,
            slip_note: store.settings.slip_note.clone(),
            created_at: store.created_at.to_string(),
            version: record.version,
            keys: record.keys.iter().map(KeyDocument::from).collect(),
            // A secret key is shown only in the response that creates it.
            key_id: None,
            secret_key: None,
        }
    }
}

impl From<&StoreWithSecret> for StoreDocument {
    fn from(made: &StoreWithSecret) -> Self {
        Self {
            key_id: Some(made.key_id.to_string()),
            secret_key: Some(made.secret.expose().to_owned()),
            ..Self::from(&made.record)
        }
    }
}

pub(super) type StoreResponse = ResponseOf<StoreDocument>;

pub(super) fn store<T>(record: T, warnings: Vec<Warning>) -> Response
where
    for<'a> StoreDocument: From<&'a T>,
{
    json(&Envelope::new("OK", StoreDocument::from(&record), warnings))
}

pub(super) fn stores(records: Vec<StoreRecord>, warnings: Vec<Warning>) -> Response {
    let documents: Vec<StoreDocument> = records.iter().map(StoreDocument::from).collect();
    json(&Envelope::new("OK", documents, warnings))
}
