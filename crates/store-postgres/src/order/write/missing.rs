//! The error of a statement that did not return a result for each order.

use pressline_domain::error::RepositoryError;

pub(super) fn missing() -> RepositoryError {
    RepositoryError::Refused("the statement that writes orders left one out".into())
}
