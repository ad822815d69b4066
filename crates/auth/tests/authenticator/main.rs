//! Who is let in and who isn't, how soon changes of a store are known, and how often the directory
//! is asked.

#![expect(
    clippy::unwrap_used,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

mod directory;
mod loads;
mod rules;
mod uses;
mod world;
