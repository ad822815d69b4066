//! References to orders of a page that are not read yet.

use pressline_domain::error::RepositoryError;
use pressline_domain::order::search::OrderReference;

use crate::corrupt::StoredRow;

/// The reference to an order whose id and size (in bytes) were read.
///
/// # Errors
/// [`RepositoryError::Corrupt`] if a column does not hold what it should.
pub fn order_reference(
    store_id: &str,
    id: &str,
    size: i32,
) -> Result<OrderReference, RepositoryError> {
    let stored = StoredRow("orders", &[store_id, id]);
    Ok(OrderReference {
        id: stored.read("id", id.parse())?,
        bytes: stored.read("size", u64::try_from(size))?,
    })
}
