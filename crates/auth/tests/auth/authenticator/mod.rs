//! Accepted and refused calls, how soon changes of stores take effect, and how often the directory
//! is queried.

mod directory;
mod loads;
mod rules;
mod uses;
mod world;
