//! Rows and statements of stores and their keys.

mod directory;
mod row;
