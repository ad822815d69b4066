//! Operations of operators on deliveries.

pub(crate) mod recover;
pub(crate) mod resend;
pub(crate) mod search;
