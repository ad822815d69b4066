//! The statements over several stores: for due orders, and for operators' queries of orders and
//! items. No request of a store sends them.

mod count;
mod due;
mod page;

pub(in crate::order) use count::count_items;
pub(in crate::order) use due::{due_stores, take};
pub(in crate::order) use page::page;
