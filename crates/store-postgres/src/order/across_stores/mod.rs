//! The statements over several stores: for due orders, and for operators' queries of orders and
//! items. No request of a store sends them.

pub(crate) mod count;
pub(crate) mod due;
pub(crate) mod page;

pub(crate) use count::count_items;
pub(crate) use due::take;
pub(crate) use page::page;
