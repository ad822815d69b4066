//! Rates and fees, which are kept as one document each.

use pressline_domain::error::RepositoryError;
use pressline_domain::id::StoreId;
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};

use super::price::{list_id, list_of};
use crate::corrupt::StoredRow;
use crate::json;

/// The document of all shipping rates.
///
/// # Errors
/// [`RepositoryError::Refused`] where they cannot be written as JSON.
pub fn shipping_document(rates: &ShippingRates) -> Result<String, RepositoryError> {
    json::write(rates)
}

/// The shipping rates of their document.
///
/// # Errors
/// [`RepositoryError::Corrupt`] where it does not hold what it should.
pub fn read_shipping(document: &str) -> Result<ShippingRates, RepositoryError> {
    StoredRow("shipping_rates", &["1"]).read("document", serde_json::from_str(document))
}

/// The row of a schedule of fees: the store's id, empty for the service's, and the document.
///
/// # Errors
/// [`RepositoryError::Refused`] where it cannot be written as JSON.
pub(super) fn fees_document(
    store: Option<StoreId>,
    schedule: &FeeSchedule,
) -> Result<(String, String), RepositoryError> {
    Ok((list_id(store), json::write(schedule)?))
}

/// The schedule of fees of a row.
///
/// # Errors
/// [`RepositoryError::Corrupt`] where it does not hold what it should.
pub fn read_fees(
    store_id: &str,
    document: &str,
) -> Result<(Option<StoreId>, FeeSchedule), RepositoryError> {
    let stored = StoredRow("fee_schedules", &[store_id]);
    let store = stored.read("store_id", list_of(store_id))?;
    let schedule = stored.read("document", serde_json::from_str(document))?;
    Ok((store, schedule))
}
