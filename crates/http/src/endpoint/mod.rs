//! The operations, one file each: request, handler, and what the documentation says of it.

pub(crate) mod create_label;
pub(crate) mod create_order;
pub(crate) mod estimate_order;
pub(crate) mod search_orders;
pub(crate) mod search_products;
pub(crate) mod update_order;
