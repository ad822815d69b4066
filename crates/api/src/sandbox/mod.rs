//! Operations and faults for test stores.

pub(crate) mod clock;
pub(crate) mod fault;
pub(crate) mod play;
pub(crate) mod webhooks;
