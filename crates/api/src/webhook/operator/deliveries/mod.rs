//! Operations on deliveries, for operators.

pub(crate) mod recover;
pub(crate) mod resend;
pub(crate) mod search;
