//! Rows of orders and of their parts, and statements about orders.

mod bitmask;
mod change;
mod fast_forward;
mod find_number;
mod find_shipments;
mod item;
mod job;
mod new;
mod note;
mod reference;
mod row;
mod shipment;
mod state;
mod stored;
mod weight;
mod window;

pub use bitmask::{StatusFilter, uniform_bitmasks};
pub use change::{ChangeRows, ContentRows};
pub use item::{ItemRow, group_by_order};
pub use job::OrderJob;
pub use new::{NewRows, fitting_words};
pub use reference::{
    IdentityRow, due_order, item_counts, order_identity, order_ref, order_reference,
};
pub use row::OrderRow;
pub(crate) use row::source_of;
pub use shipment::{CorrectionRow, ShipmentRow};
pub use state::StateRow;
pub(crate) use state::read_list;
pub use stored::StoredOrder;
pub use window::Window;
