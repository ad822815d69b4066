//! Operations on shipments, for operators and carriers.

pub(crate) mod create;
pub(crate) mod find;
mod request;
mod response;
pub(crate) mod track;
pub(crate) mod update;
pub(crate) mod void;
