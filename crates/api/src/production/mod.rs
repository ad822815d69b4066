//! Operations on production progress and batches, for operators.

pub(crate) mod batch;
pub(crate) mod export;
pub(crate) mod get;
pub(crate) mod misprint;
pub(crate) mod record;
mod request;
mod response;

pub(crate) use response::ProductionBody;
