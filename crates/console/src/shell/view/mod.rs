//! Formats of values on pages: money, ages, statuses, barcodes, times, and links to other sites.

mod age;
mod barcode;
mod bill;
mod chip;
mod clipped;
mod country;
mod date;
mod duration;
mod link;
mod money;
mod parcel;
mod text;
mod words;

pub(crate) use age::age;
pub(crate) use barcode::Barcode;
pub(crate) use bill::bill;
pub(crate) use chip::Chip;
pub(crate) use clipped::ClippedText;
pub(crate) use country::country;
pub(crate) use date::{clock_time, day_end, day_ends, day_start, local_time};
pub(crate) use duration::{duration, duration_text};
pub(crate) use link::Foreign;
pub(crate) use money::{money, money_sum, number, signed_money};
pub(crate) use parcel::{arrived, tracking};
pub(crate) use text::TextComparison;
pub(crate) use words::{plain, visible, words};
