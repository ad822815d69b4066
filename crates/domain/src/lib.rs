//! Orders, items, fees and statuses of a print-on-demand service, with its use cases and ports.

#![doc = include_str!("../README.md")]

pub mod catalog;
pub mod fees;
pub mod field;
pub mod fingerprint;
pub mod geo;
pub mod id;
pub mod import;
pub mod json;
pub mod limits;
pub mod memory;
pub mod money;
pub mod nearest;
pub mod order;
pub mod ports;
pub mod pricing;
pub mod report;
pub mod request;
pub mod search;
pub mod status;
pub mod store;
pub mod tariff;
pub mod text;
pub mod time;
pub mod usecase;
pub mod words;
