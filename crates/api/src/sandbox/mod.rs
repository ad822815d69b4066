//! What test stores may do to try out what can happen.

pub(crate) mod clock;
pub(crate) mod fault;
pub(crate) mod play;
pub(crate) mod webhooks;
