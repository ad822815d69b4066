//! How values look on pages: money, ages, statuses, times of the address, and links to elsewhere.

mod age;
mod chip;
mod date;
mod link;
mod money;
mod text;

pub(crate) use age::age;
pub(crate) use chip::Chip;
pub(crate) use date::{day_end, day_ends, day_start, local_moment};
pub(crate) use link::Foreign;
pub(crate) use money::{money, signed_money};
pub(crate) use text::Compared;
