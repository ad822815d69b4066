//! Who is let in and who isn't, how soon changes of a store are known, and how often the directory
//! is asked.

mod directory;
mod loads;
mod rules;
mod uses;
mod world;
