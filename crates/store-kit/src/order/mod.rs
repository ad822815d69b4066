//! The rows of orders, and what is read and written with them.

mod item;
mod new;
mod reference;
mod row;
mod weight;
mod window;

pub use item::{ItemRow, group_by_order};
pub use new::{NewRows, fitting_words};
pub use reference::order_reference;
pub use row::OrderRow;
pub use window::Window;
