//! Operations of operators on figures: what was ordered, in numbers.

pub(crate) mod orders;
mod response;
