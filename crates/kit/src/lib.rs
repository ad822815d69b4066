//! Tools that every layer may use. They contain no business rules.

#![doc = include_str!("../README.md")]

// Modules import only modules of the groups above them.
mod named;
pub mod nearest;
mod sync;
pub mod text;
pub mod url;

pub mod words;

pub mod geo;
pub mod json;

/// Makes an async method return a boxed future, at the cost of an allocation per call. Otherwise,
/// the code of an `async fn` is generated again in each crate that awaits it, together with the
/// functions that it awaits. The macro is made for recursion, but works for any method.
pub use async_recursion::async_recursion as boxed;
pub use sync::lock;
