//! Rows and statements of stores and their keys.

mod directory;
mod port;
mod row;
mod sealing;
