//! Operations on products.

mod response;
pub(crate) mod search;
