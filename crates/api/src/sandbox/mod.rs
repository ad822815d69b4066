//! Operations for test stores.

pub(crate) mod clock;
pub(crate) mod play;
pub(crate) mod webhooks;
