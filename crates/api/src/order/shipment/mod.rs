//! Operations of operators and carriers on shipments.

pub(crate) mod create;
pub(crate) mod find;
mod request;
mod response;
pub(crate) mod track;
pub(crate) mod update;
pub(crate) mod void;
