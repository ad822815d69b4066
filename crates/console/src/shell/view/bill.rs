//! Bill of an order.

use pressline_domain::fulfilment::SnapshotParts;
use pressline_domain::pricing::corrections::CorrectedBill;
use pressline_http::request_error::RequestError;

use crate::shell::result::Result;

/// Returns an internal error if an amount exceeds the number range.
pub(crate) fn bill(order: &SnapshotParts) -> Result<CorrectedBill<'_>> {
    let bill = order.bill();
    bill.map_err(|error| RequestError::internal(error.to_string()))
}
