//! Operations on orders.

pub(crate) mod answer;
pub(crate) mod cancel;
pub(crate) mod create;
pub(crate) mod create_label;
pub(crate) mod estimate;
pub(crate) mod get;
pub(crate) mod history;
pub(crate) mod hold;
pub(crate) mod operator;
pub(crate) mod process_now;
pub(crate) mod release;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod search;
pub(crate) mod shipment;
pub(crate) mod update;
pub(crate) mod update_label;
pub(crate) mod withdraw_change;
