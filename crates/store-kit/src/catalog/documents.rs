//! Shipping rates and fee schedules, each stored as one JSON document.

use pressline_domain::error::RepositoryError;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_domain::value::id::StoreId;

use super::price::list_of;
use crate::corrupt::StoredRow;
use crate::json;

/// Returns `rates` as a JSON document.
///
/// # Errors
/// [`RepositoryError::Refused`] if `rates` cannot be written as JSON.
pub fn shipping_document(rates: &ShippingRates) -> Result<String, RepositoryError> {
    json::write(rates)
}

/// Reads the shipping rates from `document`, as [`shipping_document`] has written it.
///
/// # Errors
/// [`RepositoryError::Corrupt`] if the document is invalid.
pub fn read_shipping(document: &str) -> Result<ShippingRates, RepositoryError> {
    StoredRow("shipping_rates", &["1"]).read("document", serde_json::from_str(document))
}

/// Reads a fee schedule from `document`, and its store from `store_id`. If `store_id` is empty, the
/// schedule is the service's own, and the returned store is `None`.
///
/// # Errors
/// [`RepositoryError::Corrupt`] if a column has an invalid value.
pub fn read_fees(
    store_id: &str,
    document: &str,
) -> Result<(Option<StoreId>, FeeSchedule), RepositoryError> {
    let stored = StoredRow("fee_schedules", &[store_id]);
    let store = stored.read("store_id", list_of(store_id))?;
    let schedule = stored.read("document", serde_json::from_str(document))?;
    Ok((store, schedule))
}
