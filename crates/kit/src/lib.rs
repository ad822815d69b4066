//! What every layer may use and no business rule decides.

#![doc = include_str!("../README.md")]

pub mod geo;
pub mod json;
mod named;
pub mod nearest;
pub mod text;
pub mod url;
pub mod words;

/// Makes an async method return a boxed future, so that its code is generated once.
///
/// The code of an `async fn` is generated anew in each crate that awaits it, with the functions that it awaits. The box
/// costs one allocation a call. For recursion, which the macro was written for, nothing else is needed.
pub use async_recursion::async_recursion as boxed;
