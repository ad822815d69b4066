//! What every layer may use and no business rule decides.

#![doc = include_str!("../README.md")]

pub mod geo;
pub mod json;
pub mod nearest;
pub mod text;
pub mod words;
